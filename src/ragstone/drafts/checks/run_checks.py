"""Run all checks on one candidate: first the rules, then the judge, if there is one, for checks still open."""

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.complete import check_complete, check_necessary, check_supported
from ragstone.drafts.checks.form import (
    check_language,
    check_not_copied,
    check_self_contained,
    check_verbatim,
)
from ragstone.drafts.checks.outcome import CHECKS, CheckedCandidate, CheckName, CheckOutcome
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.judged.checks import JUDGED_CHECKS, DraftJudge


async def run_checks(
    candidate: DraftCandidate,
    index: CorpusIndex,
    withheld: frozenset[int],
    judge: DraftJudge | None,
    *,
    thorough: bool = False,
) -> CheckedCandidate:
    """Return the outcomes of the checks.

    The judge is asked only about candidates that no check has rejected so far; with `thorough`, about all.
    """
    by_rules = (
        check_verbatim(candidate, index),
        check_supported(candidate, index),
        check_necessary(candidate, index),
        check_self_contained(candidate),
        check_not_copied(candidate, index),
        check_language(candidate, index),
    )
    found: dict[CheckName, CheckOutcome] = {one.check: one for one in by_rules if one is not None}
    others: tuple[int, ...] = ()

    def goes_on() -> bool:
        return thorough or all(outcome.verdict != "no" for outcome in found.values())

    if goes_on() and (candidate.facts or judge is None):
        found["complete"], others = check_complete(candidate, index, withheld)
    if judge is not None and goes_on():
        if "complete" not in found:
            found["complete"], others = await judge.complete(candidate)
        for name in JUDGED_CHECKS if candidate.answerable else ():
            if name not in found and goes_on():
                found[name] = await judge.check(name, candidate)
    ordered = tuple(found.get(name) or _not_run(name, candidate) for name in CHECKS)
    return CheckedCandidate(candidate, ordered, others)


def _not_run(check: CheckName, candidate: DraftCandidate) -> CheckOutcome:
    """Return `-` for a check that does not apply to a question without an answer, `?` for one that was not run."""
    if not candidate.answerable and check in JUDGED_CHECKS:
        return CheckOutcome(check, "-")
    return CheckOutcome(check, "?", why="not run")
