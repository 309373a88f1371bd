"""The tasks of a run: pairs of test case and metric, drawn one by one from a dataset that may be a stream."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.event import EventListener, RowRejected
from ragstone.metrics import Metric
from ragstone.runner.resume import NEW_RUN, ResumeState


class Task(NamedTuple):
    """One metric on one test case, with the indices of its result."""

    case_index: int
    metric_index: int
    case: TestCase
    metric: Metric


def tasks(
    rows: Iterable[TestCase | BadRow],
    metrics: Sequence[Metric],
    emit: EventListener,
    past: ResumeState = NEW_RUN,
) -> Iterator[Task]:
    """Yield each metric on each test case that has no result yet, case by case.

    A row that could not be read is emitted as an event instead.
    """
    index = 0
    for row in rows:
        if isinstance(row, BadRow):
            emit(RowRejected(str(row)))
            continue
        for metric_index, metric in enumerate(metrics):
            if not past.has(index, metric_index, row):
                yield Task(index, metric_index, row, metric)
        index += 1


def by_case(single: Iterable[Task]) -> Iterator[Sequence[Task]]:
    """Yield the tasks of each test case together."""
    for _, case_tasks in groupby(single, key=lambda task: task.case_index):
        yield tuple(case_tasks)
