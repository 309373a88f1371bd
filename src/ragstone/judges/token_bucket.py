"""A token bucket: it limits the amount spent in any minute, and spreads it evenly. The caller passes the time."""

from dataclasses import dataclass, field

_BURST_SHARE = 0.02
"""Share of a minute's allowance that may be spent at once; the rest is refilled evenly."""


@dataclass(slots=True)
class TokenBucket:
    """A token bucket that is refilled as time passes.

    The capacity and the refill of one minute add up to `per_minute`, so that no window of a minute exceeds it, wherever
    the server begins to count. The level may become negative, since the tokens of an answer are known late.

    Attributes:
        per_minute: how much may be spent in a minute.
    """

    per_minute: float
    _level: float = field(init=False)
    _time: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Start with a full bucket."""
        self._level = self.most

    @property
    def most(self) -> float:
        """The capacity: the amount that may be spent at once."""
        return max(min(1.0, self.per_minute), _BURST_SHARE * self.per_minute)

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until `amount`, or the capacity if that is less, may be spent."""
        self._refill(now)
        lacking = min(amount, self.most) - self._level
        return max(0.0, lacking / self._per_second)

    def spend(self, amount: float, now: float) -> None:
        """Subtract `amount`, even if the level becomes negative; a negative amount is added back."""
        self._refill(now)
        self._level = min(self.most, self._level - amount)

    @property
    def _per_second(self) -> float:
        return max(self.per_minute - self.most, self.per_minute / 2) / 60

    def _refill(self, now: float) -> None:
        if self._time is not None:
            self._level = min(self.most, self._level + max(0.0, now - self._time) * self._per_second)
        self._time = now
