import os
from pathlib import Path

from tests.cli.command import invoke
from tests.testing.for_each import for_each

from ragstone.cli import COMMANDS
from ragstone.cli._exit_codes import ExitCode
from ragstone.findings.registry import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
HEADINGS = [f"ragstone {name}" for name in COMMANDS]


def help_of(command: str) -> str:
    """What `--help` prints, 78 columns wide."""
    return invoke(*command.split()[1:], "--help", terminal_width=78).output


@for_each("command", HEADINGS)
def test_the_page_shows_the_help_that_the_command_prints(command: str) -> None:
    before, heading, after = PAGE.read_text(encoding="utf-8").partition(f"## {command}\n\n```text\n")
    written, fence, rest = after.partition("```\n")
    if os.environ.get("RAGSTONE_UPDATE_REPORTS"):
        PAGE.write_text(f"{before}{heading}{help_of(command)}{fence}{rest}", encoding="utf-8")
        return
    assert written == help_of(command), (
        "RAGSTONE_UPDATE_REPORTS=1 pytest tests/cli/test_help_page.py writes it anew"
    )


@for_each("command", HEADINGS)
def test_page_lists_and_links_every_command(command: str) -> None:
    anchor = command.replace(" ", "-")
    assert f"| [`{command}`](#{anchor}) |" in PAGE.read_text(encoding="utf-8")


@for_each("command", HEADINGS)
def test_help_shows_no_click_line_break_marker(command: str) -> None:
    assert "\\b" not in help_of(command)  # click's sign, taken for a letter


def test_the_page_tells_every_exit_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"| {code} |" in text for code in (0, 1, *map(int, ExitCode)))


def test_the_page_tells_every_format() -> None:
    assert all(f"| `{suffix}` |" in PAGE.read_text(encoding="utf-8") for suffix in FORMATS)
