"""`ragstone review`: the share of bad questions of a drafted test set, and the reviewed set."""

from pathlib import Path
from typing import Annotated

import click

from ragstone.atomic import atomic_write
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._options import Json
from ragstone.cli._output import print_json
from ragstone.drafts.record import write_rows
from ragstone.drafts.review import DraftReview
from ragstone.errors import BadOption
from ragstone.findings.fingerprint import hash_test_set
from ragstone.show.render.json import plain


@subcommand("review")
def command(
    draft: Annotated[Path, OptionSpec(type=click.Path(exists=True, dir_okay=False, path_type=Path))],
    *,
    accept: Annotated[float | None, OptionSpec(type=click.FloatRange(min=0, max=1), metavar="SHARE")] = None,
    output: Annotated[
        Path | None,
        OptionSpec("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE"),
    ] = None,
    as_json: Json = False,
) -> int:
    """Estimate the share of bad questions in DRAFT from the decisions made on the review page.

    `ragstone serve --review DRAFT` shows the questions in random order; you keep, edit or drop each by keyboard. 50
    decisions are enough for the estimate. An edited question counts as bad, because it was bad when it was drafted.

    Options:
        accept: Fail if the upper end of the 95 % interval of the share of bad questions is above SHARE.
        output: Write the set without the dropped questions and with the edits.

    Exit codes:
      0  the share is shown; with --accept, it is low enough
      1  with --accept: the share is too high
      2  the command was wrong
      3  with --accept: nothing was reviewed yet

    Examples:
      ragstone serve --review draft.jsonl
      ragstone review draft.jsonl --accept 0.1 --output questions.jsonl
    """
    review = DraftReview(draft)
    summary = review.summary()
    if as_json:
        print_json(plain(summary))
    else:
        click.echo(str(summary))
    if output is not None:
        if not output.parent.is_dir():
            raise BadOption(f"--output {output}: there is no folder {output.parent}; name one that exists")
        cases = review.reviewed_cases()
        with atomic_write(output) as file:
            file.write(write_rows(cases).encode())
        print_message(f"written: {output}, {len(cases)} questions, test set {hash_test_set(cases)}")
    if accept is None:
        return 0
    if summary.interval is None:
        return int(ExitCode.NOT_MEASURED)
    return 0 if summary.accepts(accept) else 1
