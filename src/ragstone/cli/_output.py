"""What a command shows and writes: documents, JSON, output files, the job summary of GitHub Actions."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ragstone.atomic import atomic_write
from ragstone.cli._exit_codes import ExitCode, print_message, redirect_stdout_to_null
from ragstone.errors import BadOption, UnknownName
from ragstone.findings.registry import Renderable

if TYPE_CHECKING:  # not needed with `quiet`
    from ragstone.show.document import Document

_RENDERINGS: dict[str, Callable[[Renderable], str]] = {
    ".json": lambda found: found.to_json(),
    ".md": lambda found: found.to_markdown(),
    ".html": lambda found: found.to_html(),
}
_SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
_MAX_SUMMARY_BYTES = 1_048_576
"""GitHub drops a longer summary completely, so a report that would exceed it is left out."""


def check_outputs(outputs: Sequence[str], *inputs: str | None) -> None:
    """Check, before the command does anything else, that every output can be written and is none of its inputs."""
    check_distinct(outputs, *inputs)
    for output in outputs:
        path = Path(output)
        if path.suffix.lower() not in _RENDERINGS:
            raise UnknownName("format", path.suffix.lower() or output, _RENDERINGS)
        if path.is_dir() or not path.parent.is_dir():
            problem = "is a folder" if path.is_dir() else f": there is no folder {path.parent}"
            raise BadOption(f"--output {path} {problem}; write the path of a file in a folder that exists")


def check_distinct(outputs: Sequence[str], *inputs: str | None) -> None:
    """Refuse to write over a file that the command reads."""
    read = [Path(name) for name in inputs if name and Path(name).is_file()]
    for output in map(Path, outputs):
        if output.is_file() and any(output.samefile(path) for path in read):
            raise BadOption(f"--output {output} is a file that this command reads; write the path of another")


def print_document(document: "Document", file: IO[str] | None = None) -> None:
    """Print a document on `file`, else on standard output. Nothing happens where its reader has gone."""
    from ragstone.show.render.console import plain_console, show  # noqa: PLC0415  (not needed with `quiet`)

    with suppress(BrokenPipeError):
        show(document, plain_console(file or sys.stdout))
        return
    redirect_stdout_to_null()


def print_json(values: Mapping[str, Any] | Sequence[Any]) -> None:
    """Print values as JSON on standard output."""
    from ragstone.show.render.json import render  # noqa: PLC0415  (imports statistics)

    click.echo(render(values), nl=False)


def print_result(found: Renderable, *, as_json: bool, quiet: bool, **options: Any) -> None:  # noqa: ANN401  (of its document)
    """Print a result: as JSON, else as a document unless `quiet`. The summary of a CI step gets it, unless `quiet`."""
    if as_json:
        click.echo(found.to_json(), nl=False)
    elif not quiet:
        print_document(found.document(**options))
    if not quiet:
        append_step_summary(found)


def write_outputs(found: Renderable, outputs: Sequence[str], *, quiet: bool) -> int:
    """Write the result to every output; return 0, or `ExitCode.NOT_WRITTEN` if an output could not be written."""
    codes = [
        save(output, _RENDERINGS[Path(output).suffix.lower()](found), "" if quiet else f"written: {output}")
        for output in outputs
    ]
    return max(codes, default=0)


def save(path: str | Path, text: str, told: str = "") -> int:
    """Write a text to a file, completely or not at all, and print `told`; return the exit code."""
    return saved(partial(_write, Path(path), text), path, told)


def saved(write: Callable[[], object], path: str | Path, told: str = "") -> int:
    """Call what writes a file, and print `told`; return 0, or `ExitCode.NOT_WRITTEN` if the file was not written."""
    try:
        write()
    except OSError as error:
        print_message(f"error: {path} could not be written: {error.strerror or error}")
        return ExitCode.NOT_WRITTEN
    if told:
        print_message(told)
    return 0


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text.encode())


def append_step_summary(found: Renderable) -> None:
    """Append the report, as Markdown, to the summary of the step, if there is one.

    The summary is optional: if it cannot be written, a message is printed and the exit code does not change.
    """
    path = os.environ.get(_SUMMARY_VARIABLE, "")
    if not path:
        return
    addition = f"{found.to_markdown()}\n".encode()
    try:
        with Path(path).open("ab") as file:
            if file.tell() + len(addition) > _MAX_SUMMARY_BYTES:
                print_message(f"the step summary is full ({_SUMMARY_VARIABLE}): this report was not added.")
            else:
                file.write(addition)
    except OSError as error:
        problem = error.strerror or error
        print_message(f"the step summary could not be written ({_SUMMARY_VARIABLE}): {problem}")
