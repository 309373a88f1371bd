"""Sampling of traces for the second judge and for human review.

The hash of the unit's id decides, so that every worker selects the same traces.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.case import TestCase
from ragstone.errors import BadOption
from ragstone.metric_label import base_name
from ragstone.result import Result
from ragstone.stats.hash_sampling import hash_uniform
from ragstone.watch.plan import SamplePart

_SECONDS_PER_HOUR, _DAY_HOURS = 3600.0, 24
_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
_CONDITION = re.compile(r"\s*([\w.]+)\s*(<=|>=|!=|=|<|>)\s*(.+?)\s*")
_LOCAL_PREFIX = "local."


@dataclass(frozen=True, slots=True)
class BoostCondition:
    """A condition on a test case, such as `release = 2.1`, `latency_ms > 5000` or `local.faithfulness < 0.5`.

    The name is one of the test case's metadata, or `local.` and a metric of the judge of all traces.
    """

    name: str
    sign: str
    value: float | str

    @classmethod
    def parse(cls, text: str) -> "BoostCondition":
        """Return the condition that a text describes. Raises BadOption: the text is not a condition."""
        match = _CONDITION.fullmatch(text)
        if match is None:
            raise BadOption(
                f"{text!r} is not a condition. Write NAME < VALUE, such as local.faithfulness < 0.5."
            )
        try:
            return cls(match[1], match[2], float(match[3]))
        except ValueError:
            return cls(match[1], match[2], match[3].strip("\"'"))

    def holds(self, case: TestCase, results: Sequence[Result]) -> bool:
        """Return whether the condition holds; False where there is no value to compare."""
        if self.name.startswith(_LOCAL_PREFIX):
            metric = self.name.removeprefix(_LOCAL_PREFIX)
            actual: Any = next((r.score for r in results if base_name(r.spec) == metric), None)
        else:
            actual = (case.metadata or {}).get(self.name)
        if actual is None:
            return False
        is_number = isinstance(actual, int | float) and isinstance(self.value, float)
        return _OPERATORS[self.sign](
            actual if is_number else str(actual), self.value if is_number else str(self.value)
        )


class Draw:
    """Draws traces according to the design of a sample."""

    def __init__(self, design: SamplePart, people: float | None = None) -> None:
        """Parse the conditions; `people` is the share drawn for human review as well.

        Raises:
            BadOption: a condition cannot be parsed.
        """
        self._design = design
        self.people = people or 0.0
        self._boosts = [(BoostCondition.parse(text), factor) for text, factor in design.boost.items()]

    def boost(self, case: TestCase, results: Sequence[Result]) -> float:
        """Return the factor on a trace's probability: the largest of the conditions that hold, at least 1."""
        return max([1.0, *(factor for condition, factor in self._boosts if condition.holds(case, results))])

    def probability(self, boost: float, rate: float) -> float:
        """Return the probability of drawing a trace with this boost at a rate."""
        return min(1.0, max(self._design.floor, self.people, rate * boost))

    def is_drawn(self, unit: str, probability: float) -> bool:
        """Return whether a trace, session or span is drawn; the answer is the same in every process."""
        return hash_uniform(self._design.salt, unit) < probability

    def is_for_people(self, unit: str) -> bool:
        """Return whether people are asked; the judge of the sample gets these units too."""
        return self.is_drawn(unit, self.people)

    def rate(self, state: Mapping[str, Any]) -> float:
        """Return the rate that the state of the watch holds."""
        return float(state.get("rate", {}).get("value", self._design.start))

    def next_rate(self, known: Mapping[str, Any], boosts: Sequence[float], now: float) -> dict[str, Any]:
        """Return the state of the rate after traces with these boosts; the rate changes once an hour.

        It is `per_day` divided by the sum of boosts of one day, estimated from the last 24 hours.
        """
        hour = int(now // _SECONDS_PER_HOUR)
        sums = {
            int(name): total for name, total in known.get("sums", {}).items() if int(name) > hour - _DAY_HOURS
        }
        value, since = known.get("value", self._design.start), known.get("hour", hour)
        past = {name: total for name, total in sums.items() if name < hour}
        if hour != since and past:
            boosts_per_day = sum(past.values()) / (hour - min(past)) * _DAY_HOURS
            value = min(1.0, self._design.per_day / boosts_per_day)
        sums[hour] = sums.get(hour, 0.0) + sum(boosts)
        return {"hour": hour, "value": value, "sums": {str(name): total for name, total in sums.items()}}
