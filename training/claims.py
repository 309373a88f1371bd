"""The claims written for this project: reader and counts.

    python -m training.claims       counts by label, kind, domain and language, overlap, the readers' agreement

A file of `training/data/claims/` holds the work of one writer, one context a line, after a second reader who did
not see the labels; claims on which the two disagreed are excluded. `training/data/README.md` describes the origin of
the texts. The split is by writers and their domains, not by rows: a tested domain trains nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from training.measures import auroc

FOLDER = Path(__file__).parent / "data"
HELD_OUT = ("w19", "w20", "w27", "w31", "w61", "w62", "w63", "w64", "j4")
"""Writers of claims and judgements from whom the encoder does not learn."""
UNFITTED = ("w63", "w64")
"""Held-out writers on whom the decision is not fitted either; they are used for measuring only."""
LABELS = ("yes", "no", "idk")
LANGUAGES = ("en", "de", "fr", "es")
_MAX_LISTED = 100
"""Maximum number of values that the summary lists with their counts."""

Label = Literal["yes", "no", "idk"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim about one context.

    Attributes:
        id: id of the context, made of writer, portion and line.
        writer: who wrote it.
        domain: what the context is about, such as `"gym"`.
        language: ISO 639-1 code.
        passages: the context.
        question: what a user asked.
        text: the claim.
        label: yes (supported), no (contradicted) or idk (not mentioned).
        kind: the phenomenon, such as `"unit_conversion"`.
    """

    id: str
    writer: str
    domain: str
    language: str
    passages: tuple[str, ...]
    question: str
    text: str
    label: Label
    kind: str


def claims(folder: Path = FOLDER / "claims") -> Iterator[Claim]:
    """Yield every claim, writer by writer.

    Raises:
        ValueError: a line does not have the documented form.
    """
    for path in sorted(folder.glob("*.jsonl")):
        for line_number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                yield from _claims_of(json.loads(line))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path.name}:{line_number}: {error!r}") from error


def _claims_of(row: dict[str, object]) -> Iterator[Claim]:
    passages = tuple(str(passage) for passage in _list(row["context"]))
    for text, label, kind in (_list(claim) for claim in _list(row["claims"])):
        if label not in LABELS or row["lang"] not in LANGUAGES or not passages:
            raise ValueError(f"{label!r}, {row['lang']!r}, {len(passages)} passages")
        yield Claim(
            id=str(row["id"]),
            writer=str(row["author"]),
            domain=str(row["domain"]),
            language=str(row["lang"]),
            passages=passages,
            question=str(row["question"]),
            text=str(text),
            label=label,  # pyright: ignore[reportArgumentType]  (checked above)
            kind=str(kind),
        )


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return value


_FUNCTION_WORDS = frozenset((
    "a", "an", "the", "of", "to", "in", "on", "at", "for", "and", "or", "is", "are", "was", "were",
    "be", "been", "by", "with", "from", "as", "that", "this", "it", "its", "his", "her", "their",
    "they", "he", "she", "you", "your", "we", "our", "not", "no", "do", "does", "did", "has", "have",
    "had", "will", "would", "can", "may", "der", "die", "das", "ein", "eine", "und", "oder", "ist",
    "sind", "im", "auf", "für", "von", "mit", "zu", "den", "dem", "des", "la", "le", "les", "un", "une",
    "et", "ou", "est", "sont", "dans", "pour", "de", "du", "el", "los", "las", "una", "y", "o", "es",
    "son", "en", "con", "para", "por",
))  # fmt: skip


def content_words(text: str) -> list[str]:
    """Return the lower-cased words of a text without function words."""
    return [word for word in re.findall(r"\w+", text.lower()) if word not in _FUNCTION_WORDS]


def overlap(claim: Claim) -> float:
    """Return the share of the claim's content words that its context contains, from 0 to 1."""
    context_words = set(content_words(" ".join(claim.passages)))
    words = content_words(claim.text)
    return sum(word in context_words for word in words) / len(words) if words else 0.0


def overlap_auroc(rows: Sequence[Claim]) -> float:
    """Return how well word overlap alone ranks supported above other claims; .5 is chance."""
    supported = np.array([row.label == "yes" for row in rows], dtype=np.int64)
    return auroc(supported, np.array([overlap(row) for row in rows]))


def summary(rows: Iterable[Claim]) -> Iterator[str]:
    """Yield the lines of the data card's table of counts."""
    all_rows = list(rows)
    contexts, writers = {row.passages for row in all_rows}, {row.writer for row in all_rows}
    yield f"{len(all_rows)} claims over {len(contexts)} contexts by {len(writers)} writers"
    for name in ("label", "language", "kind", "domain"):
        counts = Counter(str(getattr(row, name)) for row in all_rows)
        listed = ", ".join(f"{value} {count}" for value, count in counts.most_common(_MAX_LISTED))
        yield f"{name}: {listed}" + (
            f", and {len(counts) - _MAX_LISTED} others" if len(counts) > _MAX_LISTED else ""
        )
    yield f"AUROC of word overlap: {overlap_auroc(all_rows):.3f}"
    for language in LANGUAGES:
        part = [row for row in all_rows if row.language == language]
        if part:
            yield f"  {language}: {overlap_auroc(part):.3f} of {len(part)}"


if __name__ == "__main__":
    print("\n".join(summary(claims())))
