"""Output files that a command writes in addition to its terminal output.

The suffix selects the format. A file is written completely or not at all.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, TypeVar

import click

from ragstone.atomic import atomic_write
from ragstone.cli._exit_codes import ExitCode, print_message, redirect_stdout_to_null
from ragstone.cli._step_summary import append_step_summary
from ragstone.errors import BadOption, UnknownName
from ragstone.findings.registry import Renderable
from ragstone.show.document import Document

F = TypeVar("F", bound=Callable[..., Any])
_RENDERINGS: dict[str, Callable[[Renderable], str]] = {
    ".json": lambda found: found.to_json(),
    ".md": lambda found: found.to_markdown(),
    ".html": lambda found: found.to_html(),
}

json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write the result as JSON to standard output, and nothing else.",
)

_documents_option = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Also write the result to FILE: .md, .json or .html. May be given several times.",
)


def documents_option(command: F) -> F:
    """Add --output for a document, and --json."""
    return _documents_option(json_option(command))


def check_outputs(outputs: Sequence[str]) -> None:
    """Check, before the command does anything else, that every output can be written.

    Raises:
        UnknownName: no format has that suffix.
        BadOption: the folder does not exist, or the path is a folder.
    """
    for output in outputs:
        path = Path(output)
        if path.suffix.lower() not in _RENDERINGS:
            raise UnknownName("format", path.suffix.lower() or output, _RENDERINGS)
        if path.is_dir() or not path.parent.is_dir():
            problem = "is a folder" if path.is_dir() else f": there is no folder {path.parent}"
            raise BadOption(f"--output {path} {problem}; write the path of a file in a folder that exists")


def print_document(document: Document, file: IO[str] | None = None) -> None:
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
    code = 0
    for output in outputs:
        path = Path(output)
        try:
            with atomic_write(path) as file:
                file.write(_RENDERINGS[path.suffix.lower()](found).encode())
        except OSError as error:
            print_message(f"error: {output} could not be written: {error.strerror or error}")
            code = int(ExitCode.NOT_WRITTEN)
        else:
            if not quiet:
                print_message(f"written: {output}")
    return code
