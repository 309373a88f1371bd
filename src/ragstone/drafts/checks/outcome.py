"""The outcomes of the checks on a candidate; `?` means that a check could not be run."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from ragstone.drafts.candidate import DraftCandidate

CheckName = Literal[
    "verbatim",
    "supported",
    "round_trip",
    "closed_book",
    "necessary",
    "complete",
    "self_contained",
    "not_copied",
    "language",
]

CHECKS: tuple[CheckName, ...] = get_args(CheckName)
CheckVerdict = Literal["yes", "no", "?", "-"]
"""Passed, failed, could not be run, does not apply to this kind of question."""

TAGGED: frozenset[CheckName] = frozenset({"closed_book"})
"""Checks whose failure marks a question instead of rejecting it."""

RULES = "rules"


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """The outcome of one check.

    Attributes:
        check: the name of the check.
        verdict: yes, no, `?` if it could not be run, `-` if it does not apply.
        judge: `rules`, or the name of the judge that decided.
        why: a short reason for a verdict other than yes.
    """

    check: CheckName
    verdict: CheckVerdict
    judge: str = RULES
    why: str = ""

    def stored(self) -> dict[str, Any]:
        """Return the outcome as it is stored in a row."""
        values = {"verdict": self.verdict, "judge": self.judge}
        return {**values, "why": self.why} if self.why else values


def passed(check: CheckName, ok: object, why: str = "", judge: str = RULES) -> CheckOutcome:
    """Return the outcome `yes` if `ok`, else `no` with the reason."""
    return CheckOutcome(check, "yes" if ok else "no", judge, "" if ok else why)


@dataclass(frozen=True, slots=True)
class CheckedCandidate:
    """A candidate, the outcomes of its checks in their order, and the other passages that also answer it."""

    candidate: DraftCandidate
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

    @property
    def passes(self) -> int:
        """Number of checks that passed."""
        return sum(outcome.verdict == "yes" for outcome in self.outcomes)
