"""Passages given as JSON lines with `id`, `text` and optionally `document`, `headings` and `start`.

With these, `relevant_ids` hold the ids of the index under test.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ragstone.drafts.passage import DraftPassage
from ragstone.errors import BadDataset

_EXPECTED_LINE = 'Write {"id": "faq-1", "text": "…", "document": "faq.md"} on each line.'


def read_chunks(document: str, text: str) -> Iterator[DraftPassage]:
    """Yield a passage for each line.

    Raises:
        BadDataset: a line is not a JSON object with an id and a text.
    """
    for number, line in enumerate(text.split("\n"), 1):  # a string may hold what `splitlines` cuts at
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise BadDataset(f"{document}, line {number}: {error}. {_EXPECTED_LINE}") from None
            yield passage_of(row, document, f"{document}, line {number}")


def passage_of(row: object, document: str, where: str) -> DraftPassage:
    """Return the passage from a mapping, or the passage itself.

    Raises:
        BadDataset: there is no id or no text, or headings or start have the wrong type; the message names `where`.
    """
    if isinstance(row, DraftPassage):
        return row
    values = cast("Mapping[str, Any]", row) if isinstance(row, Mapping) else dict[str, Any]()
    identifier, text = values.get("id"), values.get("text")
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        identifier = str(identifier)
    if not isinstance(identifier, str) or not isinstance(text, str) or not text.strip():
        raise BadDataset(f"{where}: the id or the text is missing. {_EXPECTED_LINE}")
    headings, start = values.get("headings") or (), values.get("start") or 0
    heading_list = (headings,) if isinstance(headings, str) else headings
    if not isinstance(heading_list, list | tuple) or not isinstance(start, int):
        raise BadDataset(
            f"{where}: headings must be a list of strings, and start an integer. {_EXPECTED_LINE}"
        )
    heading_texts = tuple(map(str, cast("Sequence[object]", heading_list)))
    return DraftPassage(identifier, str(values.get("document") or document), text, heading_texts, start)
