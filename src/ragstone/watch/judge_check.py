"""What the checks of a judge against people's labels said, as plain values that the store keeps.

The first check is the baseline. Later ones are compared with it case by case: where the judge is as it was, a case that
changed is as likely to have changed for the better as for the worse, so the number that got worse is binomial(changed,
1/2), and an exact one-sided test (McNemar) raises the alarm in at most a stated share of the checks. A check without a
case to compare says nothing of the judge: that is told, and is no agreement.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragstone.stats.interval import Interval, rate_interval
from ragstone.stats.significance import mcnemar_p_value
from ragstone.watch.alarms import ALARM, OK

_KEPT = 30
_OUTLASTS = ("status", "changes", "changed", "unchecked", "lapses", "lapsed")
"""What is kept where another file, metric or judge begins anew: what was told of them must not be told as new."""


@dataclass(frozen=True, slots=True)
class JudgeHealth:
    """What the last check said that had something to say.

    Attributes:
        judge: the judge.
        metric: spec of the metric.
        status: `ok` or `alarm`.
        agreed: cases on which judge and people agree.
        n: cases that could be judged.
        failed: cases that could not.
        interval: of the share of agreement, 95 %.
        before: the share of agreement at the baseline.
        better: cases on which they agree now and did not then.
        worse: cases on which they agreed then and do not now.
        at: when it was made, seconds since 1970.
        since: when the baseline was made.
        changes: how often the status changed.
        changed: when it last did; None where it never did.
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
        """What it says in one line."""
        told = "has changed" if self.status == ALARM else "judges as it did"
        return (
            f"the judge {self.judge} {told}: it agrees with people on {self.agreed} of {self.n} anchor cases "
            f"({self.interval.low:.2f} to {self.interval.high:.2f}), at first on {self.before:.2f}; "
            f"{self.worse} got worse, {self.better} better"
        )


@dataclass(frozen=True, slots=True)
class UncheckedJudge:
    """A judge whose last check said nothing.

    Attributes:
        judge: the judge.
        metric: spec of the metric.
        cases: of the anchor set.
        judged: those that could be judged now, none of which could be at the baseline.
        error: of the first that failed; empty where none did.
        since: when the first check was made that said nothing, seconds since 1970.
        at: when the last one was.
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
        """What it says in one line, without the error."""
        why = (
            f"none of the {self.judged} anchor cases that could be judged now could be at first"
            if self.judged
            else f"none of the {self.cases} anchor cases could be judged"
        )
        return f"the judge {self.judge} could not be checked: {why}"


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """What is known of a judge.

    Attributes:
        judged_by: `all`, or `sample` for the judge of the sample.
        judge: its name.
        health: what the last check said that had something to say; None before one had.
        unchecked: the last check where it said nothing; None where it said something.
        lapses: how often checks began or ceased to say nothing.
        lapsed: when they last did, seconds since 1970; None where they never did.
    """

    judged_by: str
    judge: str
    health: JudgeHealth | None
    unchecked: UncheckedJudge | None
    lapses: int
    lapsed: float | None

    @property
    def is_alarm(self) -> bool:
        """Whether the judge has changed, or nobody knows."""
        return self.unchecked is not None or (self.health is not None and self.health.status == ALARM)


@dataclass(frozen=True, slots=True)
class AnchorResults:
    """What one check found.

    Attributes:
        key: of file, metric and judge; another one begins a new baseline.
        judge: the judge.
        metric: spec of the metric.
        agrees: of each case, whether judge and people agree; None where it could not be judged.
        error: of the first case that failed; empty where none did.
    """

    key: str
    judge: str
    metric: str
    agrees: tuple[bool | None, ...]
    error: str

    def after(self, known: Mapping[str, Any], false_alarms: float, now: float) -> dict[str, Any]:
        """Return what is known, as JSON holds it, after what was known before.

        Args:
            known: what was kept of the checks before; empty before the first.
            false_alarms: the share of checks, at most, that raise an alarm though the judge is as it was.
            now: seconds since 1970.
        """
        if known.get("key") != self.key:
            known = {name: known[name] for name in _OUTLASTS if name in known}
        said = self._compared(known, false_alarms, now)
        before: Mapping[str, Any] = known.get("unchecked") or {}
        lapsed = (said is None) != bool(before)
        silent: dict[str, Any] = {
            "cases": len(self.agrees),
            "judged": len(self.agrees) - self.agrees.count(None),
            "error": self.error[:2000],
            "since": before.get("since", now),
            "at": now,
        }
        return {
            **(known if said is None else said),
            "key": self.key,
            "judge": self.judge,
            "metric": self.metric,
            "unchecked": silent if said is None else None,
            "lapses": known.get("lapses", 0) + lapsed,
            "lapsed": now if lapsed else known.get("lapsed"),
        }

    def _compared(self, known: Mapping[str, Any], false_alarms: float, now: float) -> dict[str, Any] | None:
        """Return what a comparison with the baseline says; None where no case can be compared."""
        first = known.get("first", list(self.agrees))
        pairs = [(was, one) for was, one in zip(first, self.agrees, strict=True) if None not in (was, one)]
        if not pairs:
            return None
        better = sum(bool(one) and not was for was, one in pairs)
        worse = sum(bool(was) and not one for was, one in pairs)
        falls = worse > better and mcnemar_p_value(better, worse) / 2 <= false_alarms
        status, before = ALARM if falls else OK, known.get("status", OK)
        shares = [one for one in self.agrees if one is not None]
        return {
            "first": first,
            "since": known.get("since", now),
            "at": now,
            "agreed": sum(shares),
            "n": len(shares),
            "failed": len(self.agrees) - len(shares),
            "better": better,
            "worse": worse,
            "status": status,
            "changes": known.get("changes", 0) + (status != before),
            "changed": now if status != before else known.get("changed"),
            "history": [*known.get("history", []), [now, sum(shares), len(shares)]][-_KEPT:],
        }


def check_name(judged_by: str) -> str:
    """Return the name under which the checks of a judge are kept."""
    return "anchor" if judged_by == "all" else f"anchor ({judged_by})"


def judge_check(judged_by: str, known: Mapping[str, Any]) -> JudgeCheck:
    """Return what is known of a judge from what was kept of its checks."""
    silent: dict[str, Any] | None = known.get("unchecked")
    return JudgeCheck(
        judged_by,
        known["judge"],
        _health(known) if "first" in known else None,
        None if silent is None else UncheckedJudge(known["judge"], known["metric"], **silent),
        known.get("lapses", 0),
        known.get("lapsed"),
    )


def _health(known: Mapping[str, Any]) -> JudgeHealth:
    first = [one for one in known["first"] if one is not None]
    return JudgeHealth(
        known["judge"],
        known["metric"],
        known["status"],
        known["agreed"],
        known["n"],
        known["failed"],
        rate_interval(known["agreed"], known["n"]),
        sum(first) / len(first),
        known["better"],
        known["worse"],
        known["at"],
        known["since"],
        known["changes"],
        known["changed"],
    )
