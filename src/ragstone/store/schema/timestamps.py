"""The time, as the store writes it down: UTC, so that texts in order are times in order."""

from datetime import UTC, datetime


def now() -> str:
    """Return the time now."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def age(then: str) -> float:
    """Return how many seconds ago a time was; infinity where none is written down."""
    return (datetime.now(UTC) - datetime.fromisoformat(then)).total_seconds() if then else float("inf")
