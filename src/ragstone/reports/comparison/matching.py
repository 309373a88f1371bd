"""Match the test cases and the metrics of two runs.

Cases are matched by their id. An id that was made from a case's content changes with the answer, which is what a new
version of a system changes: what is left over is matched by its question, where that names one case in each run.
Metrics are matched by their spec, and where only the threshold differs without it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.reports.fingerprint import question_digest
from ragstone.reports.report import Report
from ragstone.result import Result

QUESTION_DIGEST = "ragstone.question"
"""Key of a test case's metadata for the digest of its question, where the text itself was not kept."""

_THRESHOLD = re.compile(r"(, )?threshold=[^,)]*")


@dataclass(frozen=True, slots=True)
class MatchedCases:
    """Pairs of places in two runs, and the places that have no partner.

    Attributes:
        pairs: place before and place after, in the order of the earlier run.
        by_question: how many of them were matched by their question.
        only_before: places in the earlier run alone.
        only_after: places in the later run alone.
    """

    pairs: tuple[tuple[int, int], ...]
    by_question: int
    only_before: tuple[int, ...]
    only_after: tuple[int, ...]


def match_cases(before: Sequence[TestCase], after: Sequence[TestCase]) -> MatchedCases:
    """Return which cases of two runs are the same."""
    pairs = _join(_occurrences(before), _occurrences(after))
    left, right = _rest(before, {one for one, _ in pairs}), _rest(after, {other for _, other in pairs})
    asked = _join(_unique(before, left), _unique(after, right))
    return MatchedCases(
        pairs=tuple(sorted([*pairs, *asked])),
        by_question=len(asked),
        only_before=tuple(sorted(set(left) - {one for one, _ in asked})),
        only_after=tuple(sorted(set(right) - {other for _, other in asked})),
    )


@dataclass(frozen=True, slots=True)
class MatchedRuns:
    """What two runs have in common.

    Attributes:
        cases: which test cases are the same.
        metrics: pairs of specs, before and after.
        before: the earlier run's results by spec and place.
        after: the later run's results by spec and place.
    """

    cases: MatchedCases
    metrics: tuple[tuple[str, str], ...]
    before: Mapping[str, Mapping[int, Result]]
    after: Mapping[str, Mapping[int, Result]]


def match_metrics(
    before: Iterable[str], after: Iterable[str]
) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Return pairs of the specs of two runs, and the specs that only one of the runs has."""
    old, new = list(before), list(after)
    same = [(spec, spec) for spec in old if spec in new]
    left = [spec for spec in old if spec not in new]
    right = [spec for spec in new if spec not in old]
    alike = [
        (spec, other)
        for spec in left
        for other in right
        if _bare(spec) == _bare(other)
        and _counts(left, _bare)[_bare(spec)] == _counts(right, _bare)[_bare(other)] == 1
    ]
    paired = sorted([*same, *alike], key=lambda pair: old.index(pair[0]))
    return (
        paired,
        [spec for spec in left if spec not in {one for one, _ in alike}],
        [spec for spec in right if spec not in {other for _, other in alike}],
    )


def by_spec(report: Report) -> dict[str, dict[int, Result]]:
    """Return the results of each metric by their place, with one entry per spec."""
    found: dict[str, dict[int, Result]] = {}
    for place, results in enumerate(report.results):
        for result in results:
            spec = result.spec or result.metric
            rows = found.get(spec)
            if rows is None:
                rows = found[spec] = {}
            rows[place] = result
    return found


def _bare(spec: str) -> str:
    return _THRESHOLD.sub("", spec).replace("(, ", "(").replace("()", "")


def _counts(specs: Iterable[str], key: Callable[[str], str]) -> Counter[str]:
    return Counter(map(key, specs))


def _occurrences(cases: Sequence[TestCase]) -> dict[Hashable, int]:
    """Return places by id and number of occurrence: a dataset may hold the same case twice."""
    seen: dict[str, int] = {}
    places: dict[Hashable, int] = {}
    for place, case in enumerate(cases):
        name = case.id
        number = seen[name] = seen.get(name, -1) + 1
        places[name, number] = place
    return places


def _unique(cases: Sequence[TestCase], places: Iterable[int]) -> dict[Hashable, int]:
    """Return places by the digest of the question, where only one of them asks it."""
    asked: defaultdict[str, list[int]] = defaultdict(list)
    for place in places:
        asked[_question(cases[place])].append(place)
    return {question: found[0] for question, found in asked.items() if question and len(found) == 1}


def _question(case: TestCase) -> str:
    """Return the digest of a case's question; empty where it has none."""
    kept = case.metadata.get(QUESTION_DIGEST)
    if isinstance(kept, str):
        return kept
    return question_digest(case.input) if case.input.strip() else ""


def _join(before: Mapping[Hashable, int], after: Mapping[Hashable, int]) -> list[tuple[int, int]]:
    return [(place, after[key]) for key, place in before.items() if key in after]


def _rest(cases: Sequence[TestCase], taken: set[int]) -> list[int]:
    return [place for place in range(len(cases)) if place not in taken]
