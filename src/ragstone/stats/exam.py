"""The exam of a judge: what it says of cases whose right verdict is known, and whether it is fit to decide cases.

    balanced accuracy = (share of the flawed cases that it flags + share of the sound ones that it passes) / 2

over the cases that it decides. Its interval combines the Wilson intervals of the two shares. A judge is fit to decide
cases if it decides at least half of them and the lower end of the interval is at least 0.8; fit for means only if that
end is above 0.6, so that a mean can be corrected by its errors; else it is not fit.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragstone.stats._checks import same_length
from ragstone.stats.interval import Interval, mean_of_two_rates, rate_interval
from ragstone.status import Status

Fitness = Literal["fit to decide cases", "fit for means only", "not fit"]
"""What the verdicts of a judge may be used for."""

_MIN_DECIDED = 0.5
_DECIDES, _FOR_MEANS = 0.8, 0.6


@dataclass(frozen=True, slots=True)
class ExamFigure:
    """What a judge said of cases whose right verdict is known.

    Attributes:
        flawed: cases that should miss.
        flawed_flagged: those of them that the judge lets miss.
        flawed_passed: those that it passes.
        sound: cases that should pass.
        sound_flagged: those of them that the judge lets miss.
        sound_passed: those that it passes.
        not_measured: cases without an answer of the judge; the other cases that it neither passes nor flags are
            undecided.
        balanced_accuracy: over the decided cases; None where it decides none of either kind.
        interval: 95 % interval of it; None likewise.
    """

    flawed: int
    flawed_flagged: int
    flawed_passed: int
    sound: int
    sound_flagged: int
    sound_passed: int
    not_measured: int
    balanced_accuracy: float | None
    interval: Interval | None

    @property
    def n(self) -> int:
        """All cases."""
        return self.flawed + self.sound

    @property
    def decided(self) -> int:
        """Cases that the judge passes or flags."""
        return self.flawed_flagged + self.flawed_passed + self.sound_flagged + self.sound_passed

    @property
    def right(self) -> int:
        """Decided cases with the right verdict."""
        return self.flawed_flagged + self.sound_passed

    @property
    def undecided(self) -> int:
        """Cases that the judge could not decide."""
        return self.n - self.decided - self.not_measured

    @property
    def fitness(self) -> Fitness:
        """What its verdicts may be used for."""
        low = 0.0 if self.interval is None else self.interval.low
        if low >= _DECIDES and self.decided >= _MIN_DECIDED * self.n:
            return "fit to decide cases"
        return "fit for means only" if low > _FOR_MEANS else "not fit"


def exam_figure(sound: Sequence[bool], statuses: Sequence[Status | None]) -> ExamFigure:
    """Return the figure of an exam.

    Args:
        sound: for each case whether it should pass.
        statuses: what the judge made of it: passed, missed, undecided, not_measured or skipped.

    Raises:
        ValueError: the lengths differ.
    """
    same_length(sound=sound, statuses=statuses)
    counts = Counter(zip(sound, statuses, strict=True))
    hits, misses = counts[False, "missed"], counts[False, "passed"]
    passes, alarms = counts[True, "passed"], counts[True, "missed"]
    accuracy, interval = None, None
    if hits + misses and passes + alarms:
        counted = ((hits, hits + misses), (passes, passes + alarms))
        rates = [(right / whole, rate_interval(right, whole)) for right, whole in counted]
        accuracy, decided = sum(rate for rate, _ in rates) / 2, hits + misses + passes + alarms
        interval = mean_of_two_rates(accuracy, rates, decided, decided)
    total = Counter(sound)
    return ExamFigure(
        flawed=total[False],
        flawed_flagged=hits,
        flawed_passed=misses,
        sound=total[True],
        sound_flagged=alarms,
        sound_passed=passes,
        not_measured=sum(status in {"not_measured", "skipped", None} for status in statuses),
        balanced_accuracy=accuracy,
        interval=interval,
    )
