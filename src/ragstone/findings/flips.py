"""Causes of the test cases that flipped between two runs: before, after, and the passages that left and entered."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ragstone.case import TestCase
from ragstone.findings.comparison.model import RunComparison
from ragstone.findings.diagnosis.documents import passage_documents, relevant_documents
from ragstone.findings.diagnosis.facts import read_facts
from ragstone.findings.diagnosis.model import diagnose_case
from ragstone.findings.registry import Renderable


@dataclass(frozen=True, slots=True)
class FlippedCase:
    """A test case that passed a metric in one run and missed it in the other.

    Attributes:
        case: the test case in the later run.
        broke: whether it passed before and fails now, in at least one metric; False if it was mended.
        metrics: the metrics in which it flipped.
        before: the cause in the earlier run, or `passed`.
        after: the cause in the later run, or `passed`.
        evidence: evidence for the cause in the run in which it missed.
        document: the document that contains the answer; empty if it is not known.
        left: documents of which only the earlier run retrieved a passage; passages if no ids are given.
        entered: documents of which only the later run retrieved a passage.
    """

    case: TestCase
    broke: bool
    metrics: tuple[str, ...]
    before: str
    after: str
    evidence: str
    document: str
    left: tuple[str, ...]
    entered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlipGroup:
    """Flipped test cases with the same cause in the same document.

    Attributes:
        cause: the cause in the run in which they missed.
        document: the document; empty if it is not known.
        broke: whether they broke or were mended.
        count: number of test cases.
        gone: number of them in which the document is no longer retrieved.
    """

    cause: str
    document: str
    broke: bool
    count: int
    gone: int


@dataclass(frozen=True, kw_only=True, repr=False)
class ExplainedComparison(Renderable):
    """A comparison with the causes of its flipped test cases.

    Attributes:
        comparison: the comparison of two runs.
        flipped: the test cases that flipped, those that broke first.
        groups: the same by cause and document, the largest first.
    """

    subject: ClassVar = "flips"

    comparison: RunComparison
    flipped: tuple[FlippedCase, ...]
    groups: tuple[FlipGroup, ...]

    def __repr__(self) -> str:
        return f"<ExplainedComparison of {len(self.flipped)} flipped cases: {self.verdict}>"

    @property
    def broke(self) -> tuple[FlippedCase, ...]:
        """The test cases that broke."""
        return tuple(flip for flip in self.flipped if flip.broke)

    @property
    def verdict(self) -> str:
        """The most frequent cause and document of the test cases that broke, in one sentence."""
        largest = next((group for group in self.groups if group.broke), None)
        return "No test case broke." if largest is None else group_sentence(largest, len(self.broke))

    def regressions(self) -> tuple[TestCase, ...]:
        """Return the test cases that broke, each tagged `critical`, so that `gate` is red if one of them breaks."""
        return tuple(
            flip.case.model_copy(update={"tags": tuple(dict.fromkeys((*flip.case.tags, "critical")))})
            for flip in self.broke
        )


def group_sentence(group: FlipGroup, total: int) -> str:
    """Return a sentence on a group: its part of all cases that broke or were mended, its cause and its document."""
    what = "broke" if group.broke else "were mended"
    where = f" in {group.document}" if group.document else ""
    text = f"{group.count} of {total} {what}: {group.cause}{where}"
    return f"{text}; in {group.gone} of them it is no longer retrieved." if group.gone else f"{text}."


def explain_flips(comparison: RunComparison) -> ExplainedComparison:
    """Find the causes of the test cases that flipped between two runs. No judge is called.

    Args:
        comparison: the result of `ragstone.compare`.
    """
    places = {after: before for before, after in comparison.matched.cases.pairs}
    metrics: dict[str, list[str]] = {}
    broke: set[str] = set()
    for metric in comparison.metrics:
        for flip in metric.flips:
            metrics.setdefault(flip.case_id, []).append(metric.name)
            if flip.broke:
                broke.add(flip.case_id)
    flipped = [
        _flipped_case(comparison, places[place], place, tuple(metrics[case.id]), broke=case.id in broke)
        for place, case in enumerate(comparison.after.cases)
        if case.id in metrics and place in places
    ]
    flipped.sort(key=lambda flip: not flip.broke)
    return ExplainedComparison(comparison=comparison, flipped=tuple(flipped), groups=_groups(flipped))


def _flipped_case(
    comparison: RunComparison, before: int, after: int, metrics: tuple[str, ...], *, broke: bool
) -> FlippedCase:
    old, new = (
        diagnose_case(place, report.cases[place], read_facts(report.cases[place], report.results[place]))
        for report, place in ((comparison.before, before), (comparison.after, after))
    )
    failing = new if broke else old
    old_documents, new_documents = _retrieved(old.case), _retrieved(new.case)
    answer_documents = relevant_documents(new.case) or relevant_documents(old.case)
    return FlippedCase(
        case=new.case,
        broke=broke,
        metrics=metrics,
        before=old.outcome,
        after=new.outcome,
        evidence=failing.evidence.sentence if failing.evidence else "",
        document=answer_documents[0] if answer_documents else "",
        left=tuple(name for name in old_documents if name not in new_documents),
        entered=tuple(name for name in new_documents if name not in old_documents),
    )


def _retrieved(case: TestCase) -> tuple[str, ...]:
    """Return the documents that were retrieved; the passages themselves where no ids are given."""
    return tuple(dict.fromkeys(passage_documents(case))) or tuple(case.retrieval_context or ())


def _groups(flipped: Sequence[FlippedCase]) -> tuple[FlipGroup, ...]:
    counts: Counter[tuple[str, str, bool]] = Counter()
    gone: Counter[tuple[str, str, bool]] = Counter()
    for flip in flipped:
        key = (flip.after if flip.broke else flip.before, flip.document, flip.broke)
        counts[key] += 1
        gone[key] += bool(flip.broke and flip.document and flip.document in flip.left)
    rows = [FlipGroup(*key, count=n, gone=gone[key]) for key, n in counts.items()]
    return tuple(sorted(rows, key=lambda group: (not group.broke, -group.count, group.cause, group.document)))
