"""Format numbers for people, with the same digits in every rendering."""

_MIN_DIGITS = 2
_MAX_DIGITS = 6
_ONE_HUNDREDTH = 0.01


def score(value: float, threshold: float | None = None) -> str:
    """Return a score with two digits, more where two would put it on the wrong side of 0, 1 or the threshold."""
    landmarks = [0.0, 1.0] if threshold is None else [0.0, 1.0, threshold]
    for digits in range(_MIN_DIGITS, _MAX_DIGITS):
        if all(_side(round(value, digits), mark) == _side(value, mark) for mark in landmarks):
            return f"{value:.{digits}f}"
    return f"{value:.{_MIN_DIGITS}f}"


def _side(value: float, mark: float) -> int:
    distance = value - mark
    return 0 if abs(distance) < 1e-9 else 1 if distance > 0 else -1  # noqa: PLR2004  (the tolerance of thresholds)


def percent(share: float) -> str:
    """Return a share in percent; 100 and 0 only where it is exactly that."""
    if 0 < share < _ONE_HUNDREDTH:
        return "<1 %"
    if 1 - _ONE_HUNDREDTH < share < 1:
        return ">99 %"
    return f"{share:.0%}".replace("%", " %")


def dollars(cost: float | None) -> str:
    """Return US dollars; `price unknown` for None."""
    if cost is None:
        return "price unknown"
    if 0 < cost < _ONE_HUNDREDTH:
        return f"${cost:.4f}"
    return f"${cost:,.2f}"


def duration(seconds: float) -> str:
    """Return seconds as `0.4 s`, `34 s`, `12 min 5 s`, `3 h 20 min`."""
    if seconds < 10:  # noqa: PLR2004  (below ten seconds the tenths matter)
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes_left = divmod(minutes, 60)
    return f"{hours} h {minutes_left} min" if hours else f"{minutes} min {rest} s"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Return `1 case`, `1,200 cases`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def p_value(value: float) -> str:
    """Return a p-value with three decimals, or `p < 0.001`."""
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"  # noqa: PLR2004  (what a reader can use)
