"""Has a mean fallen below a floor? An alarm on a stream of scores, with a stated time to a false alarm.

For a bet λ the evidence grows by each score x in [0, 1]:

    M = (M + 1) · (1 + λ (floor - x))

While the mean is at or above the floor, given the past, each factor is at most 1 on average, so M minus the number of
scores is a supermartingale: the expected number of scores until M reaches `run_length` is at least `run_length`, looked
at as often as one likes. The evidence is the average over several bets, for which the same holds: small bets find small
falls. A fall is taken to begin where Page's cumulative sum of (floor - x), never let below 0, was 0 for the last time
(1954, Biometrika 41:100).
Source: Shin, Ramdas and Rinaldo (2022), "E-detectors", arXiv:2203.03532; the Shiryaev-Roberts type.
"""

from dataclasses import dataclass, replace
from typing import Self

from ragstone.errors import BadOption

_BETS = (1.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16)


@dataclass(frozen=True, slots=True)
class FallAlarm:
    """State of an alarm after some scores; immutable.

    Attributes:
        floor: the mean that is good enough, in (0, 1).
        run_length: lower bound on the expected number of scores between false alarms.
        evidence: one number for each bet.
        count: number of scores so far.
        total: sum of these scores.
        low_count: number of scores since the estimated beginning of the fall; 0 without a fall.
        low_total: sum of the scores since then.
    """

    floor: float
    run_length: float
    evidence: tuple[float, ...] = (0.0,) * len(_BETS)
    count: int = 0
    total: float = 0.0
    low_count: int = 0
    low_total: float = 0.0

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            BadOption: the floor is not between 0 and 1, or the run length is below 1.
        """
        if not 0 < self.floor < 1:
            raise BadOption(f"below={self.floor!r}: write a score between 0 and 1.")
        if not self.run_length >= 1:
            raise BadOption(f"run_length={self.run_length!r}: write a number of scores, such as 20000.")

    def add(self, score: float) -> Self:
        """Return the alarm after one more score, in [0, 1]."""
        max_bet = 1 / (2 * (1 - self.floor))
        evidence = tuple(
            (previous + 1) * (1 + max_bet * bet * (self.floor - score))
            for previous, bet in zip(self.evidence, _BETS, strict=True)
        )
        low_count, low_total = self.low_count + 1, self.low_total + score
        if low_total >= low_count * self.floor:
            low_count, low_total = 0, 0.0
        return replace(
            self,
            evidence=evidence,
            count=self.count + 1,
            total=self.total + score,
            low_count=low_count,
            low_total=low_total,
        )

    @property
    def raised(self) -> bool:
        """Whether the evidence has reached the run length."""
        return sum(self.evidence) / len(self.evidence) >= self.run_length

    @property
    def mean(self) -> float | None:
        """The mean of the scores since the alarm began; None without any."""
        return self.total / self.count if self.count else None

    def restarted(self) -> Self:
        """Return the alarm without any evidence."""
        return type(self)(self.floor, self.run_length)
