"""`ragstone draft`: a test set drafted from documents."""

from pathlib import Path
from typing import Annotated

import click

from ragstone.atomic import atomic_write
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._options import Flags, Json, Quiet
from ragstone.cli._output import print_document
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

_FILE = click.Path(dir_okay=False, path_type=Path)
_MAX_ROWS = 12


@subcommand("draft")
def command(
    documents: Annotated[tuple[str, ...], OptionSpec(required=True, metavar="DOCS...")],
    *,
    size: Annotated[int, OptionSpec(type=click.IntRange(min=1))] = 200,
    judge: Annotated[str | None, OptionSpec(metavar="SPEC")] = None,
    no_llm: bool = False,
    seed: int = 0,
    kinds: Annotated[
        tuple[QuestionKind, ...], OptionSpec("--kind", type=click.Choice(KINDS), multiple=True)
    ] = (),
    holdout: Annotated[
        float, OptionSpec(type=click.FloatRange(min=0, max=1, max_open=True), metavar="SHARE")
    ] = 0.0,
    flags: Annotated[Flags, Limits],
    concurrency: Annotated[int, OptionSpec(type=click.IntRange(min=1))] = 8,
    timeout: Annotated[float, OptionSpec(type=click.FloatRange(min=0, min_open=True))] = 60.0,
    estimate: bool = False,
    output: Annotated[Path, OptionSpec("-o", "--output", type=_FILE, metavar="FILE")] = Path("draft.jsonl"),
    report: Annotated[Path | None, OptionSpec(type=_FILE, metavar="FILE")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Draft a test set from DOCS: files and folders of Markdown, HTML, text or PDF, or JSON lines of passages.

    Each question is based on a verbatim quote, lists the passages that answer it, and records what was checked and by
    whom. Passages from JSON lines, {"id": …, "text": …, "document": …}, keep the ids of your index.

    The judge's answers are stored in FILE.journal: after a crash, the same command continues and repeats no request.

    Options:
        size: Number of questions.
        judge: Language model that writes and checks the questions: openai[:MODEL], anthropic[:MODEL], ollama[:MODEL],
            litellm:MODEL, or package.module:Class.
        no_llm: Write the questions with rules, without a language model: for retriever metrics. Nothing is sent.
        seed: Seed of the random sample. Default: 0.
        kinds: A kind of question; all of them by default.
        holdout: Share of the documents to leave out of the index under test, which makes their questions unanswerable.
            The documents are listed in a file next to the output.
        concurrency: Maximum number of concurrent judge calls.
        timeout: Timeout of one judge call, in seconds.
        estimate: Print the estimated calls, tokens and cost, and send nothing.
        output: The test set, as JSON lines for `ragstone run`.
        report: Write an HTML page with the coverage of the set and the outcome of the candidates.
        quiet: Show nothing; write the file and exit.

    Exit codes:
      0  as many questions as requested
      2  the command was wrong; nothing was written
      3  fewer questions than requested; the table shows why

    Examples:
      ragstone draft docs/ --no-llm
      ragstone draft docs/ --judge openai:gpt-4o-mini --max-cost 5
      ragstone draft chunks.jsonl --size 100 --no-llm --output questions.jsonl
      ragstone draft docs/ --no-llm --report coverage.html
    """
    if no_llm == (judge is not None):
        raise BadOption(
            "Give either --judge SPEC, to write the questions with a language model, or --no-llm, to use rules."
        )
    request = DraftRequest(size, seed, kinds or KINDS, holdout)
    if estimate and as_json:
        raise BadOption(
            "--json writes the figures of a draft, and --estimate drafts nothing: give one of them"
        )
    if estimate:
        click.echo(
            str(estimate_draft(documents, get_judge(judge, offline=True), request))
            if judge
            else "0 calls: rules write the questions. Nothing was sent."
        )
        return 0
    for option, target in (("--output", output), ("--report", report)):
        if target is not None and not target.parent.is_dir():
            raise BadOption(
                f"{option} {target}: there is no folder {target.parent}; name a file in a folder that exists"
            )
    draft_set = draft(
        documents,
        size=size,
        judge=judge,
        seed=seed,
        kinds=request.kinds,
        holdout=holdout,
        journal=output.with_name(f"{output.name}.journal") if judge else None,
        options=DraftOptions(Limits.read(**flags), Pace.read(concurrency=concurrency, timeout=timeout)),
    )
    draft_set.save(output)
    digest = hash_test_set(draft_set.cases)
    if report is not None:
        with atomic_write(report) as file:
            file.write(html.render(document(draft_set.figures, digest)).encode())
    if as_json:
        click.echo(draft_set.figures.to_json(), nl=False)
    elif not quiet:
        print_document(document(draft_set.figures, digest, _MAX_ROWS))
    if not quiet:
        print_message(f"written: {output}")
    return 0 if draft_set.yields.complete else ExitCode.NOT_MEASURED
