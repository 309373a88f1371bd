"""The alarms of a watch, as plain values that its state keeps: their evidence, and the status that was reported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
        """The state in one line."""
        mean = (
            "no score yet" if self.known.mean is None else f"mean {self.known.mean:.3f} of {self.known.count}"
        )
        verb = "has fallen below" if self.status == ALARM else "is not known to be below"
        return f"{self.alarm.metric} {verb} {self.alarm.below:g} (since the last change: {mean})"

    def add(self, score: float, now: float) -> "AlarmState":
        """Return the state after one more score, which came at `now`, seconds since 1970."""
        known = self.known.add(score)
        if self.status == OK and known.raised:
            return self._change(ALARM, known, now, _fall_summary(known))
        if self.status == ALARM and known.count >= _MIN_RECOVERY_SCORES:
            if (known.mean or 0.0) >= self.alarm.below:
                return self._change(OK, known, now, f"mean {known.mean or 0.0:.3f} of {known.count} scores")
            known = known.restarted()
        return replace(self, known=known)

    def _change(self, status: str, evidence: FallAlarm, now: float, reason: str) -> "AlarmState":
        return AlarmState(self.alarm, status, evidence.restarted(), self.changes + 1, now, reason)

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON values."""
        known = self.known
        return {
            "status": self.status,
            "changes": self.changes,
            "changed": self.changed,
            "reason": self.reason,
            "evidence": list(known.evidence),
            "count": known.count,
            "total": known.total,
            "low": [known.low_count, known.low_total],
        }


def read_alarms(alarms: Sequence[AlarmPart], state: Mapping[str, Any]) -> list[AlarmState]:
    """Return the alarms with their state in a watch; an alarm without a stored state begins anew."""
    states: list[AlarmState] = []
    for alarm in alarms:
        stored = state.get("alarms", {}).get(_alarm_name(alarm), {})
        fall_alarm = FallAlarm(alarm.below, alarm.run_length)
        if stored:
            evidence = tuple(stored["evidence"])
            sums = (stored["count"], stored["total"], *stored.get("low", ()))
            fall_alarm = FallAlarm(alarm.below, alarm.run_length, evidence, *sums)
        last_change = (stored.get("changes", 0), stored.get("changed"), stored.get("reason", ""))
        states.append(AlarmState(alarm, stored.get("status", OK), fall_alarm, *last_change))
    return states


def advance(
    alarms: Sequence[AlarmPart], state: Mapping[str, Any], results: Sequence[Result], now: float
) -> dict[str, dict[str, Any]]:
    """Return the state of the alarms after these results, in their order; results without a score are ignored."""
    states: dict[str, dict[str, Any]] = {}
    for current in read_alarms(alarms, state):
        updated = current
        for result in results:
            if result.score is not None and result.spec.partition("(")[0] == updated.alarm.metric:
                updated = updated.add(result.score, now)
        states[_alarm_name(updated.alarm)] = updated.to_json()
    return states


def _fall_summary(evidence: FallAlarm) -> str:
    """Return a summary of the scores since the fall began; over all scores, a long good period would hide the fall."""
    if evidence.low_count:
        return f"mean {evidence.low_total / evidence.low_count:.3f} of the last {evidence.low_count} scores"
    return f"mean {evidence.mean or 0.0:.3f} of {evidence.count} scores"


def _alarm_name(alarm: AlarmPart) -> str:
    return f"{alarm.metric} below {alarm.below:g} at {alarm.run_length:g}"
