"""Exit codes of the command, and one readable message for each error.

0 all passed · 1 something missed its threshold · 2 the command was wrong, nothing ran · 3 something
could not be measured. Beyond these: 70 a fault of ragstone's own, 74 a file could not be written, 130 Ctrl-C or
SIGTERM.
"""

import errno
import os
import sys
import traceback
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import NoReturn

import click

from ragstone.cli._log import Level, tell
from ragstone.errors import RagstoneError, UsageError, without_passwords

VERBOSE = "ragstone.verbose"
"""Key of `ctx.meta` for --verbose."""

_TRACEBACK_VARIABLE = "RAGSTONE_TRACEBACK"
_WRITE_ERRNOS = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG)
"""Error numbers of a failed write to standard output, such as on a full disk."""


class ExitCode(IntEnum):
    """Exit codes beyond those of a report."""

    WRONG_COMMAND = 2
    NOT_MEASURED = 3
    FAULT = 70
    NOT_WRITTEN = 74
    INTERRUPTED = 130


@contextmanager
def exit_on_errors(ctx: click.Context) -> Generator[None]:
    """Turn an exception into a message on standard error and an exit code."""
    try:
        yield
    except (click.exceptions.Exit, click.ClickException):
        raise
    except (KeyboardInterrupt, click.Abort):
        _exit_interrupted(ctx)
    except BrokenPipeError:
        redirect_stdout_to_null()
        ctx.exit(0)
    except OSError as error:
        if error.filename is not None or error.errno not in _WRITE_ERRNOS:
            _exit_with_fault(ctx, error)
        redirect_stdout_to_null()
        _print_error(ctx, error, f"standard output could not be written: {error.strerror}")
        ctx.exit(ExitCode.NOT_WRITTEN)
    except UsageError as error:
        _print_error(ctx, error, str(error))
        ctx.exit(ExitCode.WRONG_COMMAND)
    except RagstoneError as error:
        _print_error(ctx, error, str(error))
        ctx.exit(ExitCode.NOT_MEASURED)
    except Exception as error:  # noqa: BLE001  (users get a message, not a traceback)
        if any(isinstance(cause, KeyboardInterrupt) for cause in _causes(error)):
            _exit_interrupted(ctx)
        _exit_with_fault(ctx, error)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what caused it: another exception may wrap an interrupt in a callback or an import."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _exit_interrupted(ctx: click.Context) -> NoReturn:
    # Nothing is imported: Ctrl-C may have come in the middle of an import.
    tell("ragstone: stopped.")
    ctx.exit(ExitCode.INTERRUPTED)


def _exit_with_fault(ctx: click.Context, error: Exception) -> NoReturn:
    numbers = {cause.errno for cause in _causes(error) if isinstance(cause, OSError)}
    if errno.ENAMETOOLONG in numbers:
        _print_error(
            ctx, error, f"a word of this command is too long for the name of a file: {str(error)[:200]}…"
        )
        ctx.exit(ExitCode.WRONG_COMMAND)
    if numbers & {errno.EMFILE, errno.ENFILE}:
        _print_error(ctx, error, "too many open files: raise the limit of this shell (`ulimit -n 256`).")
        ctx.exit(ExitCode.NOT_MEASURED)
    how = f". Set {_TRACEBACK_VARIABLE}=1 to see where it happened."
    how = " with the traceback above." if _wants_traceback(ctx) else how
    description = f"{type(error).__name__}: {error}\nPlease report it{how}"
    _print_error(ctx, error, f"a bug in ragstone, not in your input: {description}")
    ctx.exit(ExitCode.FAULT)


def _print_error(ctx: click.Context, error: Exception, message: str) -> None:
    if _wants_traceback(ctx):
        traceback.print_exception(error)
    print_message(f"error: {message}", "error")


def _wants_traceback(ctx: click.Context) -> bool:
    return bool(ctx.meta.get(VERBOSE)) or os.environ.get(_TRACEBACK_VARIABLE, "0") not in ("", "0")


def print_message(message: str, level: Level = "info") -> None:
    """Print a message on standard error. Control characters, which a dataset may contain, and passwords are escaped."""
    from ragstone.findings.printable import printable  # noqa: PLC0415  (only needed for a message)

    tell(f"ragstone: {printable(without_passwords(message))}", level)


def redirect_stdout_to_null() -> None:
    """Discard further output: the reader of the pipe has closed it, which is no error."""
    with suppress(OSError):  # no file descriptor, as in a notebook
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)
