"""`ragstone watch`: judge received traces, and raise alarms."""

import asyncio
import os
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Annotated

import click
from pydantic import TypeAdapter

from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._log import tell
from ragstone.cli._options import LOG_FORMAT, TRUST_PROJECT, Json, StoreName
from ragstone.cli._output import print_json
from ragstone.cli._receiver import Otlp, Redact, RedactWith, read_redaction, receiving
from ragstone.cli._store import locate_store
from ragstone.cli._watching import RunningWatch, delete_old_texts
from ragstone.errors import BadOption
from ragstone.findings.printable import one_line
from ragstone.findings.view.figure_text import counts, interval_text, label_counts, mean_text
from ragstone.stats.hash_sampling import SampledMean
from ragstone.store.queue.settlement import read_state
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.watch.alarms import ALARM, AlarmState, read_alarms
from ragstone.watch.anchor import read_judge_checks
from ragstone.watch.checks import make_checks
from ragstone.watch.delivery import deliver, read_notices, silence_status, webhook_address
from ragstone.watch.drift import QuestionDrift, read_drift
from ragstone.watch.feedback import FeedbackFigures, feedback_figures
from ragstone.watch.judge_check import JudgeHealth
from ragstone.watch.overview import WatchFigures, watch_figures
from ragstone.watch.plan import WatchPlan, read_plan
from ragstone.watch.window import WindowFigures, window_figures
from ragstone.watch.worker import StepCounts, TraceWorker, work

_ALARM_EXIT_CODE = 1


@subcommand("watch", LOG_FORMAT, TRUST_PROJECT)
def command(
    file: Annotated[
        Path, OptionSpec(metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    ],
    *,
    store: StoreName = None,
    once: bool = False,
    workers: Annotated[int, OptionSpec(type=click.IntRange(1, 64))] = 1,
    revive: bool = False,
    delete_user: Annotated[str | None, OptionSpec(metavar="ID")] = None,
    token: Annotated[str | None, OptionSpec(metavar="TOKEN")] = None,
    as_json: Json = False,
    otlp: Otlp = None,
    redact: Redact = None,
    redact_with: RedactWith = None,
) -> int:
    """Judge every trace in the store with the plan in FILE, until Ctrl-C or SIGTERM, and raise its alarms.

    Several such processes can work on one store. The exit code is 1 if something failed when the watch was ended; with
    --once, if an alarm is on.

    Options:
        once: Judge the complete traces, show the figures of the window, and exit; for cron.
        workers: Number of workers in this process.
        revive: First put traces that were given up back in the queue.
        delete_user: Delete all data of a user's traces, and exit.
        token: With --otlp, require this token of senders. Default: none on loopback, else a new one at each start.

    Examples:
      ragstone watch watch.toml --otlp
      ragstone watch watch.toml --once
      ragstone watch watch.toml --delete-user ada
    """
    if as_json and not once:
        raise BadOption("--json writes the figures of the window, which only --once shows: give --once too")
    plan = read_plan(file)
    for receiver in plan.notify:
        webhook_address(receiver, os.environ)  # fail now, not when an alarm is raised
    location = locate_store(store)
    redaction = read_redaction(redact, redact_with)
    queue = open_queue(location)
    if delete_user is not None:
        click.echo(f"{queue.delete_user(delete_user)} traces deleted")
        return 0
    if revive:
        tell(f"{queue.revive()} traces will be judged again")
    with nullcontext() if otlp is None else receiving(location, otlp, redaction, token):
        if once:
            steps = asyncio.run(work(TraceWorker(queue, plan), stop=None))
            delete_old_texts(queue, plan)
            for problem in asyncio.run(make_checks(queue, plan)):
                tell(problem, "warning")
            for problem in asyncio.run(deliver(queue, plan, read_notices(queue, plan))):
                tell(problem, "warning")
            if as_json:
                print_json(
                    TypeAdapter(WatchFigures).dump_python(watch_figures(queue, plan.name), mode="json")
                )
            else:
                _show(queue, plan, steps)
            return _ALARM_EXIT_CODE if _is_alarmed(queue, plan) else 0
        with suppress(KeyboardInterrupt):
            return RunningWatch(queue, plan, workers).run()
    return 0


def _is_alarmed(queue: TraceQueue, plan: WatchPlan) -> bool:
    """Return whether an alarm is on: of a metric, of silence, of a judge, or of the users' questions."""
    silence, drift = silence_status(queue, plan), read_drift(queue, plan)
    statuses = [state.status for state in read_alarms(plan.alarm, read_state(queue.engine, plan.name))]
    statuses += [silence[0]] if silence else []
    statuses += [drift.status] if drift else []
    return ALARM in statuses or any(check.is_alarm for check in read_judge_checks(queue, plan))


def _show(queue: TraceQueue, plan: WatchPlan, steps: StepCounts) -> None:
    counts = queue.counts()
    late = f"{steps.late} after their session, " if steps.late else ""
    late += f"{steps.set_aside} set aside with an error, " if steps.set_aside else ""
    click.echo(
        f"{steps.judged} judged now, {steps.unreadable} without a test case, {late}{steps.failed} not measured; "
        f"{counts.waiting} waiting, {counts.dead} given up"
    )
    for figures in window_figures(queue, plan):
        click.echo(_figures_line(figures))
    for feedback in feedback_figures(queue, plan):
        click.echo(_feedback_line(feedback))
    for state in read_alarms(plan.alarm, read_state(queue.engine, plan.name)):
        _show_state(state)
    silence = silence_status(queue, plan)
    if silence is not None and silence[0] == ALARM:
        notice = next(item for item in read_notices(queue, plan) if item.alarm == "silence")
        click.echo(f"ALARM: {notice.line}")
    for check in read_judge_checks(queue, plan):
        if check.unchecked is not None:
            error = f" ({one_line(check.unchecked.error, 300)})" if check.unchecked.error else ""
            click.echo(f"ALARM: {check.unchecked.line}{error}")
        if check.health is not None and (check.unchecked is None or check.health.status == ALARM):
            _show_state(check.health)
    drift = read_drift(queue, plan)
    if drift is not None:
        _show_state(drift)
        if drift.coverage is not None:
            click.echo(drift.coverage.line)


def _show_state(state: AlarmState | JudgeHealth | QuestionDrift) -> None:
    click.echo(f"{'ALARM' if state.status == ALARM else 'ok'}: {state.line}")


def _feedback_line(feedback: FeedbackFigures) -> str:
    mean, interval = "none" if feedback.mean is None else f"{feedback.mean:.3f}", "too few to say"
    if feedback.interval is not None:
        interval = f"{feedback.interval.low:.3f} to {feedback.interval.high:.3f}"
    return f"feedback {feedback.name}: mean {mean} ({interval}) of {feedback.n}, {feedback.up} up, {feedback.down} down"


def _figures_line(figures: WindowFigures) -> str:
    found = figures.figure
    labels = f"labels: {label_counts(found.shares)}" if found.shares else ""
    mean = f"mean {mean_text(found, 'none')} ({interval_text(found, ' to ')}) of {found.n:,}"
    told = labels if found.n and found.low is None else "; ".join(filter(None, (mean, labels)))
    line = f"{figures.metric}: {told}" + "".join(f", {text}" for _, text in counts(found.counts))
    line += _estimate_text(figures.sample, "sample", f"of {figures.sample.count}") if figures.sample else ""
    return line + (_estimate_text(figures.people, "people", "human verdicts") if figures.people else "")


def _estimate_text(estimate: SampledMean, name: str, source: str) -> str:
    """Return an estimate as text: `; people: 0.81 (0.70 to 0.89) from 62 human verdicts`; empty without a value."""
    if estimate.value is None:
        return ""
    interval = "too few to say" if estimate.low is None else f"{estimate.low:.2f} to {estimate.high:.2f}"
    return f"; {name}: {estimate.value:.2f} ({interval}) from {estimate.drawn} {source}"
