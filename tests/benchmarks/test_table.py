from io import StringIO

from benchmarks.table import HEADINGS, Part, Row, markdown, milliseconds, terminal
from rich.console import Console

MET = Row("calls a second", "1,300", "aiohttp alone: 3,900", 1 / 3, ">= 1,200", met=True)
MISSED = Row("wall time", "9.00 s", "at best: 4.50 s", 2.0, "<= 1.15", met=False)
PLAIN = Row("server CPU a call", "0.07 ms")


def test_a_row_shows_ratio_and_verdict() -> None:
    assert MET.cells() == ("calls a second", "1,300", "aiohttp alone: 3,900", "0.33", ">= 1,200", "yes")
    assert MISSED.cells()[-1] == "NO"


def test_a_row_without_another_figure_leaves_the_cells_empty() -> None:
    assert PLAIN.cells() == ("server CPU a call", "0.07 ms", "", "", "", "")


def test_markdown_has_as_many_cells_in_every_line() -> None:
    text = markdown([Part("Speed", (MET, MISSED)), Part("Others", (), "not here")], "caption")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in lines} == {len(HEADINGS) + 1}
    assert lines[2].startswith("| **Speed** |")
    assert lines[-1].startswith("| *not here* |")
    assert text.endswith("\n\ncaption")


def test_the_terminal_shows_every_section_row_and_note() -> None:
    shown = StringIO()
    parts = [Part("Speed", (MET, PLAIN)), Part("Others", (), "not here")]
    Console(file=shown, width=130).print(terminal(parts, "two cores"))
    for text in ("Speed", "1,300", "0.33", "server CPU a call", "not here", "two cores"):
        assert text in shown.getvalue()


def test_a_short_time_keeps_two_digits() -> None:
    assert milliseconds(0.00071) == "0.71 ms"
    assert milliseconds(0.0712) == "71 ms"
    assert milliseconds(2.5) == "2,500 ms"
