"""Results of checking a judge against human labels, as plain values that the store keeps.

The first check is the baseline. Later checks are compared with it case by case. If the judge has not changed, a case
that changed is as likely to be better as worse, so the number of cases that got worse is binomial(changed, 1/2), and an
exact one-sided test (McNemar) raises the alarm in at most a stated share of the checks. A check without a case to
compare has no result: this is reported, and does not count as agreement.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ragstone.findings.printable import printable
from ragstone.stats.interval import Interval, rate_interval
from ragstone.stats.significance import mcnemar_p_value
from ragstone.watch.alarms import ALARM, OK

_MAX_HISTORY = 30
_STATUS_FIELDS = ("status", "changes", "changed", "unchecked", "lapses", "lapsed")
"""Values kept when another file, metric or judge starts a new baseline, so that no reported state is reported again."""


@dataclass(frozen=True, slots=True)
class JudgeHealth:
    """Result of the last check that had one.

    Attributes:
        judge: the judge.
        metric: spec of the metric.
        status: `ok` or `alarm`.
        agreed: cases on which judge and people agree.
        n: cases that could be judged.
        failed: cases that could not be judged, or are undecided.
        interval: 95 % interval of the share of agreement.
        before: share of agreement at the baseline.
        better: cases with agreement now and without at the baseline.
        worse: cases with agreement at the baseline and without now.
        at: time of the check, seconds since 1970.
        since: time of the baseline.
        changes: number of changes of the status.
        changed: time of the last change; None without one.
    """

    judge: str
    metric: str
    status: str
    agreed: int
    n: int
    failed: int
    interval: Interval
    before: float
    better: int
    worse: int
    at: float
    since: float
    changes: int
    changed: float | None

    @property
    def share(self) -> float:
        """The share of cases on which judge and people agree."""
        return self.agreed / self.n

    @property
    def line(self) -> str:
        """The result in one line."""
        verb = "has changed" if self.status == ALARM else "shows no change"
        return (
            f"the judge {self.judge} {verb}: it agrees with people on {self.agreed} of {self.n} anchor cases "
            f"({self.interval.low:.2f} to {self.interval.high:.2f}), at the baseline {self.before:.2f}; "
            f"{self.worse} cases got worse, {self.better} better"
        )


@dataclass(frozen=True, slots=True)
class UncheckedJudge:
    """A judge whose last check had no result.

    Attributes:
        judge: the judge.
        metric: spec of the metric.
        cases: number of cases in the anchor set.
        judged: cases that could be judged now, none of which could be judged at the baseline.
        error: error of the first case that failed; empty without one.
        since: time of the first of these checks without a result, seconds since 1970.
        at: time of the last one.
    """

    judge: str
    metric: str
    cases: int
    judged: int
    error: str
    since: float
    at: float

    @property
    def line(self) -> str:
        """The message in one line, without the error."""
        why = (
            f"none of the {self.judged} anchor cases that could be judged now could be judged at the baseline"
            if self.judged
            else f"none of the {self.cases} anchor cases could be judged"
        )
        return f"the judge {self.judge} could not be checked: {why}"


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """Outcome of the checks of a judge so far.

    Attributes:
        judged_by: `all`, or `sample` for the judge of the sample.
        judge: its name.
        health: result of the last check that had one; None before the first.
        unchecked: the last check if it had no result, else None.
        lapses: number of changes from checks with a result to checks without one, or back.
        lapsed: time of the last such change, seconds since 1970; None without one.
    """

    judged_by: str
    judge: str
    health: JudgeHealth | None
    unchecked: UncheckedJudge | None
    lapses: int
    lapsed: float | None

    @property
    def is_alarm(self) -> bool:
        """Whether the judge has changed or could not be checked."""
        return self.unchecked is not None or (self.health is not None and self.health.status == ALARM)


@dataclass(frozen=True, slots=True)
class AnchorResults:
    """Results of one check.

    Attributes:
        key: identifies file, metric and judge; a different key starts a new baseline.
        agrees: for each case, whether judge and people agree; None where it could not be judged, or is undecided.
        error: error of the first case that failed; empty without one.
    """

    key: str
    judge: str
    metric: str
    agrees: tuple[bool | None, ...]
    error: str

    def after(self, known: Mapping[str, Any], false_alarms: float, now: float) -> dict[str, Any]:
        """Return the state after this check, as JSON values, from the state of earlier checks, empty before the first.

        `false_alarms` is the maximum share of checks that raise an alarm although the judge has not changed.
        """
        if known.get("key") != self.key:
            known = {name: known[name] for name in _STATUS_FIELDS if name in known}
        result = self._compare(known, false_alarms, now)
        last_unchecked: Mapping[str, Any] = known.get("unchecked") or {}
        lapsed = (result is None) != bool(last_unchecked)
        unchecked: dict[str, Any] = {
            "cases": len(self.agrees),
            "judged": len(self.agrees) - self.agrees.count(None),
            "error": self.error[:2000],
            "since": last_unchecked.get("since", now),
            "at": now,
        }
        return {
            **(known if result is None else result),
            "key": self.key,
            "judge": self.judge,
            "metric": self.metric,
            "unchecked": unchecked if result is None else None,
            "lapses": known.get("lapses", 0) + lapsed,
            "lapsed": now if lapsed else known.get("lapsed"),
        }

    def _compare(self, stored: Mapping[str, Any], false_alarms: float, now: float) -> dict[str, Any] | None:
        """Return the comparison with the baseline; None where no case can be compared."""
        first = stored.get("first", list(self.agrees))
        pairs = [(old, new) for old, new in zip(first, self.agrees, strict=True) if None not in (old, new)]
        if not pairs:
            return None
        better = sum(bool(new) and not old for old, new in pairs)
        worse = sum(bool(old) and not new for old, new in pairs)
        is_worse = worse > better and mcnemar_p_value(better, worse) / 2 <= false_alarms
        status, before = ALARM if is_worse else OK, stored.get("status", OK)
        judged = [new for new in self.agrees if new is not None]
        return {
            "first": first,
            "since": stored.get("since", now),
            "at": now,
            "agreed": sum(judged),
            "n": len(judged),
            "failed": len(self.agrees) - len(judged),
            "better": better,
            "worse": worse,
            "status": status,
            "changes": stored.get("changes", 0) + (status != before),
            "changed": now if status != before else stored.get("changed"),
            "history": [*stored.get("history", []), [now, sum(judged), len(judged)]][-_MAX_HISTORY:],
        }


def check_name(judged_by: str) -> str:
    """Return the name under which the checks of a judge are stored."""
    return "anchor" if judged_by == "all" else f"anchor ({judged_by})"


def judge_check(judged_by: str, known: Mapping[str, Any]) -> JudgeCheck:
    """Return the outcome of a judge's checks from their stored state."""
    unchecked: dict[str, Any] | None = known.get("unchecked")
    if unchecked is not None:
        unchecked = {**unchecked, "error": printable(unchecked["error"])}
    return JudgeCheck(
        judged_by,
        known["judge"],
        _health(known) if "first" in known else None,
        None if unchecked is None else UncheckedJudge(known["judge"], known["metric"], **unchecked),
        known.get("lapses", 0),
        known.get("lapsed"),
    )


def _health(stored: Mapping[str, Any]) -> JudgeHealth:
    first = [agreed for agreed in stored["first"] if agreed is not None]
    computed = {
        "interval": rate_interval(stored["agreed"], stored["n"]),
        "before": sum(first) / len(first),
    }
    names = (field.name for field in fields(JudgeHealth) if field.name not in computed)
    return JudgeHealth(**computed, **{name: stored[name] for name in names})
