"""Change how a stored run is called: its name, its tags and the note that people left on it."""

import json

from sqlalchemy import Engine, update

from ragstone.run import Run
from ragstone.store.schema.tables import RUNS
from ragstone.store.write.rows import as_json, storable_text

NOTE = "Note: "
"""The beginning of the note that people left on a run, among the notes of the run."""


def write_labels(
    engine: Engine, number: int, run: Run, *, name: str | None, tags: tuple[str, ...], note: str
) -> None:
    """Store the name, the tags and the note of the run of that number; an empty note removes it."""
    notes = tuple(text for text in run.notes if not text.startswith(NOTE))
    labelled = run.model_copy(
        update={
            "plan": run.plan.model_copy(update={"name": name, "tags": tags}),
            "notes": (*notes, *((f"{NOTE}{note}",) if note else ())),
        }
    )
    columns = {
        "name": storable_text(name),
        "tags": storable_text(json.dumps(tags, ensure_ascii=False)),
        "body": as_json(labelled),
    }
    with engine.begin() as connection:
        connection.execute(update(RUNS).where(RUNS.c.number == number).values(columns))
