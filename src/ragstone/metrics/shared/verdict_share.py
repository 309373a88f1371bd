"""Metrics whose score is the share of verdicts with certain words. The subclasses differ in what they ask."""

from collections.abc import Sequence
from typing import Any, ClassVar

from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict, VerdictValue


class VerdictShareMetric(Metric):
    """Base of the metrics that are a share of verdicts.

    Attributes:
        counted: the words that count.
        reason: the reason, with the number of verdicts that count and of all in place of its braces.
        examples: what introduces the examples of verdicts that make the score worse.
        statements_key: the metadata's name for the statements; empty where they are not listed.
        of_nothing: score and reason where there is no verdict; None where there always is one.
    """

    needs = ()
    counted: ClassVar[frozenset[VerdictValue]] = frozenset({"yes"})
    reason: ClassVar[str]
    examples: ClassVar[str]
    statements_key: ClassVar[str] = ""
    of_nothing: ClassVar[tuple[float, str] | None] = None

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts; there must be one, unless the metric has a score without any. Pure."""
        metadata = {**self.details(verdicts), "verdicts": verdict_dicts(verdicts)}
        if self.of_nothing is not None and not verdicts:
            return Score(*self.of_nothing, metadata)
        worse = [item for item in verdicts if (item.verdict in self.counted) is not self.higher_is_better]
        count = len(worse) if not self.higher_is_better else len(verdicts) - len(worse)
        reason = self.reason.format(count, len(verdicts)) + list_examples(self.examples, worse)
        return Score(share(verdicts, self.counted), reason, metadata, findings(verdicts))

    def details(self, verdicts: Sequence[Verdict]) -> dict[str, Any]:
        """Return what the metadata hold beside the verdicts."""
        return (
            {self.statements_key: [verdict.statement for verdict in verdicts]} if self.statements_key else {}
        )
