"""Accuracy of the embedded judge by language, on claims of writers on whom the encoder was not trained.

    python -m training.languages            the held-out writers and the test part together: each run is a look at it
    python -m training.languages w19 w20    these writers only

Support is judged for each claim. In brackets: 95 % bootstrap over contexts.
"""

import sys
from collections.abc import Collection, Iterator, Sequence

from training.claim_table import figures, judge_claims
from training.claims import FOLDER, HELD_OUT, LANGUAGES, Claim, claims

_NAMES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish"}


def held_out(writers: Collection[str] = ()) -> list[Claim]:
    """Return the claims of some writers, or those of all that are held out and of the test part."""
    rows = [row for row in claims() if row.writer in (writers or HELD_OUT)]
    return rows if writers else [*rows, *claims(FOLDER / "test" / "claims")]


def lines(rows: Sequence[Claim] | None = None) -> Iterator[str]:
    """Yield a table of the accuracy on claims, one row for each language.

    Args:
        rows: the claims; by default those of the held-out writers and of the test part.
    """
    selected = held_out() if rows is None else rows
    yield "| language | claims | contexts | supported or not |"
    yield "|---|---|---|---|"
    for language in LANGUAGES:
        if part := [row for row in selected if row.language == language]:
            yield f"| {_NAMES[language]} | {_figures(part)} |"


def _figures(rows: Sequence[Claim]) -> str:
    contexts = {(row.writer, row.id) for row in rows}
    return " | ".join((str(len(rows)), str(len(contexts)), figures(rows, judge_claims(rows))))


def main() -> None:
    """Print the table."""
    writers = sys.argv[1:]
    for line in lines(held_out(writers)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
