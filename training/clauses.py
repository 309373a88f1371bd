"""Claims cut into clauses for training: all clauses of a supported claim are supported, not all of another claim.

    python -m training.clauses           writes build/training/clauses.jsonl and prints the counts by set

The labels do not say which clause of an unsupported claim is wrong. The encoder learns from all clauses together.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain

from ragstone.judges.local.matching.alignment import align, reading_window
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.text.clauses import split_clauses
from ragstone.text.sentences import sentences
from ragstone.text.tokens import tokens
from training.claims import claims
from training.labelled_data import TRAINED, kept_from_encoder, support_rows
from training.paths import CLAUSES, folder

MAX_CLAUSES = 8
"""Maximum number of clauses of a text that is used for training."""


@dataclass(frozen=True, slots=True)
class ClauseGroup:
    """The clauses of one text.

    Attributes:
        source: the set that the text comes from.
        writer: who wrote it, in the project's own data; else empty.
        supported: whether the evidence supports all of them.
        pairs: each clause with the evidence that the judge would read.
    """

    source: str
    writer: str
    supported: bool
    pairs: tuple[tuple[str, str], ...]


def own_groups() -> Iterator[ClauseGroup]:
    """Yield the project's own claims of several clauses."""
    for claim in claims():
        spans = sentences(claim.text)
        texts = _clauses(claim.text)
        if len(spans) < len(texts) and (pairs := _evidence_pairs(texts, claim.passages)):
            yield ClauseGroup("claims", claim.writer, claim.label == "yes", pairs)


def human_groups() -> Iterator[ClauseGroup]:
    """Yield texts of several clauses or sentences of the human-labelled sets that may train weights."""
    for name in TRAINED:
        for row in support_rows(name):
            if (
                not row.test
                and not kept_from_encoder(row.group)
                and (pairs := _evidence_pairs(_clauses(row.text), row.passages))
            ):
                yield ClauseGroup(name, "", bool(row.label), pairs)


def _clauses(text: str) -> list[str]:
    return [part for start, end in sentences(text) for part in split_clauses(text[start:end])]


def _evidence_pairs(texts: Sequence[str], passages: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return each clause with its evidence, or no pairs for a single clause or more than `MAX_CLAUSES`."""
    if not 1 < len(texts) <= MAX_CLAUSES:
        return ()
    evidence = index_evidence(passages)
    windows = [_window(text, evidence) for text in texts]
    return tuple((text, window) for text, window in zip(texts, windows, strict=True) if window)


def _window(text: str, evidence: EvidenceIndex) -> str:
    alignment = align([*chain.from_iterable(tokens(text))], evidence)
    return reading_window(alignment, evidence) if alignment else ""


def load() -> list[ClauseGroup]:
    """Return the groups that `python -m training.clauses` wrote."""
    with CLAUSES.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [ClauseGroup(**{**row, "pairs": tuple(map(tuple, row["pairs"]))}) for row in rows]


def main() -> None:
    """Write all groups and count them."""
    folder()
    counts: Counter[tuple[str, bool]] = Counter()
    with CLAUSES.open("w", encoding="utf-8") as file:
        for group in chain(own_groups(), human_groups()):
            file.write(json.dumps(asdict(group), ensure_ascii=False) + "\n")
            counts[group.source, group.supported] += 1
    for (source, supported), count in sorted(counts.items()):
        print(f"{source:22} {'supported' if supported else 'not supported':14} {count:6,}")


if __name__ == "__main__":
    main()
