from pathlib import Path

from tests.cli.command import invoke
from tests.testing.for_each import for_each

from ragstone.cli import COMMANDS
from ragstone.cli._exit_codes import ExitCode
from ragstone.findings.registry import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"


@for_each("command", COMMANDS)
def test_help_shows_no_click_line_break_marker(command: str) -> None:
    shown = invoke(command, "--help", terminal_width=78).output
    assert shown.startswith(f"Usage: ragstone {command} ")
    assert "\\b" not in shown  # click's sign, taken for a letter


def test_help_describes_an_option_that_the_signature_and_the_docstring_define() -> None:
    shown = " ".join(invoke("agree", "--help", terminal_width=78).output.split())
    assert "--worst N Number of disagreements to show. [default: 5; x>=0]" in shown
    assert "Examples: ragstone agree labelled.jsonl -m faithfulness" in shown


def test_the_page_tells_every_exit_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"| {code} |" in text for code in (0, 1, *map(int, ExitCode)))


def test_the_page_tells_every_format() -> None:
    assert all(f"| `{suffix}` |" in PAGE.read_text(encoding="utf-8") for suffix in FORMATS)
