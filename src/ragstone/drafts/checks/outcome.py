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
    """What a check found.

    Attributes:
        check: its name.
        verdict: yes, no, `?` where it could not be run, `-` where it does not apply.
        judge: who decided: `rules`, or the name of a judge.
        why: a few words on a verdict other than yes.
    """

    check: CheckName
    verdict: CheckVerdict
    judge: str = RULES
    why: str = ""

    def stored(self) -> dict[str, Any]:
        """Return it as it is written into a row."""
        found = {"verdict": self.verdict, "judge": self.judge}
        return {**found, "why": self.why} if self.why else found


def passed(check: CheckName, ok: object, why: str = "", judge: str = RULES) -> CheckOutcome:
    """Return yes where `ok`, else no with the reason."""
    return CheckOutcome(check, "yes" if ok else "no", judge, "" if ok else why)
