"""`ragstone draft`: from documents to a test set."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import cast

import click

from ragstone.cli._exit_codes import ExitCode, print_message, redirect_stdout_to_null
from ragstone.drafts import DraftSet, draft
from ragstone.drafts.candidate import KINDS, QuestionKind
from ragstone.errors import BadOption
from ragstone.reports.console.styles import plain_console
from ragstone.reports.drafts.console import show


@click.command("draft")
@click.argument("documents", nargs=-1, required=True, metavar="DOCS...")
@click.option(
    "--size", type=click.IntRange(min=1), default=200, show_default=True, help="How many questions."
)
@click.option(
    "--no-llm", is_flag=True, help="Let rules write the questions: no language model, nothing is sent."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Decides what is sampled.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="A kind of question; all of them by default. May be given several times.",
)
@click.option(
    "--holdout",
    type=click.FloatRange(min=0, max=1, max_open=True),
    default=0.0,
    metavar="SHARE",
    help="Share of the documents to leave out of the index under test: their questions become unanswerable. They are "
    "listed in a file beside the output.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    default="draft.jsonl",
    show_default=True,
    metavar="FILE",
    help="The test set, as JSON lines for `ragstone run`.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write the file and exit.")
def command(
    documents: tuple[str, ...],
    *,
    size: int,
    no_llm: bool,
    seed: int,
    kinds: tuple[str, ...],
    holdout: float,
    output: str,
    quiet: bool,
) -> int:
    """Draft a test set from DOCS: files and folders of Markdown, HTML, text or PDF, or JSON lines of passages.

    Each question rests on a verbatim quote, has the passages that answer it, and says what was checked and by whom.
    Passages of your own, {"id": …, "text": …, "document": …} a line, keep the ids of your index.

    \b
    Exit codes:
      0  as many questions as wanted
      2  the command was wrong; nothing was written
      3  fewer questions than wanted: the table says why

    \b
    Examples:
      ragstone draft docs/ --no-llm
      ragstone draft chunks.jsonl --size 100 --no-llm --output questions.jsonl
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    if not no_llm:
        raise BadOption("Say who writes the questions: --no-llm lets rules write them.")
    target = Path(output)
    if not target.parent.is_dir():
        raise BadOption(
            f"--output {output}: there is no folder {target.parent}; name a file in a folder that exists"
        )
    names = cast("tuple[QuestionKind, ...]", kinds or KINDS)
    found = draft(documents, size=size, seed=seed, kinds=names, holdout=holdout)
    found.save(target)
    if not quiet:
        _show(found)
        print_message(f"written: {output}")
    return 0 if found.yields.complete else int(ExitCode.NOT_MEASURED)


def _show(found: DraftSet) -> None:
    with suppress(BrokenPipeError):
        show(found, plain_console(sys.stdout))
        return
    redirect_stdout_to_null()
