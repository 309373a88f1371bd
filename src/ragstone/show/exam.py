"""The exam of a judge: what it says of flawed and of sound answers, what it misses, what it is fit for."""

from typing import Any

from ragstone.findings.exam import ExamReport
from ragstone.findings.numbers import count, dollars, duration, percent
from ragstone.show import judge_card
from ragstone.show.document import (
    DASH,
    Document,
    Item,
    Row,
    Table,
    TableColumn,
    dotted,
    first,
    line,
    section,
    strong,
)
from ragstone.show.render.json import plain
from ragstone.stats.exam import ExamFigure, Fitness
from ragstone.status import Status

_SCHEMA = 1
_COLUMNS = (
    TableColumn(""),
    TableColumn("flawed flagged", number=True),
    TableColumn("sound flagged", number=True),
    TableColumn("decided", number=True),
    TableColumn("balanced accuracy", style="strong"),
)

_STATUS: dict[Fitness, Status] = {
    "fit to decide cases": "passed",
    "fit for means only": "undecided",
    "not fit": "missed",
}


def document(found: ExamReport) -> Document:
    """Return the exam as a document."""
    report = found.report
    facts = dotted(f"{len(report.cases)} cases of the packaged exam", count(found.calls, "judge call"))
    rows = tuple(
        Row(
            (
                name,
                f"{figure.flawed_flagged} of {figure.flawed}",
                f"{figure.sound_flagged} of {figure.sound}",
                _decided(figure),
                _accuracy(figure),
            )
        )
        for name, figure in (("answer", found.answers), ("passages", found.contexts))
    )
    missed = [
        Item(line(f"{kind.replace('_', ' ')}: {number} of {found.flaws[kind]} passed"))
        for kind, number in found.missed_flaws.most_common()
    ]
    biases = () if found.biases is None else section("bias and consistency", *found.biases.document().blocks)
    fit = found.answers.fitness
    return Document(
        "exam",
        line(strong(found.judge, 60)),
        (facts,),
        (Table(_COLUMNS, rows), *section("flaws that it passes", first(missed, None)), *biases),
        f"{found.judge}: {fit}.",
        _STATUS[fit],
        (f"{dollars(report.cost)} · {duration(report.seconds)}",),
    )


def _decided(figure: ExamFigure) -> str:
    right = f", {percent(figure.right / figure.decided)} right" if figure.decided else ""
    return f"{figure.decided} of {figure.n}{right}"


def _accuracy(figure: ExamFigure) -> str:
    if figure.balanced_accuracy is None or figure.interval is None:
        return "none: it does not decide both kinds"
    return f"{figure.balanced_accuracy:.2f} ({figure.interval.low:.2f}{DASH}{figure.interval.high:.2f})"


def values(found: ExamReport) -> dict[str, Any]:
    """Return the exam as JSON has it."""
    return {
        "schema": _SCHEMA,
        "judge": found.judge,
        "run": found.report.run.id,
        "sentence": found.sentence(),
        "fitness": found.answers.fitness,
        **plain(found, "answers", "contexts", "flaws", "missed_flaws", "calls"),
        **plain(found.report, "cost", "seconds"),
        "biases": None if found.biases is None else judge_card.values(found.biases),
    }
