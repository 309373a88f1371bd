"""What holds the documentation to its word does notice where it is broken."""

from pathlib import Path

import pytest
from tests.docs import _page, _shell
from tests.docs._page import Block
from tests.docs._stage import environment


def block(text: str) -> Block:
    page = _page.ROOT / "docs" / "page.md"
    (found,) = [piece for piece in _page._blocks(page, text) if piece.runs]
    return found


def problems(tmp_path: Path, text: str) -> str:
    return "\n".join(_shell.run(_shell.commands(block(text)), tmp_path, environment(tmp_path, {})))


def test_successful_commands_report_no_problem(tmp_path: Path) -> None:
    assert problems(tmp_path, "```sh\necho a > file   # a comment\n\n# another\ncat \\\n  file\n```\n") == ""


def test_failing_command_is_reported_with_place_and_output(tmp_path: Path) -> None:
    found = problems(tmp_path, "text\n\n```sh\ntrue\nls nowhere\n```\n")
    assert "page.md:5: `ls nowhere` exited with 2, not 0" in found
    assert "No such file" in found


def test_exit_codes_are_compared_with_the_page(tmp_path: Path) -> None:
    text = "<!-- exit codes: 1 0 -->\n```sh\nfalse\n{}\n```\n"
    assert problems(tmp_path, text.format("true")) == ""
    assert "exited with 1, not 0" in problems(tmp_path, text.format("false"))
    with pytest.raises(ValueError, match="2 exit codes for 1 commands"):
        problems(tmp_path, text.format(""))


def test_command_that_exits_the_shell_is_reported(tmp_path: Path) -> None:
    assert "ended the shell" in problems(tmp_path, "```sh\nexit 0\ntrue\n```\n")


def test_first_comment_runs_before_the_block(tmp_path: Path) -> None:
    assert problems(tmp_path, "<!-- first: echo a > file -->\n```console\n$ cat file\na\n```\n") == ""


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ("a 1\nb\nc", ""),
        ("a …\nb\nc", ""),
        ("a 1\n…\nc", ""),
        ("…\nc", ""),
        ("a 1\nb", "printed"),
        ("a 2\nb\nc", "printed"),
        ("a 1\nc", "printed"),
        ("b\n…", "printed"),
    ],
)
def test_console_output_is_compared_with_the_page(shown: str, told: str, tmp_path: Path) -> None:
    assert not _shell.printed_as((), "a\n")
    found = problems(tmp_path, f"```console\n$ printf 'a 1\\nb\\nc\\n'\n{shown}\n```\n")
    assert bool(found) is bool(told)
    assert told in found


def test_a_file_is_read_from_a_comment_or_from_the_block_behind_one() -> None:
    text = '<!-- file: a.json\n{"a": 1}\n-->\n<!-- file: b.toml -->\n```toml\nb = 2\n```\n'
    found = list(_page._blocks(_page.ROOT / "page.md", text))
    assert [(piece.notes["file"], piece.code) for piece in found] == [
        ("a.json", '{"a": 1}\n'),
        ("b.toml", "b = 2\n"),
    ]


def test_comment_applies_only_to_the_block_directly_after() -> None:
    text = "<!-- not run: a reason -->\nText between.\n\n```sh\ntrue\n```\n"
    (found,) = _page._blocks(_page.ROOT / "page.md", text)
    assert found.kept_back is None
