"""Scores by word features and encoder for the rows on which the decision on a statement is fitted and measured.

    python -m training.readings          writes build/training/readings.npz

Of each labelled set at most `ROWS` rows with short evidence and `LONG_ROWS` with longer evidence, drawn by the hash of
their context. The encoder has seen none of these contexts, and of the project's own claims only those of held-out
writers are read.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.measurement import AnalysedStatement, measure
from ragstone.judges.local.model.decision import SHORT_EVIDENCE, StatementScores
from ragstone.judges.local.model.features import measure_statement
from training.baseline import overlap
from training.claims import HELD_OUT, UNFITTED, Claim, claims
from training.crossing import crossed
from training.labelled_data import MEASURED, TRAINED, group_of, kept_from_encoder, support_rows
from training.paths import MODELS, READINGS, folder

ROWS, LONG_ROWS = 500, 260
CLAIMS, CROSSED = "claims", "crossed"
SETS = {
    "short": (
        "begin",
        "faithdial_audit",
        "factcheckbench_stance",
        "fever_symmetric",
        "taxinli",
        "begin_test",
    ),
    "long": ("begin", "faithdial_audit", "factcheckbench_stance", "summedits_dev", "wice"),
}
"""The sets with enough evidence of each size; begin_test is measured only."""
PROCESSES = 2
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """The rows of one set, as the decision sees them.

    Attributes:
        name: name of the set.
        words: score of the word features for support, by a model that never saw the set.
        conflict: score of the word features for a contradiction, likewise.
        read: outputs of the encoder, shape (rows, 5); see `model.decision.StatementScores`.
        labels: 0 contradicted, 1 not mentioned, 2 supported, -1 unsupported if the set does not distinguish these.
        overlap: share of the claim's content words that occur in the context.
        groups: hash of each row's context.
        kinds: writer and phenomenon, or the part of the set.
    """

    name: str
    words: Values
    conflict: Values
    read: Values
    labels: NDArray[np.int64]
    overlap: Values
    groups: NDArray[np.str_]
    kinds: NDArray[np.str_]


def read_rows(rows: Sequence[tuple[str, tuple[str, ...]]]) -> list[StatementScores]:
    """Return the inputs of the decision for each row, by the shipped weights."""
    found: list[StatementScores] = []
    for text, passages in rows:
        evidence = index_evidence(passages)
        found += [
            one.scores
            for one in measure([AnalysedStatement(text, measure_statement(text, evidence))], evidence)
        ]
    return found


def size_of(passages: Sequence[str]) -> str:
    """Return "short" or "long": which of the two decisions judges beside these passages."""
    return "short" if len(index_evidence(passages).tokens) <= SHORT_EVIDENCE else "long"


def _columns(found: Sequence[StatementScores]) -> tuple[Values, Values, Values]:
    """Return words, conflict and the encoder's values, row by row."""
    table = np.array(found)
    return table[:, 0], table[:, 1], table[:, 2:]


def of_set(name: str, size: str) -> Readings:
    """Return the readings of one human-labelled set beside evidence of one size."""
    rows = support_rows(name)
    free = [i for i in range(len(rows)) if name in MEASURED or kept_from_encoder(rows[i].group)]
    free = sorted(free, key=lambda i: (rows[i].group[::-1], i))
    most = ROWS if size == "short" else LONG_ROWS
    order = list(islice((i for i in free if size_of(rows[i].passages) == size), most))
    found = read_rows([(rows[i].text, rows[i].passages) for i in order])
    words, conflict, read = _columns(found)
    with np.load(MODELS) as models:
        if name in TRAINED:
            words, conflict = models[f"held_out.{name}"][order], models[f"held_out_no.{name}"][order]
    labels = [
        2 if rows[i].label else -1 if rows[i].contradicted is None else 1 - int(rows[i].contradicted or 0)
        for i in order
    ]
    return Readings(
        name, words, conflict, read, np.array(labels),
        np.array([overlap(rows[i].text, " ".join(rows[i].passages)) for i in order]),
        np.array([rows[i].group for i in order]), np.array([str(rows[i].raw.get("subset") or "") for i in order]),
    )  # fmt: skip


def of_claims(size: str) -> Readings:
    """Return the readings of the project's own claims by held-out writers."""
    return _of_claims(CLAIMS, _held_out(size))


def _of_claims(name: str, rows: Sequence[Claim]) -> Readings:
    found = read_rows([(claim.text, claim.passages) for claim in rows])
    return Readings(
        name, *_columns(found),
        np.array([("no", "idk", "yes").index(claim.label) for claim in rows]),
        np.array([overlap(claim.text, " ".join(claim.passages)) for claim in rows]),
        np.array([group_of(" ".join(claim.passages)) for claim in rows]),
        np.array([f"{claim.writer}.{claim.kind}" for claim in rows]),
    )  # fmt: skip


def of_crossed(size: str) -> Readings:
    """Return the readings of supported claims, each beside its own passages and beside those of another context."""
    rows = [row for row in _held_out(size) if row.label == "yes"]
    pairs = [
        pair
        for language in sorted({row.language for row in rows})
        for pair in crossed(
            [row for row in rows if row.language == language], _context, lambda row: row.domain
        )
    ]
    foreign = [replace(row, passages=other.passages, label="idk") for row, other in pairs]
    return _of_claims(CROSSED, rows + foreign)


def _held_out(size: str) -> list[Claim]:
    writers = {*HELD_OUT} - {*UNFITTED}
    return [claim for claim in claims() if claim.writer in writers and size_of(claim.passages) == size]


def _context(row: Claim) -> str:
    return row.id


def make(size: str, name: str) -> Readings:
    """Return the readings of one set by its name."""
    own = {CLAIMS: of_claims, CROSSED: of_crossed}
    return own[name](size) if name in own else of_set(name, size)


def load(size: str) -> dict[str, Readings]:
    """Return the readings that `python -m training.readings` wrote for evidence of one size, "short" or "long"."""
    with np.load(READINGS) as archive:
        names = dict.fromkeys(key.split("|")[1] for key in archive if key.startswith(f"{size}|"))
        fields = [field for field in Readings.__slots__ if field != "name"]
        return {
            name: Readings(name, *(archive[f"{size}|{name}|{field}"] for field in fields)) for name in names
        }


def _arrays(size: str, found: Readings) -> Iterator[tuple[str, NDArray[np.generic]]]:
    for field in Readings.__slots__:
        if field != "name":
            yield f"{size}|{found.name}|{field}", getattr(found, field)


def main() -> None:
    """Read every set."""
    folder()
    kept: dict[str, NDArray[np.generic]] = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        sizes, names = zip(
            *((size, name) for size in SETS for name in (CLAIMS, CROSSED, *SETS[size])), strict=True
        )
        for size, found in zip(sizes, pool.map(make, sizes, names), strict=True):
            kept |= _arrays(size, found)
            print(f"{size:6} {found.name:24} {len(found.labels):6} rows", flush=True)
    np.savez_compressed(READINGS, allow_pickle=False, **kept)


if __name__ == "__main__":
    main()
