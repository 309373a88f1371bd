"""A comparison: each metric with its difference on one axis and its sentence, the flipped cases, the warnings."""

from typing import Any

from ragstone.findings.comparison import Flip, MetricChange, RunComparison
from ragstone.findings.comparison.figures import details, difference, means, shows_interval, unmatched
from ragstone.findings.fingerprint import drafted_test_set
from ragstone.findings.numbers import count, score
from ragstone.findings.report import Report
from ragstone.show.application import changes
from ragstone.show.document import (
    ARROW,
    BULLET,
    DASH,
    SIGNS,
    Document,
    Item,
    Items,
    Plot,
    Row,
    StyledText,
    Table,
    TableColumn,
    cut,
    dotted,
    first,
    line,
    notes,
    quiet,
    section,
    strong,
)
from ragstone.show.labels import label_changes
from ragstone.show.render.json import plain
from ragstone.stats.label_change import LabelChange
from ragstone.status import Status

MOST_FLIPS = 5
"""How many flipped cases of each metric a terminal shows."""
STATUS_OF_STATE: dict[str, Status] = {"red": "missed", "yellow": "not_measured", "green": "passed"}
"""The status whose mark a comparison or a gate has."""
SCHEMA = 1
"""Version of the JSON document, incremented with every incompatible change."""

_MAX_FLIPS, _MAX_IDS = 10, 8
_ALWAYS = 1_000
"""A width that no terminal has: each metric is a paragraph."""


def document(found: RunComparison, most: int | None = _MAX_FLIPS) -> Document:
    """Return the comparison as a document; at most `most` flipped cases of each metric, None for all."""
    runs = found.before.run, found.after.run
    before, after = (strong(run.plan.name or run.id, 40) for run in runs)
    judge = line("judge ", strong(found.after.run.plan.judge))
    was, now = (drafted_test_set(report.cases) for report in (found.before, found.after))
    sets = f"test set {now}" if was == now else f"test sets {was or '?'} and {now or '?'}"
    facts = dotted(judge, f"{count(found.cases, 'case')} in common", sets if was or now else "")
    rest = [Item(line(f"{title}: ", _listed(names)), BULLET) for title, names in unmatched(found)]
    return Document(
        "compare",
        line(before, f" {ARROW} ", after),
        (facts,),
        (
            *_metrics(found),
            *label_changes(found.metrics),
            *changes(found.application),
            *_flips(found, most),
            *section("Notes", Items((*notes(found.warnings, SIGNS["not_measured"]), *rest))),
        ),
        found.verdict,
        STATUS_OF_STATE[found.state],
    )


def _metrics(found: RunComparison) -> tuple[Table, ...]:
    ends = [
        abs(end)
        for metric in found.metrics
        for end in (metric.comparison.interval.low, metric.comparison.interval.high)
        if metric.comparison.n and shows_interval(metric.comparison)
    ]
    scale = round(min(1.0, 1.1 * max(ends, default=1.0)), 2)
    tested = max((metric.comparison.tested for metric in found.metrics), default=1)
    level = f"95 %, {tested} together" if tested > 1 else "95 %"
    columns = (
        TableColumn("metric", style="strong"),
        TableColumn("before", number=True),
        TableColumn("after", number=True),
        TableColumn(f"difference ({level})"),
        TableColumn("n", number=True),
        TableColumn("worse", number=True),
        TableColumn("better", number=True),
    )
    shown = [metric for metric in found.metrics if metric.comparison.n or not metric.measured]
    rows = tuple(_row(metric, found, scale) for metric in shown)
    return (Table(columns, rows, least_width=_ALWAYS),) if rows else ()


def _row(metric: MetricChange, found: RunComparison, scale: float) -> Row:
    change = metric.comparison
    drawn = change.difference is not None and shows_interval(change)
    plot = Plot((), change.difference, change.interval, 0.0, -scale, scale)
    counts = (f"{number:,}" for number in (change.n, change.worse, change.better))
    return Row(
        (cut(metric.name, 60), *means(change, DASH), difference(change), *counts),
        plot=plot if drawn else None,
        notes=(change.sentence(), *details(metric, found, "metrics")),
    )


def _flips(found: RunComparison, most: int | None) -> tuple[Any, ...]:
    flipped = [
        Item(
            line(strong(metric.name, 60), f"  {metric.broke} broke, {metric.flips.mended} mended"),
            items=first([*map(_flip, metric.flips[:most])], most, len(metric.flips)).items,
        )
        for metric in found.metrics
        if metric.flips
    ]
    return section("Flipped", Items(tuple(flipped)), remark="passed in one run, not in the other")


def _flip(flip: Flip) -> Item:
    change = f"{score(flip.before)} {ARROW} {score(flip.after)}  "
    reason = (line(quiet(flip.reason, 240)),) if flip.reason and flip.broke else ()
    mark = SIGNS["missed" if flip.broke else "passed"]
    return Item(line(change, cut(flip.question or flip.case_id, 120)), mark, reason)


def _listed(names: tuple[str, ...]) -> StyledText:
    more = f" and {count(len(names) - _MAX_IDS, 'other')}" if len(names) > _MAX_IDS else ""
    return StyledText(f"{cut(', '.join(names[:_MAX_IDS]), 400)}{more}", "quiet")


_FIELDS = (
    *("n", "unpaired", "undecided", "before", "after", "difference", "before_high", "after_high"),
    *("difference_high", "p_value", "adjusted_p", "tested", "level", "better", "worse", "same"),
    *("can_show", "detectable", "higher_is_better", "verdict"),
)
_PASSES = (
    *("before", "after", "before_high", "after_high", "broke", "mended", "p_value", "adjusted_p", "verdict"),
    "interval",
)
_COMPARED = (
    *("verdict", "regressed", "state", "exit_code", "cases", "by_question", "only_before", "only_after"),
    *("metrics_only_before", "metrics_only_after", "warnings", "worth", "margin", "not_worse"),
    "application",
)
_LABELS = (
    *(
        "n",
        "unpaired",
        "undecided",
        "moved",
        "categories",
        "table",
        "test",
        "p_value",
        "adjusted_p",
        "tested",
    ),
    *("level", "can_show", "verdict"),
)
_SHARES = ("label", "before", "after", "difference", "interval", "adjusted_p", "verdict")


def values(found: RunComparison) -> dict[str, Any]:
    """Return the comparison as JSON has it."""
    return {
        "schema": SCHEMA,
        "before": _run(found.before),
        "after": _run(found.after),
        **plain(found, *_COMPARED),
        "metrics": [_metric(metric) for metric in found.metrics],
    }


def label_values(found: LabelChange) -> dict[str, Any]:
    """Return a change of labels as JSON has it."""
    return {**plain(found, *_LABELS), "shares": [plain(share, *_SHARES) for share in found.shares]}


def _run(report: Report) -> dict[str, Any]:
    return {"id": report.run.id, **plain(report.run.plan, "name", "judge", "prompts")}


def _metric(metric: MetricChange) -> dict[str, Any]:
    change = metric.comparison
    return {
        **plain(change, *_FIELDS),
        "passes": plain(change.passes, *_PASSES) if change.passes else None,
        "metric": metric.name,
        "interval": change.interval if change.n else None,
        "single_interval": change.single_interval if change.n else None,
        "too_few": change.interval.too_few,
        "sentence": change.sentence(),
        **plain(metric, "thresholds", "lost"),
        "cases_needed": metric.needed,
        **({"labels": label_values(metric.labels)} if metric.labels else {}),
        "flips": metric.flips,
    }
