"""A sweep: the settings with their differences to the leader, which cannot be told apart, quality against cost."""

from typing import Any

from ragstone.findings.numbers import count, dollars, percent, score
from ragstone.findings.sweep import SweepCell, SweepReport
from ragstone.metrics.shared.quantities import Quantity
from ragstone.show.application import amount, change_text
from ragstone.show.document import (
    DASH,
    SIGNS,
    Document,
    Item,
    Point,
    Row,
    Scatter,
    Section,
    StyledText,
    Table,
    TableColumn,
    cut,
    dotted,
    line,
    listed,
    notes,
    quiet,
    section,
    strong,
)
from ragstone.show.render.json import plain
from ragstone.status import Status

SCHEMA = 1
"""Version of the JSON document, incremented with every incompatible change."""
_EFFICIENT = StyledText("◆", "yes")
_STATUSES: dict[str, Status] = {"left": "passed", "dropped": "missed", "failed": "not_measured"}
_CHEAPEST: dict[Quantity, str] = {
    "cost": "The cheapest of them is",
    "tokens": "That with the fewest tokens is",
    "latency": "The fastest of them is",
}
_SHOWN: tuple[Quantity, ...] = ("cost", "tokens", "latency")


def document(found: SweepReport) -> Document:
    """Return the sweep as a document."""
    plan = found.plan
    rungs = ", ".join(map(str, plan.rungs))
    facts = [
        dotted(
            line("objective ", strong(found.objective or plan.objective or DASH, 60)),
            f"{count(len(found.cells), 'setting')}, {count(plan.rungs[-1], 'question')}",
            *_judge(found),
        ),
        line(
            quiet(
                f"rungs of {rungs} questions; chance that a setting is dropped by one that is not better: at most "
                f"{percent(plan.error)}"
            )
        ),
    ]
    return Document(
        "sweep",
        line(strong(plan.name, 80)),
        tuple(facts),
        (_table(found), *_scatters(found), *_notes(found)),
        verdict(found),
        "passed" if found.exit_code == 0 else "not_measured",
        tuple(closing(found)),
    )


def verdict(found: SweepReport) -> str:
    """Return the result in two or three sentences."""
    if found.leader is None:
        why = f": {found.stopped}" if found.stopped else ""
        return f"Nothing could be compared{why}."
    left, total = found.left, len(found.cells)
    if found.complete:
        what = _told_apart(found)
    else:
        why = f" ({found.stopped})" if found.stopped else ""
        what = (
            f"The sweep is not finished{why}: after {found.rung} of {len(found.plan.rungs)} rungs {len(left)} of "
            f"{total} settings are left."
        )
    if found.cheapest is None or found.cheapest_by is None or len(left) == 1:
        return what
    name = found.cells[found.cheapest].name
    change = next((each.mean for each in found.saving if each.quantity == found.cheapest_by), None)
    beside = (
        ""
        if change is None
        else f", {change_text(change, found.cheapest_by)} than {found.cells[found.leader].name}"
    )
    if found.cheapest == found.leader:
        beside = ", which also has the highest mean"
    return f"{what} {_CHEAPEST[found.cheapest_by]} {name}{beside}."


def _told_apart(found: SweepReport) -> str:
    left, total = found.left, len(found.cells)
    if len(left) == 1:
        failed = ", or gave no answer" if any(cell.state == "failed" for cell in found.cells) else ""
        return f"{left[0].name} is the best: every other setting is shown to be worse{failed}."
    if len(left) == total:
        return f"The {total} settings cannot be told apart."
    return f"{len(left)} of {total} settings cannot be told apart: {'; '.join(cell.name for cell in left)}."


def _judge(found: SweepReport) -> list[str]:
    run = next((cell.run for cell in found.cells if cell.run is not None), None)
    return [] if run is None else [f"judge {run.run.plan.judge}", f"{run.run.plan.app}"]


def _quantities(found: SweepReport) -> tuple[Quantity, ...]:
    shown: list[Quantity] = [name for name in _SHOWN if any(name in cell.quantities for cell in found.cells)]
    return tuple(name for name in shown if name != "tokens" or "cost" not in shown)


def _table(found: SweepReport) -> Table:
    quantities = _quantities(found)
    columns = (
        TableColumn("setting"),
        TableColumn("n", number=True),
        TableColumn("mean", number=True),
        TableColumn("to the leader (95 % together)".replace("95 %", percent(1 - found.plan.error))),
        *(TableColumn(f"mean {name}", number=True) for name in quantities),
        TableColumn("efficient"),
    )
    order = sorted(range(len(found.cells)), key=lambda place: _rank(found, place))
    rows = tuple(_row(found, place, quantities) for place in order)
    note = (
        "✓ cannot be told apart from the leader, ✗ shown to be worse and not asked any more. ◆ no other setting is "
        "shown to be better in quality, cost or latency and worse in none."
    )
    return Table(columns, rows, note)


def _rank(found: SweepReport, place: int) -> tuple[int, float]:
    cell = found.cells[place]
    state = ("left", "dropped", "failed").index(cell.state)
    mean = cell.score if cell.score is not None else -1.0
    return state, -cell.questions if cell.state == "dropped" else (-mean if found.higher_is_better else mean)


def _row(found: SweepReport, place: int, quantities: tuple[Quantity, ...]) -> Row:
    cell = found.cells[place]
    sign = SIGNS[_STATUSES[cell.state]] if cell.questions or cell.state == "failed" else StyledText(DASH)
    amounts = (
        amount(cell.quantities[name], name) if name in cell.quantities else DASH for name in quantities
    )
    return Row(
        (
            line(sign, " ", strong(cell.name, 120) if cell.state == "left" else cut(cell.name, 120)),
            f"{cell.questions:,}",
            DASH if cell.score is None else score(cell.score),
            _difference(found, place),
            *amounts,
            line(_EFFICIENT) if cell.efficient else "",
        )
    )


def _difference(found: SweepReport, place: int) -> str:
    cell = found.cells[place]
    if place == found.leader:
        return "the leader"
    if cell.state == "failed":
        return "the application gave no answer"
    if cell.difference is None:
        return DASH
    sign = 1.0 if found.higher_is_better else -1.0
    ends = sorted((sign * cell.difference.interval.low, sign * cell.difference.interval.high))
    return f"{sign * cell.difference.difference:+.2f} ({ends[0]:+.2f} to {ends[1]:+.2f})"


def _scatters(found: SweepReport) -> tuple[Section, ...]:
    """Return quality against each of cost (or tokens) and latency; only a page draws them."""
    leader = None if found.leader is None else found.cells[found.leader].score
    if leader is None:
        return ()
    plots: list[Scatter] = []
    for name in _quantities(found):
        points = tuple(
            Point(cell.quantities[name], _quality(found, cell, leader), cell.name, _kind(cell))
            for cell in found.cells
            if cell.questions and name in cell.quantities
        )
        if points:
            ends = min(point.x for point in points), max(point.x for point in points)
            plots.append(
                Scatter(
                    points, f"mean {name}", found.objective, (amount(ends[0], name), amount(ends[1], name))
                )
            )
    return section("Quality against cost and latency", *plots) if plots else ()


def _quality(found: SweepReport, cell: SweepCell, leader: float) -> float:
    """Return the mean of the leader and the paired difference to it: settings of few questions are comparable too."""
    sign = 1.0 if found.higher_is_better else -1.0
    return leader if cell.difference is None else leader + sign * cell.difference.difference


def _kind(cell: SweepCell) -> Any:  # noqa: ANN401  (a literal)
    return "efficient" if cell.efficient else "left" if cell.state == "left" else "dropped"


def _notes(found: SweepReport) -> tuple[Section, ...]:
    texts: list[str] = []
    left = found.left
    if found.leader is not None and len(left) > 1:
        questions = count(found.cells[found.leader].questions, "question")
        texts.append(
            f"{questions}: too few to show any difference among {count(len(found.cells), 'setting')}."
            if found.detectable is None
            else f"{questions} show a difference to the leader of {found.detectable:.2f} in 80 % of such sweeps. That "
            "settings cannot be told apart does not mean that they are equal."
        )
    failures = [
        Item(line(strong(cell.name, 80), f"  {cut(cell.run.stopped, 300)}"), SIGNS["not_measured"])
        for cell in found.cells
        if cell.state == "failed" and cell.run is not None
    ]
    return section("Notes", *listed((*notes(texts), *failures)))


def closing(found: SweepReport) -> list[str]:
    """Return what the sweep took, and once it is finished what was saved against the full grid."""
    answers, whole = found.answers, found.all_answers
    share = f"{percent(1 - answers / whole)} saved" if answers < whole else "none saved"
    saved = "" if found.exit_code else f": {share}"
    calls = found.judge_calls
    judge = f"{count(calls, 'judge call')}" if answers else ""
    expected = round(calls * whole / answers) if answers else 0
    about = f" of about {expected:,} for the full grid" if expected > calls else ""
    cost = "" if not calls else f", {dollars(found.cost)}"
    return [
        f"{count(answers, 'answer')} of the application, of {whole:,} for the full grid{saved}.",
        *([f"{judge}{about}{cost}."] if calls else []),
    ]


_FIELDS = (
    "objective",
    "higher_is_better",
    "rung",
    "pending",
    "stopped",
    "complete",
    "exit_code",
    "detectable",
)


def values(found: SweepReport) -> dict[str, Any]:
    """Return the sweep as JSON has it."""
    return {
        "schema": SCHEMA,
        "name": found.plan.name,
        "verdict": verdict(found),
        **plain(found, *_FIELDS),
        **{name: getattr(found.plan, name) for name in ("rungs", "error")},
        "leader": _name(found, found.leader),
        "cheapest": _name(found, found.cheapest),
        "cheapest_by": found.cheapest_by,
        "saving": plain(found.saving),
        **plain(found, "answers", "all_answers", "judge_calls", "cost"),
        "settings": [_cell(cell) for cell in found.cells],
    }


def _name(found: SweepReport, place: int | None) -> str | None:
    return None if place is None else found.cells[place].name


def _cell(cell: SweepCell) -> dict[str, Any]:
    return {
        **plain(
            cell, "name", "settings", "state", "questions", "score", "difference", "quantities", "efficient"
        ),
        "run": None if cell.run is None else cell.run.run.id,
    }
