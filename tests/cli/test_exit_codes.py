import errno

import click
from click.testing import CliRunner, Result
from tests.cli.command import APART
from tests.testing.for_each import for_each

from ragstone.cli._exit_codes import VERBOSE, exit_on_errors
from ragstone.errors import BadOption, StoreError


def outcome(error: BaseException, *, verbose: bool = False, env: dict[str, str] | None = None) -> Result:
    @click.command()
    @click.pass_context
    def command(ctx: click.Context) -> None:
        ctx.meta[VERBOSE] = verbose
        with exit_on_errors(ctx):
            raise error

    return CliRunner(**APART).invoke(command, env={"RAGSTONE_TRACEBACK": None, **(env or {})})


@for_each(
    "error, code, said",
    [
        (BadOption("threshold=2 is no score"), 2, "ragstone: error: threshold=2 is no score\n"),
        (StoreError("no such run"), 3, "ragstone: error: no such run\n"),
        (KeyboardInterrupt(), 130, "ragstone: stopped.\n"),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_every_error_has_its_code_and_one_message(error: BaseException, code: int, said: str) -> None:
    done = outcome(error)
    assert (done.exit_code, done.stdout, done.stderr) == (code, "", said)


def test_internal_error_exits_70_and_asks_for_a_report() -> None:
    done = outcome(ZeroDivisionError("division by zero"))
    assert done.exit_code == 70
    assert "ZeroDivisionError: division by zero" in done.stderr
    assert "Please report it." in done.stderr
    assert "Traceback" not in done.stderr


def test_the_traceback_is_shown_on_demand() -> None:
    assert "Traceback" in outcome(BadOption("x"), verbose=True).stderr
    assert "Traceback" in outcome(BadOption("x"), env={"RAGSTONE_TRACEBACK": "1"}).stderr
    assert "Traceback" not in outcome(BadOption("x"), env={"RAGSTONE_TRACEBACK": "0"}).stderr


def test_error_messages_contain_no_terminal_escapes() -> None:
    assert "\x1b" not in outcome(BadOption("got '\x1b[2J'")).stderr


@for_each("wrapped", [False, True])
def test_the_limit_of_open_files_is_no_bug(wrapped: bool) -> None:  # noqa: FBT001
    limit = OSError(errno.EMFILE, "Too many open files", "x.py")
    error: Exception = limit
    if wrapped:
        error = ImportError("x")
        error.__cause__ = limit
    done = outcome(error)
    assert done.exit_code == 3
    assert (
        done.stderr
        == "ragstone: error: too many open files: raise the limit of this shell (`ulimit -n 256`).\n"
    )


def test_name_of_a_file_that_is_too_long_is_no_bug() -> None:
    done = outcome(OSError(errno.ENAMETOOLONG, "File name too long", "x" * 300))
    assert done.exit_code == 2
    assert "a word of this command is too long for the name of a file" in done.stderr
    assert "bug" not in done.stderr
