"""The exam of a judge: its verdicts on the packaged cases, whose right verdicts are known."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ragstone.case import TestCase
from ragstone.findings.judge_card import JudgeReport
from ragstone.findings.registry import Renderable
from ragstone.findings.report import Report
from ragstone.findings.stored import report_from_store
from ragstone.result import Result
from ragstone.stats.exam import ExamFigure, exam_figure
from ragstone.status import Status
from ragstone.store import Store
from ragstone.store.read.runs import RunQuery

DATASET, TAG = "exam", "exam"
"""The packaged dataset of the exam, and the tag of its runs in the store."""

METRICS = ("answer_acceptance", "context_sufficiency(k=2)")
"""What the judge is examined with: both read one review of the case."""

LEAST_CASES = 40
"""Cases that an exam must have had to be quoted later."""


@dataclass(frozen=True, kw_only=True)
class ExamReport(Renderable):
    """The exam of a judge.

    Attributes:
        report: the run over the cases of the exam.
        biases: its bias and consistency; None where they were not tested.
    """

    subject: ClassVar = "exam"

    report: Report
    biases: JudgeReport | None = None

    @property
    def judge(self) -> str:
        """The name of the judge."""
        return self.report.run.plan.judge

    @property
    def answers(self) -> ExamFigure:
        """What it says of the answers."""
        return self._figure(0, "answer", "acceptable")

    @property
    def contexts(self) -> ExamFigure:
        """What it says of the passages: is what a right answer needs among them, and near the top?"""
        return self._figure(1, "context", "sufficient")

    @property
    def missed_flaws(self) -> Counter[str]:
        """The kinds of flaws in answers that it passes, with their number."""
        rows = zip(self.report.cases, self.report.results, strict=True)
        return _flaws(case for case, results in rows if _at(results, 0) == "passed")

    @property
    def flaws(self) -> Counter[str]:
        """The kinds of flaws in the answers of the exam, with their number."""
        return _flaws(self.report.cases)

    @property
    def calls(self) -> int:
        """Judge calls that it took."""
        return self.report.usage.calls

    def sentence(self) -> str:
        """Return the outcome in one line, as the reports of the judge quote it."""
        found = self.answers
        if not found.decided:
            return f"In its exam, {self.judge} decided none of {found.n} cases: not fit."
        left = f", {found.undecided} undecided" if found.undecided else ""
        failed = f", {found.not_measured} not measured" if found.not_measured else ""
        return (
            f"In its exam, {self.judge} flagged {found.flawed_flagged} of {found.flawed} flawed and "
            f"{found.sound_flagged} of {found.sound} sound answers{left}{failed}: {found.fitness}."
        )

    def _figure(self, place: int, name: str, good: str) -> ExamFigure:
        return exam_figure(
            [case.metadata[name] == good for case in self.report.cases],
            [_at(results, place) for results in self.report.results],
        )


def _flaws(cases: Iterable[TestCase]) -> Counter[str]:
    flaws = (case.metadata.get("flaw") for case in cases)
    return Counter(str(flaw) for flaw in flaws if flaw is not None)


def _at(results: Sequence[Result], place: int) -> Status | None:
    return results[place].status if place < len(results) else None


def last_exam(store: Store, judge: str) -> ExamReport | None:
    """Return the last complete exam of a judge in a store; None if there is none of enough cases."""
    lines = store.history(RunQuery(tag=TAG, judge=judge, state="complete")).lines
    for line in lines:
        if (line.judge, line.dataset) == (judge, DATASET) and line.cases >= LEAST_CASES:
            return ExamReport(report=report_from_store(store, store.find_exact(line.id)))
    return None
