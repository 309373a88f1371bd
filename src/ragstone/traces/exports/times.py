"""Timestamps of exports, converted to nanoseconds since 1970."""

from datetime import UTC, datetime

_MIN_MILLISECONDS = 1e11
_MIN_MICROSECONDS = 1e14
_MIN_NANOSECONDS = 1e17
_MAX_NANOSECONDS = 2**64
"""Smallest numbers that are read as these units, for any time between 1973 and the year 5000."""


def nanoseconds(value: object) -> int:
    """Return a timestamp in nanoseconds, read from ISO 8601 (UTC without a zone) or a number of s, ms, µs or ns.

    A value that is not a timestamp gives 0.
    """
    if isinstance(value, bool) or value is None:
        return 0
    if isinstance(value, str):
        return _from_digits(value) if value.isdigit() else _from_iso(value)
    return _from_number(value) if isinstance(value, int | float) else 0


def _from_digits(text: str) -> int:
    return _from_number(int(text)) if len(text) <= 20 else 0  # noqa: PLR2004  (nanoseconds have 19)


def _from_number(value: float) -> int:
    if not 0 <= value < _MAX_NANOSECONDS:
        return 0
    scale = (
        1
        if value >= _MIN_NANOSECONDS
        else 10**3
        if value >= _MIN_MICROSECONDS
        else 10**6
        if value >= _MIN_MILLISECONDS
        else 10**9
    )
    return int(value * scale)


def _from_iso(text: str) -> int:
    try:
        parsed = datetime.fromisoformat(text.strip())
    except ValueError:
        return 0
    moment = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    elapsed = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (elapsed.days * 86_400 + elapsed.seconds) * 10**9 + elapsed.microseconds * 1000
