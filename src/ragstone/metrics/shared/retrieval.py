"""Retrieval measured on ids with trec_eval, without a judge. The subclasses differ in the measure."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ragstone.errors import BadOption, MissingField
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.plugins import import_extra


class RetrievalMetric(Metric):
    """Base of the metrics on ids.

    Attributes:
        k: how many of the retrieved ids are looked at; None means all. `name@10` is short for `name(k=10)`.
    """

    needs = ("relevant_ids",)
    trec_cut: ClassVar[str]
    trec_whole: ClassVar[str]

    k: int | None = None

    def __post_init__(self) -> None:
        """Reject an invalid cut-off."""
        super().__post_init__()
        if self.k is not None and (isinstance(self.k, bool) or self.k < 1):
            raise BadOption(f"{self.title}: k={self.k!r}: write 1 or more")

    @property
    def title(self) -> str:
        """The measure, with its cut-off."""
        return type(self).__name__ if self.k is None else f"{type(self).__name__}@{self.k}"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Compare the two sets of ids."""
        if case.retrieved_ids is None:
            raise MissingField(self.title, f"test case {case.name or case.id!r}", ("retrieved_ids",))
        return self.score(case.retrieved_ids, case.get("relevant_ids"))

    def score(self, retrieved: Sequence[str], relevant: Mapping[str, int]) -> Score:
        """Score a ranking of ids; a repeated id counts at its first rank. Pure.

        Without a relevant id the score is 0, and counts in the mean, as in trec_eval.

        Raises:
            MissingExtra: the library is not installed.
        """
        positive = {id_: grade for id_, grade in relevant.items() if grade > 0}
        ranking = list(dict.fromkeys(retrieved))[: self.k]
        hits = [id_ for id_ in ranking if id_ in positive]
        metadata = {"found": hits, "missed": sorted(positive.keys() - set(hits)), "k": self.k}
        reason = f"{len(hits)} of {len(positive)} relevant ids are among the {len(ranking)} looked at."
        if not positive:
            reason = "No id is relevant: as in trec_eval, the score is 0 and counts in the mean."
        return Score(self._evaluate(ranking, dict(relevant)) if hits else 0.0, reason, metadata)

    def _evaluate(self, ranking: Sequence[str], relevant: dict[str, int]) -> float:
        trec: Any = import_extra(self.title, "ir", "pytrec_eval")
        name = self.trec_whole if self.k is None else self.trec_cut.format(k=self.k)
        run = {id_: float(-rank) for rank, id_ in enumerate(ranking)}
        scores: dict[str, float] = trec.RelevanceEvaluator({"q": relevant}, {name}).evaluate({"q": run})["q"]
        return next(iter(scores.values()))
