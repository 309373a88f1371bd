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
    Line,
    Point,
    Scatter,
    Section,
    StyledText,
    Table,
    cut,
    dotted,
    line,
    listed,
    notes,
    quiet,
    section,
    strong,
    table,
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
    objective = line("objective ", strong(found.objective or plan.objective or DASH, 60))
    grid = f"{count(len(found.cells), 'setting')}, {count(plan.rungs[-1], 'question')}"
    run = next((cell.run.run for cell in found.cells if cell.run is not None), None)
    asked = () if run is None else (f"judge {run.plan.judge}", f"{run.plan.app}")
    rule = (
        f"rungs of {', '.join(map(str, plan.rungs))} questions; chance that a setting is dropped by one that is not "
        f"better: at most {percent(plan.error)}"
    )
    return Document(
        "sweep",
        line(strong(plan.name, 80)),
        (dotted(objective, grid, *asked), line(quiet(rule))),
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
    beside = ""
    if found.cheapest == found.leader:
        beside = ", which also has the highest mean"
    elif change is not None:
        beside = f", {change_text(change, found.cheapest_by)} than {found.cells[found.leader].name}"
    return f"{what} {_CHEAPEST[found.cheapest_by]} {name}{beside}."


def _told_apart(found: SweepReport) -> str:
    left, total = found.left, len(found.cells)
    if len(left) == 1:
        failed = ", or gave no answer" if any(cell.state == "failed" for cell in found.cells) else ""
        return f"{left[0].name} is the best: every other setting is shown to be worse{failed}."
    if len(left) == total:
        return f"The {total} settings cannot be told apart."
    return f"{len(left)} of {total} settings cannot be told apart: {'; '.join(cell.name for cell in left)}."


def _quantities(found: SweepReport) -> tuple[Quantity, ...]:
    shown: list[Quantity] = [name for name in _SHOWN if any(name in cell.quantities for cell in found.cells)]
    return tuple(name for name in shown if name != "tokens" or "cost" not in shown)


def _table(found: SweepReport) -> Table:
    quantities = _quantities(found)
    means = [f"mean {name}" for name in quantities]
    leader = f"to the leader ({percent(1 - found.plan.error)} together)"
    order = sorted(range(len(found.cells)), key=lambda place: _rank(found, place))
    note = (
        "✓ cannot be told apart from the leader, ✗ shown to be worse and not asked any more. ◆ no other setting is "
        "shown to be better in quality, cost or latency and worse in none."
    )
    return table(
        ("setting", "n", "mean", leader, *means, "efficient"),
        (_row(found, place, quantities) for place in order),
        numbers=("n", "mean", *means),
        note=note,
    )


def _rank(found: SweepReport, place: int) -> tuple[int, float]:
    cell = found.cells[place]
    state = ("left", "dropped", "failed").index(cell.state)
    mean = cell.score if cell.score is not None else -1.0
    return state, -cell.questions if cell.state == "dropped" else (-mean if found.higher_is_better else mean)


def _row(found: SweepReport, place: int, quantities: tuple[Quantity, ...]) -> tuple[Line | str, ...]:
    cell = found.cells[place]
    sign = SIGNS[_STATUSES[cell.state]] if cell.questions or cell.state == "failed" else StyledText(DASH)
    held = cell.quantities
    return (
        line(sign, " ", strong(cell.name, 120) if cell.state == "left" else cut(cell.name, 120)),
        f"{cell.questions:,}",
        DASH if cell.score is None else score(cell.score),
        _difference(found, place),
        *(amount(held[name], name) if name in held else DASH for name in quantities),
        line(_EFFICIENT) if cell.efficient else "",
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
        cells = [cell for cell in found.cells if cell.questions and name in cell.quantities]
        points = tuple(_point(found, cell, cell.quantities[name], leader) for cell in cells)
        if points:
            ends = (amount(end(point.x for point in points), name) for end in (min, max))
            plots.append(Scatter(points, f"mean {name}", found.objective, (next(ends), next(ends))))
    return section("Quality against cost and latency", *plots)


def _point(found: SweepReport, cell: SweepCell, x: float, leader: float) -> Point:
    """Return a setting; its quality is the mean of the leader and the paired difference to it.

    So settings of few questions are comparable too.
    """
    sign = 1.0 if found.higher_is_better else -1.0
    quality = leader if cell.difference is None else leader + sign * cell.difference.difference
    kind = "efficient" if cell.efficient else "left" if cell.state == "left" else "dropped"
    return Point(x, quality, cell.name, kind)


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
    answers, whole, calls = found.answers, found.all_answers, found.judge_calls
    share = f"{percent(1 - answers / whole)} saved" if answers < whole else "none saved"
    saved = "" if found.exit_code else f": {share}"
    told = [f"{count(answers, 'answer')} of the application, of {whole:,} for the full grid{saved}."]
    if calls:
        expected = round(calls * whole / answers) if answers else 0
        about = f" of about {expected:,} for the full grid" if expected > calls else ""
        told.append(f"{count(calls, 'judge call') if answers else ''}{about}, {dollars(found.cost)}.")
    return told


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
_CELL = ("name", "settings", "state", "questions", "score", "difference", "quantities", "efficient")


def values(found: SweepReport) -> dict[str, Any]:
    """Return the sweep as JSON has it."""
    return {
        "schema": SCHEMA,
        "name": found.plan.name,
        "verdict": verdict(found),
        **plain(found, *_FIELDS),
        **plain(found.plan, "rungs", "error"),
        "leader": _name(found, found.leader),
        "cheapest": _name(found, found.cheapest),
        **plain(found, "cheapest_by", "saving", "answers", "all_answers", "judge_calls", "cost"),
        "settings": [
            {**plain(cell, *_CELL), "run": None if cell.run is None else cell.run.run.id}
            for cell in found.cells
        ],
    }


def _name(found: SweepReport, place: int | None) -> str | None:
    return None if place is None else found.cells[place].name
