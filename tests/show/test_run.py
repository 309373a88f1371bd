import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from tests.findings.sample import HOSTILE, case, fixed_report, report_of, result
from tests.findings.snapshot import holds, shows
from tests.testing.for_each import for_each
from tests.testing.outcome import OUTPUTS, Outcome, outcomes

from ragstone import evaluate
from ragstone.findings import Report
from ragstone.show.render.console import plain_console, show

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def shown(report: Report, width: int = 110, *, encoding: str = "utf-8", cases: int | None = 5) -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    show(report.document(cases), plain_console(file, width=width))
    file.flush()
    return file.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


def coloured(report: Report, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("NO_COLOR", raising=False)
    file = io.StringIO()
    console = Console(
        file=file, width=110, force_terminal=True, color_system="truecolor", markup=False, emoji=False
    )
    show(report.document(), console)
    return file.getvalue()


@for_each("width", [60, 110])
def test_terminal_report_matches_its_snapshot(width: int) -> None:
    assert holds(f"terminal-{width}.txt", shown(fixed_report(), width))


def test_ascii_terminal_report_matches_its_snapshot() -> None:
    text = shown(fixed_report(), 60, encoding="ascii")
    assert text.isascii()
    assert holds("terminal-ascii.txt", text)


@for_each("width", [20, 40, 60, 80, 95, 96, 120, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(len, shown(fixed_report(), width).splitlines())) <= width


@pytest.mark.parametrize("width", [60, 110])
@for_each("encoding", ["utf-8", "ascii", "cp1252", "latin-1"])
def test_hostile_text_leaves_no_control_characters(width: int, encoding: str) -> None:
    text = shown(report_of(HOSTILE), width, encoding=encoding)
    assert not [sign for sign in text if ord(sign) < 32 and sign != "\n"]
    assert not [sign for sign in text if sign in "\x7f\x9b\u202e\u2066\u2028"]


def test_hostile_text_is_not_interpreted_as_markup(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = coloured(report_of(HOSTILE), monkeypatch)
    assert COLOUR.search(text)
    bare = COLOUR.sub("", text)
    assert "\x1b" not in bare
    assert "[bold red]loud[/]" in bare
    assert ":smile:" in bare


def test_a_pipe_gets_no_colours_and_no_blanks_at_line_ends() -> None:
    text = shown(fixed_report())
    assert "\x1b" not in text
    assert not re.search(r" $", text, re.MULTILINE)


def test_coloured_report_has_the_same_text_as_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its colours the report still says everything: it is the same text."""
    plain = shown(fixed_report())
    bare = re.sub(r" +$", "", COLOUR.sub("", coloured(fixed_report(), monkeypatch)), flags=re.MULTILINE)
    assert bare == plain


def test_table_has_interval_n_failed_and_passed_columns() -> None:
    heads = ["mean", "95 % interval", " n ", "skipped", "passed"]
    line = next(line for line in shown(fixed_report()).splitlines() if line.startswith("metric"))
    assert [line.index(head) for head in heads] == sorted(line.index(head) for head in heads)


def test_fewer_than_ten_cases_are_too_few_to_say() -> None:
    (line,) = [line for line in shown(fixed_report()).splitlines() if line.startswith("Helpful")]
    assert "too few to say" in line
    assert "4 of 4" in line


def test_an_unknown_price_is_said_to_be_unknown() -> None:
    assert "price unknown" in shown(fixed_report())


def test_all_cases_are_shown_on_demand() -> None:
    item = case(1)
    report = replace(fixed_report(), cases=[item] * 9, results=[[result(item, 0.1)]] * 9)
    assert shown(report).count("✗ Faithfulness") == 5
    assert "5 of 9 cases" in shown(report)
    assert shown(report, cases=None).count("✗ Faithfulness") == 9


def test_report_without_measurements_is_shown() -> None:
    report = replace(fixed_report(), cases=[], results=[], complete=False)
    assert "Nothing was measured" in shown(report)
    item = case(1)
    failed = replace(report, cases=[item], results=[[result(item, None, error="TimedOut: late")]])
    assert "nothing measured" in shown(failed)


def test_read_a_report_page_shows_the_sample_report() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "read-a-report.md"
    assert shows(page, shown(fixed_report()))


def test_labels_are_one_bar_with_counts_and_intervals() -> None:
    report = evaluate(outcomes(*OUTPUTS), [Outcome()])
    text = shown(report).partition("LABELS")[2].partition("✓")[0]
    assert holds("terminal-labels.txt", f"LABELS{text}")
    assert shown(report, encoding="ascii").isascii()
