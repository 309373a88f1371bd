"""A token bucket: at most so much in any minute, evenly spread. The caller passes the time."""

from dataclasses import dataclass, field

_AT_ONCE = 0.02
"""Share of a minute's allowance that may be spent at once; the rest flows in evenly."""


@dataclass(slots=True)
class TokenBucket:
    """An allowance that flows in while time passes.

    What may be spent at once and what flows in during a minute add up to `per_minute`, so that no window of a minute,
    wherever the server begins to count it, sees more. It may be overdrawn: what an answer takes is known late.

    Attributes:
        per_minute: how much may be spent in a minute.
    """

    per_minute: float
    _level: float = field(init=False)
    _time: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Begin full."""
        self._level = self.most

    @property
    def most(self) -> float:
        """What may be spent at once."""
        return max(min(1.0, self.per_minute), _AT_ONCE * self.per_minute)

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until `amount`, or all that fits in, may be spent."""
        self._flow(now)
        lacking = min(amount, self.most) - self._level
        return max(0.0, lacking / self._per_second)

    def spend(self, amount: float, now: float) -> None:
        """Take `amount` out, also more than there is; a negative amount is given back."""
        self._flow(now)
        self._level = min(self.most, self._level - amount)

    @property
    def _per_second(self) -> float:
        return max(self.per_minute - self.most, self.per_minute / 2) / 60

    def _flow(self, now: float) -> None:
        if self._time is not None:
            self._level = min(self.most, self._level + max(0.0, now - self._time) * self._per_second)
        self._time = now
