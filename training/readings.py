"""Word and encoder scores of the rows on which the decision on a statement is fitted and measured.

    python -m training.readings          writes build/training/readings.npz

Each labelled set contributes at most `MAX_ROWS` rows with short evidence and `MAX_LONG_ROWS` with longer evidence,
selected by the hash of their context. The encoder has seen none of these contexts. Of the project's own claims, only
those of held-out writers are scored.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.measurement import AnalysedStatement, measure
from ragstone.judges.local.model.decision import MAX_SHORT_EVIDENCE, StatementScores
from ragstone.judges.local.model.features import measure_statement
from training.baseline import overlap
from training.claims import HELD_OUT, UNFITTED, Claim, claims
from training.crossing import crossed
from training.labelled_data import MEASURED, TRAINED, group_of, kept_from_encoder, support_rows
from training.paths import MODELS, READINGS, folder

MAX_ROWS, MAX_LONG_ROWS = 500, 260
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
    """The rows of one set as inputs of the decision.

    Attributes:
        name: name of the set.
        words: score of the word features for support, by a model that never saw the set.
        conflict: score of the word features for a contradiction, by such a model.
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


def score_rows(rows: Sequence[tuple[str, tuple[str, ...]]]) -> list[StatementScores]:
    """Return the inputs of the decision for each row, computed with the shipped weights."""
    scores: list[StatementScores] = []
    for text, passages in rows:
        evidence = index_evidence(passages)
        scores += [
            statement.scores
            for statement in measure([AnalysedStatement(text, measure_statement(text, evidence))], evidence)
        ]
    return scores


def size_of(passages: Sequence[str]) -> str:
    """Return "short" or "long": the size of evidence, which selects one of the two decisions."""
    return "short" if len(index_evidence(passages).tokens) <= MAX_SHORT_EVIDENCE else "long"


def _columns(scores: Sequence[StatementScores]) -> tuple[Values, Values, Values]:
    """Return the word scores, the conflict scores and the encoder outputs as arrays."""
    table = np.array(scores)
    return table[:, 0], table[:, 1], table[:, 2:]


def set_readings(name: str, size: str) -> Readings:
    """Return the readings of one human-labelled set, restricted to evidence of one size."""
    rows = support_rows(name)
    candidates = [i for i in range(len(rows)) if name in MEASURED or kept_from_encoder(rows[i].group)]
    candidates = sorted(candidates, key=lambda i: (rows[i].group[::-1], i))
    max_rows = MAX_ROWS if size == "short" else MAX_LONG_ROWS
    selected = list(islice((i for i in candidates if size_of(rows[i].passages) == size), max_rows))
    scores = score_rows([(rows[i].text, rows[i].passages) for i in selected])
    words, conflict, encoder_outputs = _columns(scores)
    with np.load(MODELS) as models:
        if name in TRAINED:
            words, conflict = models[f"held_out.{name}"][selected], models[f"held_out_no.{name}"][selected]
    labels = [
        2 if rows[i].label else -1 if rows[i].contradicted is None else 1 - int(rows[i].contradicted or 0)
        for i in selected
    ]
    return Readings(
        name, words, conflict, encoder_outputs, np.array(labels),
        np.array([overlap(rows[i].text, " ".join(rows[i].passages)) for i in selected]),
        np.array([rows[i].group for i in selected]), np.array([str(rows[i].raw.get("subset") or "") for i in selected]),
    )  # fmt: skip


def own_claim_readings(size: str) -> Readings:
    """Return the readings of the project's own claims by held-out writers."""
    return _claim_readings(CLAIMS, _held_out_claims(size))


def _claim_readings(name: str, rows: Sequence[Claim]) -> Readings:
    scores = score_rows([(claim.text, claim.passages) for claim in rows])
    return Readings(
        name, *_columns(scores),
        np.array([("no", "idk", "yes").index(claim.label) for claim in rows]),
        np.array([overlap(claim.text, " ".join(claim.passages)) for claim in rows]),
        np.array([group_of(" ".join(claim.passages)) for claim in rows]),
        np.array([f"{claim.writer}.{claim.kind}" for claim in rows]),
    )  # fmt: skip


def crossed_readings(size: str) -> Readings:
    """Return the readings of supported claims, each beside its own passages and beside those of another context."""
    rows = [row for row in _held_out_claims(size) if row.label == "yes"]
    pairs = [
        pair
        for language in sorted({row.language for row in rows})
        for pair in crossed(
            [row for row in rows if row.language == language], _context_id, lambda row: row.domain
        )
    ]
    foreign = [replace(row, passages=other.passages, label="idk") for row, other in pairs]
    return _claim_readings(CROSSED, rows + foreign)


def _held_out_claims(size: str) -> list[Claim]:
    writers = {*HELD_OUT} - {*UNFITTED}
    return [claim for claim in claims() if claim.writer in writers and size_of(claim.passages) == size]


def _context_id(row: Claim) -> str:
    return row.id


def readings_of(size: str, name: str) -> Readings:
    """Return the readings of one set by its name."""
    builders = {CLAIMS: own_claim_readings, CROSSED: crossed_readings}
    return builders[name](size) if name in builders else set_readings(name, size)


def load(size: str) -> dict[str, Readings]:
    """Return the readings that `python -m training.readings` wrote for evidence of one size, "short" or "long"."""
    with np.load(READINGS) as archive:
        names = dict.fromkeys(key.split("|")[1] for key in archive if key.startswith(f"{size}|"))
        fields = [field for field in Readings.__slots__ if field != "name"]
        return {
            name: Readings(name, *(archive[f"{size}|{name}|{field}"] for field in fields)) for name in names
        }


def _arrays(size: str, readings: Readings) -> Iterator[tuple[str, NDArray[np.generic]]]:
    for field in Readings.__slots__:
        if field != "name":
            yield f"{size}|{readings.name}|{field}", getattr(readings, field)


def main() -> None:
    """Score every set and write the readings."""
    folder()
    arrays: dict[str, NDArray[np.generic]] = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        sizes, names = zip(
            *((size, name) for size in SETS for name in (CLAIMS, CROSSED, *SETS[size])), strict=True
        )
        for size, readings in zip(sizes, pool.map(readings_of, sizes, names), strict=True):
            arrays |= _arrays(size, readings)
            print(f"{size:6} {readings.name:24} {len(readings.labels):6} rows", flush=True)
    np.savez_compressed(READINGS, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
