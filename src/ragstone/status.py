"""What becomes of a measurement: five words, the same on every surface."""

from typing import Literal, get_args

Status = Literal["passed", "missed", "undecided", "not_measured", "skipped"]
"""What became of a measurement: the score passed its threshold or missed it; the judge could not decide which; an error
prevented a score; or there was nothing to measure and it was asked to skip."""

STATUSES: tuple[Status, ...] = get_args(Status)
"""All statuses, in the order in which surfaces list them."""

STATUS_WORDS: dict[Status | None, str] = {
    **{status: status.replace("_", " ") for status in STATUSES},
    None: "no threshold",
}
"""The words that people read."""

SUMMARY_WORDS: dict[Status | None, str] = {
    **{status: word.upper() for status, word in STATUS_WORDS.items()},
    "passed": "PASS",
    "missed": "FAIL",
}
"""The words of `Result.summary` and of an assertion's message."""
