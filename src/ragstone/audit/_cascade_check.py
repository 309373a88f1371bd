"""Measure a dataset with a cascade of judges, and a random part of it with the last of them alone."""

from collections.abc import Iterable
from itertools import islice
from math import ceil
from typing import Any

from ragstone.api import evaluate
from ragstone.audit._agree import with_dataset
from ragstone.case import TestCase
from ragstone.datasets import read_dataset
from ragstone.errors import BadOption
from ragstone.findings.agreement.cascade_check import CascadeCheck, cascade_check
from ragstone.judges import CascadeJudge, get_judge
from ragstone.judges.base import JudgeLike
from ragstone.metrics import Metric
from ragstone.stats.hash_sampling import hash_uniform

_MIN_CHECKED = 2


def check_cascade(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    judge: str | JudgeLike | None,
    share: float,
    limit: int | None = None,
    **options: Any,  # noqa: ANN401  (those of `evaluate`, passed on)
) -> CascadeCheck:
    """Measure all cases with a cascade, and a random share of them with its last judge alone.

    Args:
        data: a dataset, as `evaluate` takes it; it needs no labels.
        metrics: the metrics, or their specs.
        judge: several judges in a row, such as `local,openai:gpt-4o-mini`.
        share: the share of the cases that the last judge measures too, above 0 and below 1; at least two cases.
        limit: maximum number of rows to read.
        options: further options of `evaluate`.

    Raises:
        BadOption: the judge is not a cascade, the share is none, or there are fewer than three cases.
    """
    cascade = get_judge(judge, offline=bool(options.get("offline")))
    if not isinstance(cascade, CascadeJudge):
        raise BadOption(
            f"check compares judges in a row with the last of them, and {cascade.name} is one judge: write several "
            "with commas between them, such as local,openai:gpt-4o-mini"
        )
    if not 0 < share < 1:
        raise BadOption(
            f"check={share!r} is no share of the cases: write a number between 0 and 1, such as 0.05"
        )
    rows = list(islice(read_dataset(data), limit))
    cases = [row for row in rows if isinstance(row, TestCase)]
    if len(cases) <= _MIN_CHECKED:
        raise BadOption(f"{len(cases)} cases are too few to check some of them: give three or more")
    size = min(len(cases) - 1, max(_MIN_CHECKED, ceil(share * len(cases))))
    drawn = sorted(
        range(len(cases)), key=lambda place: hash_uniform("cascade check", f"{place} {cases[place].id}")
    )
    places = sorted(drawn[:size])
    report = with_dataset(evaluate(cases, metrics, judge=cascade, **options), data, rows)
    alone = evaluate([cases[place] for place in places], metrics, judge=cascade.members[-1], **options)
    return cascade_check(report, alone, places)
