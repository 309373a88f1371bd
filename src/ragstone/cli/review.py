"""`ragstone review`: the share of bad questions of a drafted test set, and the reviewed set."""

from pathlib import Path

import click

from ragstone.atomic import atomic_write
from ragstone.cli._documents import json_option, print_json
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.drafts.record import write_rows
from ragstone.drafts.review import DraftReview
from ragstone.errors import BadOption
from ragstone.findings.fingerprint import hash_test_set
from ragstone.show.render.json import plain


@click.command("review")
@click.argument("draft", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--accept",
    type=click.FloatRange(min=0, max=1),
    metavar="SHARE",
    help="Fail if the upper end of the 95 % interval of the share of bad questions is above SHARE.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the set without the dropped questions and with the edits.",
)
@json_option
def command(draft: str, accept: float | None, output: str | None, as_json: bool) -> int:  # noqa: FBT001
    """Estimate the share of bad questions in DRAFT from the decisions made on the review page.

    `ragstone serve --review DRAFT` shows the questions in random order; you keep, edit or drop each by keyboard. 50
    decisions are enough for the estimate. An edited question counts as bad, because it was bad when it was drafted.

    \b
    Exit codes:
      0  the share is shown; with --accept, it is low enough
      1  with --accept: the share is too high
      2  the command was wrong
      3  with --accept: nothing was reviewed yet

    \b
    Examples:
      ragstone serve --review draft.jsonl
      ragstone review draft.jsonl --accept 0.1 --output questions.jsonl
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    review = DraftReview(Path(draft))
    summary = review.summary()
    if as_json:
        print_json(plain(summary))
    else:
        click.echo(str(summary))
    if output is not None:
        if not Path(output).parent.is_dir():
            raise BadOption(
                f"--output {output}: there is no folder {Path(output).parent}; name one that exists"
            )
        cases = review.reviewed_cases()
        with atomic_write(Path(output)) as file:
            file.write(write_rows(cases).encode())
        print_message(f"written: {output}, {len(cases)} questions, test set {hash_test_set(cases)}")
    if accept is None:
        return 0
    if summary.interval is None:
        return int(ExitCode.NOT_MEASURED)
    return 0 if summary.accepts(accept) else 1
