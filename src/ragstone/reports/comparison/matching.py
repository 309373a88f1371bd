"""Match the test cases and the metrics of two runs.

Cases are matched by their id. An id that was derived from a case's content changes with the answer, and a new version
of a system changes answers. The remaining cases are matched by their question, if it is unique among them in each run.
Metrics are matched by their spec; the threshold is ignored if specs differ in it alone.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.reports.comparison.run_scores import RunScores
from ragstone.reports.fingerprint import question_digest

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


def match_cases(before: RunScores, after: RunScores) -> MatchedCases:
    """Match the cases of two runs."""
    old, new = _occurrences(before.case_ids), _occurrences(after.case_ids)
    pairs = _join(old, new)
    left = _rest(len(old), (place for place, _ in pairs))
    right = _rest(len(new), (place for _, place in pairs))
    asked = _join(*_unique(before, after, left, right)) if left and right else []
    return MatchedCases(
        pairs=tuple(sorted([*pairs, *asked])),
        by_question=len(asked),
        only_before=tuple(sorted({*left} - {one for one, _ in asked})),
        only_after=tuple(sorted({*right} - {other for _, other in asked})),
    )


@dataclass(frozen=True, slots=True)
class MatchedRuns:
    """The cases and metrics that two runs have in common.

    Attributes:
        cases: the matched test cases.
        metrics: pairs of specs, before and after.
        before: the earlier run's scores.
        after: the later run's scores.
    """

    cases: MatchedCases
    metrics: tuple[tuple[str, str], ...]
    before: RunScores
    after: RunScores


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


def _bare(spec: str) -> str:
    return _THRESHOLD.sub("", spec).replace("(, ", "(").replace("()", "")


def _counts(specs: Iterable[str], key: Callable[[str], str]) -> Counter[str]:
    return Counter(map(key, specs))


def _occurrences(case_ids: Sequence[str]) -> dict[Hashable, int]:
    """Return places by id and number of occurrence, since a dataset may contain the same case twice."""
    places: dict[Hashable, int] = dict(zip(case_ids, range(len(case_ids)), strict=True))
    if len(places) == len(case_ids):
        return places
    seen: dict[str, int] = {}
    places.clear()
    for place, name in enumerate(case_ids):
        number = seen[name] = seen.get(name, -1) + 1
        places[(name, number) if number else name] = place
    return places


def _unique(
    before: RunScores, after: RunScores, left: Sequence[int], right: Sequence[int]
) -> tuple[dict[Hashable, int], dict[Hashable, int]]:
    """Return the unmatched places of each run by question, for questions that occur once among them."""
    old, new = before.table, after.table
    if old is not None and new is not None:
        return (
            _once(left, (old.question_hashes[place] for place in left)),
            _once(right, (new.question_hashes[place] for place in right)),
        )
    return (
        _once(left, map(_question, before.cases(left))),
        _once(right, map(_question, after.cases(right))),
    )


def _once(places: Sequence[int], questions: Iterable[str]) -> dict[Hashable, int]:
    asked: defaultdict[str, list[int]] = defaultdict(list)
    for place, question in zip(places, questions, strict=True):
        asked[question].append(place)
    return {question: found[0] for question, found in asked.items() if question and len(found) == 1}


def _question(case: TestCase) -> str:
    """Return the digest of a case's question; empty where it has none."""
    kept = case.metadata.get(QUESTION_DIGEST)
    if isinstance(kept, str):
        return kept
    return question_digest(case.input) if case.input.strip() else ""


def _join(before: Mapping[Hashable, int], after: Mapping[Hashable, int]) -> list[tuple[int, int]]:
    return [(place, after[key]) for key, place in before.items() if key in after]


def _rest(count: int, taken: Iterable[int]) -> list[int]:
    gone = {*taken}
    return [place for place in range(count) if place not in gone]
