"""Scores by people on test cases that a watch sampled for them, stored beside its other scores with each verdict."""

from sqlalchemy import Connection, select, update

from ragstone.store.schema.tables import ANNOTATIONS, WATCH_RESULTS
from ragstone.store.write.rows import digest

ASKED, SAID, UNSURE = "ASKED", "SAID", "IDK"
"""Status of a score by people: no verdict yet, at least one yes or no, unsure verdicts only."""

_NO_STATEMENT = -1
_VERDICT_SCORES = {"yes": 1.0, "no": 0.0}


def update_human_scores(connection: Connection, run: int, case_index: int) -> None:
    """Set the scores of a test case from its annotations; do nothing if no watch sampled it for people.

    A verdict on a metric's result counts for that metric, one on the whole case for each metric on which the same
    person has given none. A score is the share of people who say yes; unsure people are not counted.
    """
    c = WATCH_RESULTS.c
    condition = (c.run == run, c.case_index == case_index, c.judged_by == "people")
    metrics = list(connection.execute(select(c.metric).where(*condition)).scalars())
    if not metrics:
        return
    annotation = ANNOTATIONS.c
    query = select(annotation.about, annotation.annotator, annotation.verdict).where(
        annotation.run == run, annotation.case_index == case_index, annotation.statement == _NO_STATEMENT
    )
    by_target: dict[str, dict[str, str]] = {}
    for about, annotator, verdict in connection.execute(query):
        by_target.setdefault(about, {})[annotator] = verdict
    for metric in metrics:
        verdicts = by_target.get(digest(""), {}) | by_target.get(digest(metric), {})
        values = [_VERDICT_SCORES[value] for value in verdicts.values() if value in _VERDICT_SCORES]
        status = SAID if values else UNSURE if verdicts else ASKED
        score = sum(values) / len(values) if values else None
        statement = update(WATCH_RESULTS).where(*condition, c.metric == metric)
        connection.execute(statement.values(score=score, status=status))
