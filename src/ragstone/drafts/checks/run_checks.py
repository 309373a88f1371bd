"""Run all checks on one candidate: first the rules, then the judge, if there is one, for checks still open."""

from typing import NamedTuple, Protocol

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.complete import Completeness, check_complete
from ragstone.drafts.checks.form import (
    check_language,
    check_not_copied,
    check_self_contained,
    check_verbatim,
)
from ragstone.drafts.checks.outcome import CHECKS, CheckName, CheckOutcome
from ragstone.drafts.checks.support import check_necessary, check_supported
from ragstone.drafts.corpus.index import CorpusIndex

TAGGED: frozenset[CheckName] = frozenset({"closed_book"})
"""Checks whose failure marks a question instead of rejecting it."""


class CheckedCandidate(NamedTuple):
    """The outcomes of all checks in their order, and the other passages that also answer."""

    outcomes: tuple[CheckOutcome, ...]
    others: tuple[int, ...] = ()

    @property
    def failed(self) -> tuple[CheckName, ...]:
        """The checks that reject the candidate."""
        return tuple(
            outcome.check
            for outcome in self.outcomes
            if outcome.verdict == "no" and outcome.check not in TAGGED
        )


class JudgedChecks(Protocol):
    """The checks that a judge can run; see `judged.DraftJudge`."""

    async def supported(self, candidate: DraftCandidate) -> CheckOutcome:
        """Check that the expected output follows from the quotes."""
        ...

    async def necessary(self, candidate: DraftCandidate) -> CheckOutcome:
        """Check that each passage is needed."""
        ...

    async def complete(self, candidate: DraftCandidate) -> Completeness:
        """Find the other passages that answer."""
        ...

    async def round_trip(self, candidate: DraftCandidate) -> CheckOutcome:
        """Check that an answer from the quotes matches the expected output."""
        ...

    async def closed_book(self, candidate: DraftCandidate) -> CheckOutcome:
        """Check that the model cannot answer without the quotes."""
        ...


async def run_checks(
    candidate: DraftCandidate,
    index: CorpusIndex,
    withheld: frozenset[int],
    judge: JudgedChecks | None,
    *,
    thorough: bool = False,
) -> CheckedCandidate:
    """Return the outcomes of the checks.

    The judge is asked only about candidates that no check has rejected so far; with `thorough`, about all.
    """
    supported, necessary = check_supported(candidate, index), check_necessary(candidate, index)
    results: list[CheckOutcome | None] = [
        check_verbatim(candidate, index),
        supported,
        necessary,
        check_self_contained(candidate),
        check_not_copied(candidate, index),
        check_language(candidate, index),
    ]
    complete = Completeness(_not_run("complete"))
    rejected = _any_failed(results) and not thorough
    if not rejected and (candidate.facts or judge is None):
        complete = check_complete(candidate, index, withheld)
        rejected = complete.outcome.verdict == "no" and not thorough
    if not rejected and judge is not None:
        results, complete = await _ask_judge(candidate, judge, results, complete, thorough)
    by_check = {outcome.check: outcome for outcome in (*results, complete.outcome) if outcome is not None}
    ordered = tuple(by_check.get(name) or _default_outcome(name, candidate) for name in CHECKS)
    return CheckedCandidate(ordered, complete.others)


async def _ask_judge(
    candidate: DraftCandidate,
    judge: JudgedChecks,
    results: list[CheckOutcome | None],
    complete: Completeness,
    thorough: bool,  # noqa: FBT001
) -> tuple[list[CheckOutcome | None], Completeness]:
    """Ask the judge about the open checks one by one; unless `thorough`, stop after the first failure."""
    checked = {outcome.check for outcome in results if outcome is not None}
    if complete.outcome.verdict == "?":
        complete = await judge.complete(candidate)
    if candidate.answerable and (thorough or complete.outcome.verdict != "no"):
        if "supported" not in checked:
            results.append(await judge.supported(candidate))
        if "necessary" not in checked and (thorough or not _any_failed(results)):
            results.append(await judge.necessary(candidate))
        if thorough or not _any_failed(results):
            results.append(await judge.round_trip(candidate))
        if thorough or not _any_failed(results):
            results.append(await judge.closed_book(candidate))
    return results, complete


def _any_failed(results: list[CheckOutcome | None]) -> bool:
    return any(outcome is not None and outcome.verdict == "no" for outcome in results)


def _not_run(check: CheckName) -> CheckOutcome:
    return CheckOutcome(check, "?", why="not run")


def _default_outcome(check: CheckName, candidate: DraftCandidate) -> CheckOutcome:
    """Return `-` for a check that does not apply to a question without an answer, `?` for one that was not run."""
    if not candidate.answerable and check in ("supported", "round_trip", "closed_book", "necessary"):
        return CheckOutcome(check, "-")
    return _not_run(check)
