"""Notify the plan's receivers of changed alarms: one message per state, retried until it is accepted.

A message holds figures and names, never a text of a user. Nothing is sent if the plan names no receiver.
"""

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from typing import Any

from ragstone.errors import BadOption
from ragstone.findings.numbers import duration
from ragstone.push.webhook import WebhookAddress, WebhookMessage, send_webhook
from ragstone.store.queue.settlement import read_state
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.queue.watch_state import WatchTurn, end_turn, own_name, read_last_sign, take_turn
from ragstone.telemetry.watch_gauges import GaugeValue, emit_alarm, record_gauges
from ragstone.watch.alarms import ALARM, OK, AlarmState, read_alarms
from ragstone.watch.anchor import read_judge_checks
from ragstone.watch.drift import QuestionDrift, read_drift
from ragstone.watch.feedback import FeedbackFigures
from ragstone.watch.judge_check import JudgeCheck, check_name
from ragstone.watch.plan import NotifyPart, WatchPlan
from ragstone.watch.supervision import TaskFailure
from ragstone.watch.window import WindowFigures

_LEASE_SECONDS, _RETRY_SECONDS = 120.0, 60.0


@dataclass(frozen=True, slots=True)
class AlarmNotice:
    """A message about the state of an alarm; each version of the state is sent once."""

    alarm: str
    version: str
    content: Mapping[str, Any]

    @property
    def line(self) -> str:
        """The message in one line."""
        return str(self.content["text"])


def _content(
    plan: WatchPlan, alarm: str, status: str, since: float, text: str, **others: object
) -> dict[str, Any]:
    kind = {"type": "ragstone.watch.alarm", "watch": plan.name, "alarm": alarm, "status": status}
    return {**kind, **others, "since": _iso(since), "text": text}


def silence_status(queue: TraceQueue, plan: WatchPlan, now: float | None = None) -> tuple[str, float] | None:
    """Return whether a watch has received nothing for too long, and since when; None if the plan sets no limit."""
    if plan.silence is None:
        return None
    last = read_last_sign(queue.engine, plan.name)
    if last is None:
        return OK, 0.0
    return (ALARM if (now or time.time()) - last > plan.silence else OK), last


def read_notices(queue: TraceQueue, plan: WatchPlan) -> list[AlarmNotice]:
    """Return the alarm states to send: those of alarms that have changed, and a silence or its end."""
    alarms = read_alarms(plan.alarm, read_state(queue.engine, plan.name))
    notices = [_alarm_notice(plan, state) for state in alarms if state.changes]
    silence = silence_status(queue, plan)
    if silence is not None:
        notices.append(_silence_notice(plan, *silence))
    for check in read_judge_checks(queue, plan):
        notices += _judge_notices(plan, check)
    drift = read_drift(queue, plan)
    if drift is not None and drift.changes:
        notices.append(_drift_notice(plan, drift))
    return notices


def _drift_notice(plan: WatchPlan, drift: QuestionDrift) -> AlarmNotice:
    """Return the message about drift: figures only, since the words of a topic come from users."""
    change = "have changed" if drift.status == ALARM else "are no longer known to have changed"
    text = f"{plan.name}: users' questions {change}: {drift.n} now, compared with {drift.before} before"
    content = _content(plan, "drift", drift.status, drift.changed or 0.0, text)
    return AlarmNotice("drift", str(drift.changes), content)


def _judge_notices(plan: WatchPlan, check: JudgeCheck) -> list[AlarmNotice]:
    """Return the messages about a judge: that it changed, that it could not be checked, and the end of either."""
    notices: list[AlarmNotice] = []
    health, unchecked, name = check.health, check.unchecked, check_name(check.judged_by)
    result = health or unchecked
    judge = {"metric": result.metric if result else "", "judge": check.judge, "judged_by": check.judged_by}
    if health is not None and health.changes:
        content = _content(plan, "judge", health.status, health.changed or 0.0, health.line, **judge)
        notices.append(AlarmNotice(name, str(health.changes), content))
    if check.lapses:
        status, text = OK, f"the judge {check.judge} can be checked again"
        if unchecked is not None:
            status, text = ALARM, unchecked.line
        content = _content(plan, "judge_unchecked", status, check.lapsed or 0.0, text, **judge)
        notices.append(AlarmNotice(f"{name} unchecked", str(check.lapses), content))
    return notices


def _alarm_notice(plan: WatchPlan, state: AlarmState) -> AlarmNotice:
    alarm = state.alarm
    kind, limit = "fall", {"below": alarm.below}
    if alarm.label is not None:
        kind, limit = "label", {"label": alarm.label, "above": alarm.above}
    told = {"metric": alarm.metric, **limit, "run_length": alarm.run_length, "reason": state.reason}
    text = f"{alarm.describe(crossed=state.status == ALARM)}: {state.reason}"
    content = _content(plan, kind, state.status, state.changed or 0.0, text, **told)
    return AlarmNotice(alarm.limit, str(state.changes), content)


def _silence_notice(plan: WatchPlan, status: str, last: float) -> AlarmNotice:
    limit = duration(plan.silence or 0.0)
    message = f"nothing was received for more than {limit}" if status == ALARM else "traces are received"
    content = _content(plan, "silence", status, last, f"{plan.name}: {message}")
    return AlarmNotice("silence", f"silent {last:.3f}" if status == ALARM else "", content)


async def deliver(
    queue: TraceQueue,
    plan: WatchPlan,
    notices: Sequence[AlarmNotice],
    environment: Mapping[str, str] = os.environ,
) -> list[str]:
    """Send the notices not yet sent to each receiver of the plan; return a line for each message that was refused.

    A message that is refused, or whose sender is killed, is sent again by the next call, with the same id.
    """
    problems: list[str] = []
    for receiver in plan.notify:
        address = webhook_address(receiver, environment)
        name = blake2b(receiver.webhook.encode(), digest_size=8).hexdigest()
        for notice in notices:
            turn = WatchTurn(plan.name, f"{name} {notice.alarm}", notice.version)
            if not await asyncio.to_thread(take_turn, queue.engine, turn, duration=_LEASE_SECONDS):
                continue
            problem = await send_webhook(address, _message(" ".join(turn), notice.content))
            end = partial(end_turn, queue.engine, turn, done=problem is None, pause=_RETRY_SECONDS)
            await asyncio.to_thread(end)
            if problem is not None:
                problems.append(f"{notice.line}: delivery failed and will be retried: {problem}")
    return problems


def _message(identifier: str, content: Mapping[str, Any]) -> WebhookMessage:
    digest = blake2b(identifier.encode(), digest_size=12).hexdigest()
    return WebhookMessage(f"msg_{digest}", int(time.time()), content)


class FailureMessages:
    """Sends a message when a task of this process fails for a while, and when it works again.

    The database may be what fails, so nothing of it is used: each process sends its own messages.
    """

    def __init__(self, plan: WatchPlan, environment: Mapping[str, str]) -> None:
        """Send to the receivers of a plan."""
        self._plan = plan
        self._environment = environment
        self._known: dict[str, TaskFailure] = {}
        self._sent: dict[tuple[str, str], str] = {}
        self._retry_at = 0.0

    async def send(self, persistent: Sequence[TaskFailure]) -> list[str]:
        """Send what has changed, given the failures that last; return a line for each message that was refused."""
        if time.monotonic() < self._retry_at:
            return []
        current = {failure.task: failure for failure in persistent}
        self._known |= current
        problems: list[str] = []
        for task, failure in self._known.items():
            status = ALARM if task in current else OK
            for receiver in self._plan.notify:
                version = f"{status} {failure.since:.3f}"
                if self._sent.get((task, receiver.webhook)) == version:
                    continue
                message = self._message(failure, status, version)
                problem = await send_webhook(webhook_address(receiver, self._environment), message)
                if problem is None:
                    self._sent[task, receiver.webhook] = version
                else:
                    problems.append(
                        f"{message.content['text']}: delivery failed and will be retried: {problem}"
                    )
        if problems:
            self._retry_at = time.monotonic() + _RETRY_SECONDS
        return problems

    def _message(self, failure: TaskFailure, status: str, version: str) -> WebhookMessage:
        """Return the message about a task: the class of its error, and no text, which may be of users."""
        works = f"{failure.task} works again"
        fails = f"{failure.task} has failed since {_iso(failure.since)} ({failure.kind}); see the log of the watch"
        text = f"{self._plan.name}: {fails if status == ALARM else works}"
        content = _content(self._plan, "watch", status, failure.since, text, task=failure.task)
        return _message(f"{own_name()} {self._plan.name} {failure.task} {version}", content)


def webhook_address(receiver: NotifyPart, environment: Mapping[str, str]) -> WebhookAddress:
    """Return the address for a receiver's messages, with its secret.

    Raises:
        BadOption: the URL is invalid, or the variable for the secret is not set.
    """
    secret = ""
    if receiver.secret_env is not None:
        secret = environment.get(receiver.secret_env, "")
        if not secret:
            raise BadOption(
                f"{receiver.secret_env} is not set: set this environment variable to the secret of the webhook."
            )
    return WebhookAddress(receiver.webhook, secret)


def score_gauges(
    plan: WatchPlan, figures: Sequence[WindowFigures], feedback: Sequence[FeedbackFigures] = ()
) -> list[GaugeValue]:
    """Return the mean of each metric and of each feedback, with the ends of its interval where there are enough."""
    values: list[GaugeValue] = []
    told = [
        (item.metric, item.figure, None if item.figure.too_few else item.figure.interval) for item in figures
    ]
    rows = [
        *(("score", metric, figure.mean, interval) for metric, figure, interval in told),
        *(("feedback", item.name, item.mean, item.interval) for item in feedback),
    ]
    for gauge, title, mean, interval in rows:
        attributes = {"ragstone.watch": plan.name, "gen_ai.evaluation.name": title}
        ends = {"low": interval.low, "high": interval.high} if interval else {}
        numbers = ends if mean is None else {"mean": mean, **ends}
        values += [
            GaugeValue(f"ragstone.watch.{gauge}.{name}", value, attributes) for name, value in numbers.items()
        ]
    return values


def record_telemetry(
    plan: WatchPlan,
    figures: Sequence[WindowFigures],
    alarms: Sequence[AlarmState],
    feedback: Sequence[FeedbackFigures] = (),
) -> None:
    """Set the OpenTelemetry gauges: the mean of each metric and feedback with its interval, and the raised alarms."""
    values = score_gauges(plan, figures, feedback)
    for state in alarms:
        attributes = {"ragstone.watch": plan.name, "gen_ai.evaluation.name": state.alarm.metric}
        values.append(GaugeValue("ragstone.watch.alarm", float(state.status == ALARM), attributes))
    record_gauges(values)


def alarm_values(queue: TraceQueue, plan: WatchPlan) -> dict[str, bool]:
    """Return each alarm of a watch, by name, and whether it is on: also those that have never changed."""
    alarms = read_alarms(plan.alarm, read_state(queue.engine, plan.name))
    values = {state.alarm.limit: state.status == ALARM for state in alarms}
    changed = {
        notice.alarm: notice.content["status"] == ALARM
        for notice in read_notices(queue, plan)
        if notice.content["alarm"] != "fall"
    }
    return values | changed


def emit_notice(notice: AlarmNotice) -> None:
    """Emit the OpenTelemetry event for a state of an alarm."""
    emit_alarm(
        {name: value for name, value in notice.content.items() if isinstance(value, str | int | float)}
    )


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
