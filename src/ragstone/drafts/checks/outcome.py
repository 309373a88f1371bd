"""The outcome of a check on a candidate."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

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
