"""The scores of a run as arrays, with the texts of its test cases where they are needed; matched with those of another.

Two runs of 100,000 results are compared by a few arrays. The store fills them from the columns that hold a score, and
reads a question or a reason only for test cases that are shown.

Cases are matched by their id. An id that was derived from a case's content changes with the answer, and a new version
of a system changes answers. The remaining cases are matched by their question, if it is unique among them in each run.
Metrics are matched by their spec; the threshold is ignored if specs differ in it alone.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragstone.case import TestCase
from ragstone.findings.fingerprint import question_digest
from ragstone.findings.report import Report
from ragstone.result import Result
from ragstone.stats.metric_scores import MetricScores

if TYPE_CHECKING:  # a comparison of files needs no database
    from ragstone.store import ScoreTable

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class RunScores:
    """The scores of a run.

    Attributes:
        report: the run.
        case_ids: ids of its test cases, in input order.
        metrics: its metrics by spec, in order of appearance.
        table: the same scores as the store returned them; None for a report in memory.
    """

    report: Report
    case_ids: Sequence[str]
    metrics: Mapping[str, MetricScores]
    table: "ScoreTable | None" = None

    @classmethod
    def of(cls, report: Report) -> "RunScores":
        """Return the scores of a report."""
        read_table = getattr(report.results, "score_table", None)
        table = None if read_table is None else read_table(report.cases)
        if table is not None:
            return cls(report, table.case_ids, table.metrics, table)
        metrics = {spec: _metric_scores(rows, len(report.cases)) for spec, rows in report.by_spec().items()}
        return cls(report, [case.id for case in report.cases], metrics)

    @property
    def case_indices(self) -> NDArray[np.int64]:
        """The place of each test case in its run: those in the store have gaps where a run was interrupted."""
        return np.arange(len(self.case_ids), dtype=np.int64) if self.table is None else self.table.indices

    def cases(self, places: Iterable[int]) -> list[TestCase]:
        """Return the test cases at some places."""
        return self._items_at(self.report.cases, places)

    def results(self, places: Iterable[int], spec: str) -> list[Result | None]:
        """Return the results of a metric at some places."""
        return [
            next((result for result in reversed(row) if result.spec == spec), None)
            for row in self._items_at(self.report.results, places)
        ]

    def beginnings(self, places: Iterable[int]) -> list[str]:
        """Return at least the first 500 characters of the questions at some places."""
        if self.table is None:
            return [case.input for case in self.cases(places)]
        stored: Any = self.report.cases
        return stored.beginnings(self.table.indices[list(places)].tolist())

    def _items_at(self, values: Sequence[T], places: Iterable[int]) -> list[T]:
        if self.table is None:
            return [values[place] for place in places]
        stored: Any = values
        return stored.at(self.table.indices[list(places)].tolist())


def _metric_scores(rows: Mapping[int, Result], case_count: int) -> MetricScores:
    first = next(iter(rows.values()))
    metric_scores = MetricScores.unmeasured(
        first.metric,
        first.spec,
        threshold=first.threshold,
        higher_is_better=first.higher_is_better,
        cases=case_count,
        categories=first.categories,
    )
    results = list(rows.values())
    metric_scores.fill(
        list(rows),
        scores=[result.score for result in results],
        lows=[result.low for result in results],
        highs=[result.high for result in results],
        statuses=[result.status for result in results],
        labels=[result.label for result in results],
    )
    return metric_scores


QUESTION_DIGEST = "ragstone.question"
"""Key of a test case's metadata for the digest of its question, where the text itself was not kept."""

_THRESHOLD_OPTION = re.compile(r"(, )?threshold=[^,)]*")


@dataclass(frozen=True, slots=True)
class MatchedCases:
    """Pairs of places in two runs, and the places that have no partner."""

    pairs: tuple[tuple[int, int], ...]  # place before and place after, in the order of the earlier run
    by_question: int  # how many of them were matched by their question
    only_before: tuple[int, ...]  # places in the earlier run alone
    only_after: tuple[int, ...]  # places in the later run alone


def match_cases(before: RunScores, after: RunScores) -> MatchedCases:
    """Match the cases of two runs."""
    old, new = _occurrences(before.case_ids), _occurrences(after.case_ids)
    pairs = _join(old, new)
    old_rest = _remaining_places(len(old), (place for place, _ in pairs))
    new_rest = _remaining_places(len(new), (place for _, place in pairs))
    rest_pairs = _join(*_by_question(before, after, old_rest, new_rest)) if old_rest and new_rest else []
    return MatchedCases(
        pairs=tuple(sorted([*pairs, *rest_pairs])),
        by_question=len(rest_pairs),
        only_before=tuple(sorted({*old_rest} - {old_place for old_place, _ in rest_pairs})),
        only_after=tuple(sorted({*new_rest} - {new_place for _, new_place in rest_pairs})),
    )


@dataclass(frozen=True, slots=True)
class MatchedRuns:
    """The cases and metrics that two runs have in common."""

    cases: MatchedCases  # the matched test cases
    metrics: tuple[tuple[str, str], ...]  # pairs of specs, before and after
    before: RunScores  # the earlier run's scores
    after: RunScores  # the later run's scores


def match_metrics(
    before: Iterable[str], after: Iterable[str]
) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Return pairs of the specs of two runs, and the specs that only one of the runs has."""
    old, new = list(before), list(after)
    pairs = {spec: spec for spec in old if spec in new}
    old_bare, new_bare = (Counter(_bare(spec) for spec in specs if spec not in pairs) for specs in (old, new))
    for spec in new:
        bare = _bare(spec)
        if spec not in pairs and old_bare[bare] == new_bare[bare] == 1:
            pairs[next(each for each in old if each not in pairs and _bare(each) == bare)] = spec
    matched = {*pairs.values()}
    return (
        sorted(pairs.items(), key=lambda pair: old.index(pair[0])),
        [spec for spec in old if spec not in pairs],
        [spec for spec in new if spec not in matched],
    )


def _bare(spec: str) -> str:
    return _THRESHOLD_OPTION.sub("", spec).replace("(, ", "(").replace("()", "")


def _occurrences(case_ids: Sequence[str]) -> dict[Hashable, int]:
    """Return places by id and number of occurrence, since a dataset may contain the same case twice."""
    places: dict[Hashable, int] = dict(zip(case_ids, range(len(case_ids)), strict=True))
    if len(places) == len(case_ids):
        return places
    seen: dict[str, int] = {}
    places.clear()
    for place, case_id in enumerate(case_ids):
        number = seen[case_id] = seen.get(case_id, -1) + 1
        places[(case_id, number) if number else case_id] = place
    return places


def _by_question(
    before: RunScores, after: RunScores, old_places: Sequence[int], new_places: Sequence[int]
) -> tuple[dict[Hashable, int], dict[Hashable, int]]:
    """Return the unmatched places of each run by question, for questions that occur once among them."""
    old_table, new_table = before.table, after.table
    if old_table is not None and new_table is not None:
        return (
            _unique_places(old_places, (old_table.question_hashes[place] for place in old_places)),
            _unique_places(new_places, (new_table.question_hashes[place] for place in new_places)),
        )
    return (
        _unique_places(old_places, map(_case_digest, before.cases(old_places))),
        _unique_places(new_places, map(_case_digest, after.cases(new_places))),
    )


def _unique_places(places: Sequence[int], questions: Iterable[str]) -> dict[Hashable, int]:
    grouped: defaultdict[str, list[int]] = defaultdict(list)
    for place, question in zip(places, questions, strict=True):
        grouped[question].append(place)
    return {question: group[0] for question, group in grouped.items() if question and len(group) == 1}


def _case_digest(case: TestCase) -> str:
    stored = case.metadata.get(QUESTION_DIGEST)
    if isinstance(stored, str):
        return stored
    return question_digest(case.input) if case.input.strip() else ""


def _join(before: Mapping[Hashable, int], after: Mapping[Hashable, int]) -> list[tuple[int, int]]:
    return [(place, after[key]) for key, place in before.items() if key in after]


def _remaining_places(count: int, taken: Iterable[int]) -> list[int]:
    taken_set = {*taken}
    return [place for place in range(count) if place not in taken_set]
