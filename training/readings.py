"""The encoder's scores of the rows on which the decision on a statement and its bands are fitted and measured.

    python -m training.readings          writes build/training/readings.jsonl; continues where it was stopped

Each human-labelled set contributes at most `MAX_ROWS` rows, selected by the hash of their context; the encoder has seen
none of these contexts. Of the project's own claims, those of held-out writers are scored, and those of the later
writers, whose claims come in pairs that differ only slightly (`HARD`). With the scores on disk, a variant of the
decision takes seconds.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate

from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.measurement import analyse, measure
from ragstone.judges.local.model.decision import MAX_SHORT_EVIDENCE, StatementScores
from training.claims import Claim, claims
from training.labelled_data import TRAINED, group_of, kept_from_encoder, support_rows
from training.paths import READINGS, folder

HELD, HARD, MEASURED = "held", "hard", "begin_test"
HELD_WRITERS = ("w19", "w20", "w27", "w31", "w61", "w62")
"""Writers from whom the encoder did not learn, and on whose claims the decision is fitted."""
HARD_WRITERS = tuple(f"w{number}" for number in range(63, 79))
"""Writers from whom nothing was learnt."""
MAX_ROWS = {"wice": 240, MEASURED: 150, HELD: 2_200, HARD: 1_600}
MAX_SET_ROWS = 320
_LABELS = ("no", "idk", "yes")


@dataclass(frozen=True, slots=True)
class Reading:
    """One row with the encoder's scores.

    Attributes:
        name: the set, or `HELD` or `HARD`.
        writer: who wrote a claim of the project; empty for the sets.
        kind: the phenomenon, or the part of the set.
        group: hash of the context.
        label: 0 contradicted, 1 not mentioned, 2 supported, -1 unsupported if the set does not distinguish these.
        short: whether the evidence is short.
        lacks_number: whether the statement has a number that the evidence lacks.
        scores: the encoder's scores.
    """

    name: str
    writer: str
    kind: str
    group: str
    label: int
    short: bool
    lacks_number: bool
    scores: StatementScores


def read(
    name: str, text: str, passages: Sequence[str], *, label: int, kind: str, writer: str = ""
) -> Reading | None:
    """Return the reading of one row; None if the judge does not read it."""
    evidence = index_evidence(passages)
    analysed = analyse(text, evidence)
    if analysed is None:
        return None
    numbers = [token for alignment in analysed.alignments for token in alignment.tokens if token.is_number]
    return Reading(
        name=name,
        writer=writer,
        kind=kind,
        group=group_of(" ".join(passages)),
        label=label,
        short=len(evidence.tokens) <= MAX_SHORT_EVIDENCE,
        lacks_number=any(token.stem not in evidence.id_by_stem for token in numbers),
        scores=measure([analysed], evidence)[0].scores,
    )


def set_readings(name: str) -> Iterator[Reading | None]:
    """Yield the readings of one human-labelled set."""
    rows = [row for row in support_rows(name) if name == MEASURED or kept_from_encoder(row.group)]
    order = sorted(range(len(rows)), key=lambda i: (rows[i].group[::-1], i))
    for i in order[: MAX_ROWS.get(name, MAX_SET_ROWS)]:
        row = rows[i]
        label = 2 if row.label else -1 if row.contradicted is None else 1 - int(row.contradicted)
        kind = str(row.raw.get("subset") or "")
        yield read(name, row.text, row.passages, label=label, kind=kind)


def own_readings(name: str) -> Iterator[Reading | None]:
    """Yield the readings of English claims of the project, whole contexts at a time."""
    for claim in _samples()[name]:
        yield read(
            name,
            claim.text,
            claim.passages,
            label=_LABELS.index(claim.label),
            kind=claim.kind,
            writer=claim.writer,
        )


def _samples(seed: int = 5) -> dict[str, list[Claim]]:
    """Return the claims of so many contexts, drawn at random, that there are about as many as `MAX_ROWS` says."""
    rng, every = random.Random(seed), list(claims())
    samples: dict[str, list[Claim]] = {}
    for name, writers in ((HELD, HELD_WRITERS), (HARD, HARD_WRITERS)):
        rows = [claim for claim in every if claim.writer in writers]
        rng.shuffle(rows)
        english = [claim for claim in rows if claim.language == "en"]
        counts = Counter(claim.id for claim in english)
        sums = accumulate(counts[one] for one in counts)  # in the order in which the contexts are drawn
        chosen = {
            one for one, total in zip(counts, sums, strict=True) if total - counts[one] < MAX_ROWS[name]
        }
        samples[name] = [claim for claim in english if claim.id in chosen]
    return samples


def load() -> list[Reading]:
    """Return the readings that `python -m training.readings` wrote."""
    rows = map(json.loads, READINGS.read_text("utf-8").splitlines())
    return [Reading(**{**row, "scores": StatementScores(*row["scores"])}) for row in rows if "name" in row]


def main() -> None:
    """Read every set that is not in the file yet, and append it."""
    folder()
    done = {reading.name for reading in load()} if READINGS.exists() else set[str]()
    for name in (*TRAINED, MEASURED, HELD, HARD):
        if name not in done:
            found = own_readings(name) if name in {HELD, HARD} else set_readings(name)
            lines = [json.dumps(asdict(reading)) + "\n" for reading in found if reading]
            with READINGS.open("a", encoding="utf-8") as file:
                file.writelines(lines)
            print(f"{name:24} {len(lines):6} rows", flush=True)


if __name__ == "__main__":
    main()
