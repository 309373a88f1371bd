"""The diagnosis of a run: one cause for each test case that missed, and the share of each cause.

No judge is called: the causes are derived from the results of the run. Shares are fractions of all test cases, with
intervals that hold for all causes together. They are based on the judge's verdicts and include the judge's mistakes.
A test case of which nothing missed and something is undecided is neither passed nor missed; nor is a skipped one.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from ragstone.case import TestCase
from ragstone.errors import BadOption
from ragstone.findings.clusters import check_cluster, clusters
from ragstone.findings.diagnosis.causes import CAUSES, Cause, CauseName
from ragstone.findings.diagnosis.documents import case_labels
from ragstone.findings.diagnosis.facts import CaseFacts, facts_to_explain
from ragstone.findings.diagnosis.rules import Evidence, find_cause
from ragstone.findings.diagnosis.similar import SimilarFailureSearch, find_similar_failures
from ragstone.findings.diagnosis.worth import MeasuredWorth
from ragstone.findings.load import load_report
from ragstone.findings.numbers import count, percent
from ragstone.findings.registry import Renderable
from ragstone.findings.report import Report
from ragstone.findings.view.refusals import is_correct
from ragstone.metric_label import base_name
from ragstone.stats.abstention import AbstentionFigures, abstention_figures
from ragstone.stats.corrected_shares import CorrectedShares
from ragstone.stats.estimate import Estimate
from ragstone.stats.interval import clustered_rate_interval
from ragstone.stats.shares import simultaneous_shares
from ragstone.stats.slices import SliceSearch, find_slices

PASSED, UNDECIDED, NOT_MEASURED, SKIPPED = "passed", "undecided", "not_measured", "skipped"
Outcome = CauseName | Literal["passed", "undecided", "skipped"]


@dataclass(frozen=True, slots=True)
class CaseDiagnosis:
    """The diagnosis of one test case.

    Attributes:
        place: its place in the run, from 0.
        case: the test case.
        cause: its cause; None where it passed, is undecided, or was skipped.
        evidence: the evidence for the cause; None where there is no cause.
        missed: the metrics that missed, or could not be measured.
        rest: what became of a test case without a cause: it passed; nothing missed, and the judge could not decide some
            metric; or all metrics were skipped, or lack a field.
    """

    place: int
    case: TestCase
    cause: Cause | None
    evidence: Evidence | None
    missed: tuple[str, ...]
    rest: Literal["passed", "undecided", "skipped"] = PASSED

    @property
    def outcome(self) -> Outcome:
        """The name of the cause; without one, `passed`, `undecided` or `skipped`."""
        return self.rest if self.cause is None else self.cause.name

    @property
    def has_missed(self) -> bool:
        """Whether it has a cause, other than that something could not be measured."""
        return self.cause is not None and self.cause.name != NOT_MEASURED


@dataclass(frozen=True, slots=True)
class CauseShare:
    """The share of one cause.

    Attributes:
        cause: the cause.
        count: test cases in which the judge found it.
        share: share of all test cases, with its interval; the intervals of all causes hold together. It is corrected by
            human checks if there are any.
        worth: the estimated pass rate of the decided test cases if the cause were mended. Test cases whose cause lies
            with the retriever, the corpus or between retriever and generator are then taken to pass as often as
            `Diagnosis.generator_rate`, if it is known; all others always.
        worth_most: the pass rate if all of these test cases passed.
        judged: the share by the judge alone, if human checks corrected it; otherwise None.
    """

    cause: Cause
    count: int
    share: Estimate
    worth: float
    worth_most: float
    judged: Estimate | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnosis(Renderable):
    """The causes behind the misses of a run.

    Attributes:
        report: the run.
        cases: every test case, in input order.
        shares: the causes that occur, the most frequent first.
        passed: share of test cases in which something was measured and all of it passed, with its 95 % interval.
        generator_rate: pass rate of the test cases in which nothing before the generator missed: their cause, if any,
            does not lie with the retriever, the corpus, the test set or the judge, or between retriever and generator.
            The pass rate after mending a cause of the retriever, of the corpus or in between is estimated from it. None
            if there is no such test case.
        abstention: figures on answers and refusals; None if no test case says whether it can be answered.
        cluster: key of the metadata by which test cases are grouped; None where they are not.
        slices: groups of test cases that miss more often than the others; None where test cases are grouped, since the
            test takes them as independent.
        notes: metrics that the run lacks for a more precise diagnosis, and limits of the embedded judge.
        checked: human checks that correct `shares` and `passed`; None without checks.
        judged_passed: share of test cases that passed by the judge alone, if checks corrected it; otherwise None.
        measured: gain from mending, measured with the application; None if the application was not called.
    """

    subject: ClassVar = "diagnosis"

    report: Report
    cases: tuple[CaseDiagnosis, ...]
    shares: tuple[CauseShare, ...]
    passed: Estimate
    generator_rate: float | None
    abstention: AbstentionFigures | None
    cluster: str | None
    slices: SliceSearch | None
    notes: tuple[str, ...]
    checked: CorrectedShares[Outcome] | None = None
    judged_passed: Estimate | None = None
    measured: MeasuredWorth | None = None

    def __repr__(self) -> str:
        return f"<Diagnosis of {len(self.cases)} cases: {self.verdict}>"

    @property
    def missed(self) -> tuple[CaseDiagnosis, ...]:
        """The test cases that missed a threshold."""
        return tuple(case for case in self.cases if case.has_missed)

    @property
    def undecided(self) -> int:
        """How many test cases are undecided: nothing missed, and the judge could not decide some metric."""
        return sum(case.outcome == UNDECIDED for case in self.cases)

    @property
    def skipped(self) -> int:
        """In how many test cases all metrics were skipped."""
        return sum(case.outcome == SKIPPED for case in self.cases)

    @property
    def decided(self) -> int:
        """How many test cases are neither undecided nor skipped; pass rates after mending are shares of them."""
        return len(self.cases) - self.undecided - self.skipped

    @property
    def passed_of_decided(self) -> float:
        """The share of the decided test cases that passed; 0 where none is decided."""
        return (self.passed.value or 0.0) * len(self.cases) / self.decided if self.decided else 0.0

    @property
    def not_measured(self) -> int:
        """In how many test cases a metric that is needed to find the cause could not be measured."""
        return sum(case.outcome == NOT_MEASURED for case in self.cases)

    @property
    def measured_nothing(self) -> bool:
        """Whether no test case was measured."""
        return self.report.statuses() <= {"not_measured", "skipped"}

    @property
    def verdict(self) -> str:
        """The most frequent cause, and how many cases are undecided or were not measured, in one sentence."""
        if self.measured_nothing:
            return "Nothing was measured."
        others = {"undecided": self.undecided, "not measured": self.not_measured, "skipped": self.skipped}
        rest = (f"; {count(number, 'case')} {what}" for what, number in others.items() if number)
        return f"{self._first_cause}{''.join(rest)}."

    @property
    def _first_cause(self) -> str:
        first = next((share for share in self.shares if share.cause.name != NOT_MEASURED), None)
        if first is None:
            return "No test case missed a threshold"
        if self.checked is not None:
            return (
                f"{first.cause.name} ({first.cause.owner}) is the cause in {percent(first.share.value or 0.0)} of "
                "all cases, by people's checks"
            )
        return f"{first.count} of {count(len(self.missed), 'miss', 'misses')}: {first.cause.name} ({first.cause.owner})"

    @cached_property
    def by_owner(self) -> dict[str, int]:
        """The number of misses by the part of the system that is at fault, the most first."""
        counts = Counter[str]()
        for share in self.shares:
            counts[share.cause.owner] += share.count
        return dict(counts.most_common())

    @cached_property
    def similar(self) -> SimilarFailureSearch | None:
        """Groups of similar test cases that miss more often; None where test cases are grouped, as with slices."""
        if self.cluster is not None:
            return None
        missed = {case.place for case in self.missed}
        causes = [case.cause.name if case.cause and case.place in missed else None for case in self.cases]
        return find_similar_failures([case.case for case in self.cases], causes)

    def of_cause(self, name: str) -> tuple[CaseDiagnosis, ...]:
        """Return the test cases with a cause of that name, in input order."""
        return tuple(case for case in self.cases if case.outcome == name)


def explain(
    run: str | Path | Report,
    *,
    cluster: str | None = None,
    store: bool | str | Path | None = None,
) -> Diagnosis:
    """Find the cause of each missed test case of a run, by the first rule that holds.

    Nothing is measured and no judge is called. The causes that can be found depend on the metrics of the run; the
    preset `diagnosis` measures everything that they need.

    Args:
        run: a report, a `.json` file that `--output` wrote, or the id or name of a run in a store.
        cluster: metadata key by which the test cases are grouped; by default that of the run.
        store: the store of a run that is given by id or name; None for the file in the user's data folder.

    Raises:
        BadDataset: the file is missing, or no report.
        UsageError: there is no such run.
        BadOption: the report holds only results, or no test case, or no test case can be grouped.
        UnknownName: no case has that metadata key.
    """
    report = load_report(run, store)
    rows = [
        (case, facts_to_explain(case, row), is_correct(row))
        for case, row in zip(report.cases, report.results, strict=False)
    ]
    test_cases = [case for case, _, _ in rows]
    if not test_cases:
        raise BadOption("the run has no test case: there is nothing to explain")
    if not any(case.input for case in test_cases):
        raise BadOption(
            f"{report.run.id} contains only results, no test cases: name a .json report or a run in a store"
        )
    key = cluster or report.run.plan.cluster
    check_cluster(test_cases, key)
    groups = clusters(test_cases, key)
    cases = tuple(diagnose_case(place, case, case_facts) for place, (case, case_facts, _) in enumerate(rows))
    passed = [case.outcome == PASSED for case in cases]
    missed = [case.has_missed for case in cases]
    rate = _generator_rate(cases)
    return Diagnosis(
        report=report,
        cases=cases,
        shares=_shares(cases, groups, rate),
        passed=Estimate(sum(passed) / len(passed), clustered_rate_interval(passed, groups)),
        generator_rate=rate,
        abstention=_abstention(rows),
        cluster=key,
        slices=find_slices(case_labels(test_cases), missed) if groups is None else None,
        notes=tuple(_notes([case_facts for _, case_facts, _ in rows], report)),
    )


def diagnose_case(place: int, case: TestCase, facts: CaseFacts) -> CaseDiagnosis:
    """Return the diagnosis of one test case from its facts."""
    failed_metrics = tuple(result.metric for result in (*facts.missed, *facts.errors))
    if not failed_metrics:
        return CaseDiagnosis(place, case, None, None, (), facts.rest)
    name, evidence = find_cause(facts)
    return CaseDiagnosis(place, case, CAUSES[name], evidence, failed_metrics)


def _shares(
    cases: Sequence[CaseDiagnosis], groups: Sequence[Hashable] | None, rate: float | None
) -> tuple[CauseShare, ...]:
    labels = [case.outcome for case in cases]
    estimates = simultaneous_shares(labels, [PASSED, UNDECIDED, SKIPPED, *CAUSES], clusters=groups)
    passed_share = labels.count(PASSED) / len(labels)
    decided = 1 - (labels.count(UNDECIDED) + labels.count(SKIPPED)) / len(labels)
    counts = [(cause, labels.count(cause.name)) for cause in CAUSES.values()]
    shares = [
        cause_share(cause, count, estimates[cause.name], passed_share, rate, decided)
        for cause, count in counts
        if count
    ]
    return tuple(sorted(shares, key=lambda share: -share.count))


def cause_share(  # noqa: PLR0917  (the figures of one cause)
    cause: Cause,
    count: int,
    share: Estimate,
    passing: float,
    rate: float | None,
    decided: float,
    judged: Estimate | None = None,
) -> CauseShare:
    """Return the share of a cause with the pass rates if it were mended.

    `passing` is the share of test cases that pass now, `decided` that of the decided ones, and `rate` the pass rate of
    the generator where retrieval worked; for the others, see `CauseShare`.
    """
    value = share.value or 0.0
    would_pass = rate if cause.owner in ("retriever", "between", "corpus") and rate is not None else 1.0
    worth, most = (min(1.0, (passing + value * part) / decided) for part in (would_pass, 1.0))
    return CauseShare(cause, count, share, worth, most, judged)


def _generator_rate(cases: Sequence[CaseDiagnosis]) -> float | None:
    """Return the pass rate of the decided test cases in which nothing before the generator missed."""
    upstream = ("retriever", "between", "corpus", "test set", "judge")
    decided = [case for case in cases if case.outcome not in (UNDECIDED, SKIPPED)]
    unaffected = [case for case in decided if case.cause is None or case.cause.owner not in upstream]
    return sum(case.cause is None for case in unaffected) / len(unaffected) if unaffected else None


def _abstention(rows: Sequence[tuple[TestCase, CaseFacts, bool | None]]) -> AbstentionFigures | None:
    known = ((facts, right) for _, facts, right in rows if facts.answerable is not None)
    outcomes = [(facts.answerable, facts.declined, right) for facts, right in known]
    return abstention_figures(*zip(*outcomes, strict=True)) if outcomes else None


def _notes(facts: Sequence[CaseFacts], report: Report) -> Iterator[str]:
    missed = [case_facts for case_facts in facts if case_facts.missed or case_facts.errors]
    if any(case_facts.claims is None for case_facts in missed):
        yield (
            "Not every answer's claims are known: measure the preset `diagnosis` to tell misread, distracted and "
            "invented apart."
        )
    elif missed and "faithfulness" not in map(base_name, report.run.plan.metrics):
        yield ("No result says which passage contradicts a claim: measure `faithfulness` to detect misread.")
    if any(case_facts.has_reference and case_facts.expected is None for case_facts in missed):
        yield (
            "Not every expected claim was looked for in the passages: measure `contextual_recall` or "
            "`rag_checker` to detect missed."
        )
    if report.run.plan.judge == "local":
        yield ("The embedded judge found the causes and makes mistakes. Check a few by hand.")
