"""`ragstone draft`: a test set drafted from documents."""

from pathlib import Path
from typing import Any, cast

import click

from ragstone.atomic import atomic_write
from ragstone.cli._documents import json_option, print_document
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._options import run_options
from ragstone.drafts import draft
from ragstone.drafts.candidate import KINDS, QuestionKind
from ragstone.drafts.drafting import DraftRequest
from ragstone.drafts.estimate import estimate_draft
from ragstone.drafts.judged.asker import DraftOptions
from ragstone.errors import BadOption
from ragstone.findings.fingerprint import hash_test_set
from ragstone.judges import get_judge
from ragstone.options import Limits, Pace
from ragstone.show.drafts import document
from ragstone.show.render import html


@click.command("draft")
@click.argument("documents", nargs=-1, required=True, metavar="DOCS...")
@click.option(
    "--size", type=click.IntRange(min=1), default=200, show_default=True, help="Number of questions."
)
@click.option(
    "--judge",
    metavar="SPEC",
    help="Language model that writes and checks the questions: openai[:MODEL], anthropic[:MODEL], ollama[:MODEL], "
    "litellm:MODEL, or package.module:Class.",
)
@click.option(
    "--no-llm",
    is_flag=True,
    help="Write the questions with rules, without a language model: for retriever metrics. Nothing is sent.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random sample.")
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
    help="Share of the documents to leave out of the index under test, which makes their questions unanswerable. The "
    "documents are listed in a file next to the output.",
)
@run_options(Limits)
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="Maximum number of concurrent judge calls.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    help="Timeout of one judge call, in seconds.",
)
@click.option(
    "--estimate", is_flag=True, help="Print the estimated calls, tokens and cost, and send nothing."
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
@click.option(
    "--report",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write an HTML page with the coverage of the set and the outcome of the candidates.",
)
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write the file and exit.")
def command(
    documents: tuple[str, ...],
    *,
    judge: str | None,
    no_llm: bool,
    estimate: bool,
    output: str,
    report: str | None,
    as_json: bool,
    quiet: bool,
    **flags: Any,  # noqa: ANN401  (size, seed, kinds, holdout, limits and pace)
) -> int:
    """Draft a test set from DOCS: files and folders of Markdown, HTML, text or PDF, or JSON lines of passages.

    Each question is based on a verbatim quote, lists the passages that answer it, and records what was checked and by
    whom. Passages from JSON lines, {"id": …, "text": …, "document": …}, keep the ids of your index.

    The judge's answers are stored in FILE.journal: after a crash, the same command continues and repeats no request.

    \b
    Exit codes:
      0  as many questions as requested
      2  the command was wrong; nothing was written
      3  fewer questions than requested; the table shows why

    \b
    Examples:
      ragstone draft docs/ --no-llm
      ragstone draft docs/ --judge openai:gpt-4o-mini --max-cost 5
      ragstone draft chunks.jsonl --size 100 --no-llm --output questions.jsonl
      ragstone draft docs/ --no-llm --report coverage.html
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    if no_llm == (judge is not None):
        raise BadOption(
            "Give either --judge SPEC, to write the questions with a language model, or --no-llm, to use rules."
        )
    kinds = cast("tuple[QuestionKind, ...]", flags["kinds"] or KINDS)
    request = DraftRequest(flags["size"], flags["seed"], kinds, flags["holdout"])
    if estimate and as_json:
        raise BadOption(
            "--json writes the figures of a draft, and --estimate drafts nothing: give one of them"
        )
    if estimate:
        estimated = (
            estimate_draft(documents, get_judge(judge, offline=True), request) if judge else _RULES_ESTIMATE
        )
        click.echo(str(estimated))
        return 0
    target = _target("--output", output)
    page = _target("--report", report) if report else None
    draft_set = draft(
        documents,
        size=request.size,
        judge=judge,
        seed=request.seed,
        kinds=kinds,
        holdout=request.holdout,
        journal=target.with_name(f"{target.name}.journal") if judge else None,
        options=_options(flags),
    )
    draft_set.save(target)
    digest = hash_test_set(draft_set.cases)
    if page is not None:
        with atomic_write(page) as file:
            file.write(html.render(document(draft_set.figures, digest)).encode())
    if as_json:
        click.echo(draft_set.figures.to_json(), nl=False)
    elif not quiet:
        print_document(document(draft_set.figures, digest, _MAX_ROWS))
    if not quiet:
        print_message(f"written: {output}")
    return 0 if draft_set.yields.complete else int(ExitCode.NOT_MEASURED)


_MAX_ROWS = 12
_RULES_ESTIMATE = "0 calls: rules write the questions. Nothing was sent."


def _options(flags: dict[str, Any]) -> DraftOptions:
    limits = Limits.read(**{name: flags[name] for name in Limits.model_fields})
    return DraftOptions(limits, Pace.read(concurrency=flags["concurrency"], timeout=flags["timeout"]))


def _target(option: str, name: str) -> Path:
    target = Path(name)
    if not target.parent.is_dir():
        raise BadOption(
            f"{option} {name}: there is no folder {target.parent}; name a file in a folder that exists"
        )
    return target
