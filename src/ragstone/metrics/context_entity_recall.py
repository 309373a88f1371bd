"""Context entity recall: how many of the entities of the expected output do the passages name?

    score = |entities of the expected output that the passages name| / |entities of the expected output|

Entities are sets, compared without regard to case and spacing. A low score blames the retriever: what the answer is
about was never fetched. An expected output without entities cannot be measured. Source: Ragas, context entity recall.
"""

from collections.abc import Sequence

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.prompts import ExtractEntities


class ContextEntityRecall(Metric):
    """How many of the entities of the expected output do the passages name? Two judge calls at the same time."""

    needs = ("input", "expected_output", "retrieval_context")
    prompts = (ExtractEntities,)
    score_without_passages = 0.0
    output_form = "prose"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the entities of the expected output and of the passages."""
        expected, in_passages = await ctx.ask_all(
            [ExtractEntities(texts=(case.text("expected_output"),)), ExtractEntities(texts=case.passages())]
        )
        return self.score(expected.entities, in_passages.entities)

    def score(self, wanted: Sequence[str], found: Sequence[str]) -> Score:
        """Score two lists of entities. Pure.

        Raises:
            NotApplicable: the expected output names no entity.
        """
        found_names = {_normalized(name) for name in found}
        names = {_normalized(name): name for name in reversed(wanted)}
        if not names:
            raise NotApplicable("The expected output names no entity, so there is no share to compute.")
        missing = sorted(name for normalized, name in names.items() if normalized not in found_names)
        reason = (
            f"The passages name {len(names) - len(missing)} of {len(names)} entities of the expected output."
        )
        if missing:
            reason += f" Missing: {', '.join(missing)}."
        metadata = {"entities": list(wanted), "found": list(found), "missing": missing}
        return Score(1 - len(missing) / len(names), reason, metadata)


def _normalized(name: str) -> str:
    return " ".join(name.casefold().split())
