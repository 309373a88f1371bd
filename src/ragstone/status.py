"""What becomes of a measurement: five words, the same on every surface."""

from typing import Literal, get_args

Status = Literal["passed", "missed", "undecided", "not_measured", "skipped"]
"""What became of a measurement: the score passed its threshold or missed it; the judge could not decide which; an error
prevented a score; or there was nothing to measure and it was asked to skip."""

STATUSES: tuple[Status, ...] = get_args(Status)
"""All statuses, in the order in which surfaces list them."""

STATUS_WORDS: dict[Status, str] = {status: status.replace("_", " ") for status in STATUSES}
"""The words that people read."""

SUMMARY_WORDS: dict[Status | None, str] = {
    "passed": "PASS",
    "missed": "FAIL",
    "undecided": "UNDECIDED",
    "not_measured": "NOT MEASURED",
    "skipped": "SKIPPED",
    None: "NO THRESHOLD",
}
"""The words of `Result.summary` and of an assertion's message."""
