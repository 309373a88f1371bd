"""The alarms of a watch, as plain values that its state keeps: their evidence, and the status that was reported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragstone.metric_label import base_name
from ragstone.result import Result
from ragstone.stats.fall_alarm import FallAlarm
from ragstone.watch.plan import AlarmPart

OK, ALARM = "ok", "alarm"
_MIN_RECOVERY_SCORES = 100
"""Number of scores after an alarm that end it if their mean is at or above the floor."""


@dataclass(frozen=True, slots=True)
class AlarmState:
    """State of an alarm after some scores.

    Attributes:
        alarm: the alarm in the plan.
        status: `ok` or `alarm`.
        known: the evidence since the alarm began or changed.
        changes: number of changes of the status.
        changed: time of the last change, seconds since 1970; None without one.
        reason: summary of the scores at the last change; empty without one.
    """

    alarm: AlarmPart
    status: str
    known: FallAlarm
    changes: int
    changed: float | None = None
    reason: str = ""

    @property
    def line(self) -> str:
        """The state in one line, with one mean or share: of an alarm that of the scores since it began."""
        told = self.alarm.describe(crossed=self.status == ALARM, was=False)
        if self.status == ALARM:
            return f"{told}: {self.reason}"
        if self.known.mean is None:
            return f"{told}: no score yet"
        return f"{told}: {_told(self.alarm, self.known.mean, self.known.count, ' of {count} scores')}"

    def add(self, score: float, now: float) -> "AlarmState":
        """Return the state after one more score, which came at `now`, seconds since 1970."""
        fall = self.known.add(score)
        if self.status == OK and fall.raised:
            return self._change(ALARM, fall, now, _fall_summary(self.alarm, fall))
        if self.status == ALARM and fall.count >= _MIN_RECOVERY_SCORES:
            if (fall.mean or 0.0) >= self.alarm.floor:
                reason = _told(self.alarm, fall.mean or 0.0, fall.count, " of {count} scores")
                return self._change(OK, fall, now, reason)
            fall = fall.restarted()
        return replace(self, known=fall)

    def _change(self, status: str, fall: FallAlarm, now: float, reason: str) -> "AlarmState":
        return AlarmState(self.alarm, status, fall.restarted(), self.changes + 1, now, reason)

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON values."""
        fall = self.known
        state = {name: getattr(self, name) for name in ("status", "changes", "changed", "reason")}
        sums = {"evidence": list(fall.evidence), "count": fall.count, "total": fall.total}
        return {**state, **sums, "low": [fall.low_count, fall.low_total]}


def read_alarms(alarms: Sequence[AlarmPart], state: Mapping[str, Any]) -> list[AlarmState]:
    """Return the alarms with their state in a watch; an alarm without a stored state begins anew."""
    states: list[AlarmState] = []
    for alarm in alarms:
        stored = state.get("alarms", {}).get(_alarm_name(alarm), {})
        fall = FallAlarm(alarm.floor, alarm.run_length)
        if stored:
            evidence = tuple(stored["evidence"])
            sums = (stored["count"], stored["total"], *stored.get("low", ()))
            fall = FallAlarm(alarm.floor, alarm.run_length, evidence, *sums)
        last_change = (stored.get("changes", 0), stored.get("changed"), stored.get("reason", ""))
        states.append(AlarmState(alarm, stored.get("status", OK), fall, *last_change))
    return states


def advance(
    alarms: Sequence[AlarmPart], state: Mapping[str, Any], results: Sequence[Result], now: float
) -> dict[str, dict[str, Any]]:
    """Return the state of the alarms after these results, in their order.

    Results without a score, and for an alarm on a label those without a label, are ignored.
    """
    states: dict[str, dict[str, Any]] = {}
    for current in read_alarms(alarms, state):
        updated = current
        for result in results:
            value = _observed(updated.alarm, result)
            if value is not None and base_name(result.spec) == updated.alarm.metric:
                updated = updated.add(value, now)
        states[_alarm_name(updated.alarm)] = updated.to_json()
    return states


def _observed(alarm: AlarmPart, result: Result) -> float | None:
    """Return the score, or for an alarm on a label 0 where a result has that label and 1 where it has another one."""
    if alarm.label is None:
        return result.score
    return None if result.label is None else float(result.label != alarm.label)


def _fall_summary(alarm: AlarmPart, fall: FallAlarm) -> str:
    """Return a summary of the scores since the fall began; over all scores, a long good period would hide the fall."""
    if fall.low_count:
        return _told(alarm, fall.low_total / fall.low_count, fall.low_count, " of the last {count} scores")
    return _told(alarm, fall.mean or 0.0, fall.count, " of {count} scores")


def _told(alarm: AlarmPart, mean: float, count: int, how_many: str) -> str:
    if alarm.label is None:
        return f"mean {mean:.3f}{how_many.format(count=count)}"
    return f"share {100 * (1.0 - mean):.1f} %{how_many.format(count=count).replace('scores', 'labels')}"


def _alarm_name(alarm: AlarmPart) -> str:
    return f"{alarm.limit} at {alarm.run_length:g}"
