"""A comparison worked out one result at a time, as a reference for the one by arrays; and random runs to compare."""

import random
from collections.abc import Hashable
from typing import Any

import numpy as np
from tests.findings.sample import result, run

from ragstone.case import TestCase
from ragstone.findings import Report
from ragstone.findings.comparison import Flip, RunComparison
from ragstone.result import Result
from ragstone.stats.compare import Comparison, PairedScores, compare_paired
from ragstone.stats.multiple import correct_for_multiple

METRICS = ("Faithfulness", "Hallucination", "ContextualRecall")


def random_reports(seed: int) -> tuple[Report, Report]:
    """Return two runs with repeats, unmeasured and skipped results, missing cases and results, and changed ids."""
    draw = random.Random(seed)
    size, clustered = draw.choice((0, 3, 12, 40, 90)), draw.random() < 0.3
    grid = draw.choice((2, 10, 1000))
    plan = {"cluster": "doc" if clustered and size else None, "repeats": draw.choice((1, 3))}
    questions = [draw.choice(("q{}", "q{}", "q{}", "{}same")).format(number) for number in range(size)]
    both = [_report(draw, questions, grid, version, **plan) for version in ("old", "new")]
    return both[0], both[1]


def _report(draw: random.Random, questions: list[str], grid: int, version: str, **plan: Any) -> Report:
    made_ids, seen = draw.random() < 0.5, draw.uniform(0.7, 1.0)
    cases = [
        _case(draw, question, number, version if made_ids and draw.random() < 0.4 else "", plan["cluster"])
        for number, question in enumerate(questions)
        if draw.random() < seen
    ]
    if len(cases) > 5 and draw.random() < 0.3:
        cases.append(cases[2])  # the same case twice
    if draw.random() < 0.3:
        draw.shuffle(cases)
    results = [_results(draw, case, grid, version, plan["repeats"]) for case in cases]
    metrics = tuple(one.lower() for one in METRICS)
    return Report(run=run(name=version, metrics=metrics, **plan), cases=cases, results=results)


def _case(draw: random.Random, question: str, number: int, answer: str, cluster: str | None) -> TestCase:
    metadata = {"doc": draw.choice((number // 4, number // 4, None))} if cluster else {}
    text = " " * draw.randrange(2) + (question if draw.random() < 0.95 else f"{question} {'long ' * 150}")
    named = {} if answer else {"id": f"case-{number}"}
    return TestCase(input=text, actual_output=answer or "an answer", metadata=metadata, **named)  # type: ignore[arg-type]


def _results(draw: random.Random, case: TestCase, grid: int, version: str, repeats: int) -> list[Result]:
    found: list[Result] = []
    for metric in METRICS[: draw.choice((3, 3, 3, 2))] or METRICS:
        score = round(draw.betavariate(5, 2) * grid) / grid if draw.random() < 0.9 else None
        fields: dict[str, Any] = {"reason": f"{version} {metric} of {case.id}", "threshold": 0.5}
        if score is None:
            fields |= (
                {"skipped": True}
                if draw.random() < 0.5
                else {"error": "TimedOut: late", "error_type": "TimedOut"}
            )
        elif repeats > 1:
            fields["metadata"] = {"repeats": [{"score": score}] * repeats}
        found.append(result(case, score, metric=metric, **fields))
    return found


def figures(found: RunComparison) -> tuple[Any, ...]:
    """Return everything that a comparison says of two runs and their metrics."""
    metrics = [
        (one.name, one.comparison, tuple(one.flips), one.thresholds, one.lost, one.broke, one.flips.mended)
        for one in found.metrics
    ]
    return (found.cases, found.by_question, found.only_before, found.only_after, found.warnings, metrics)


def compared_one_by_one(before: Report, after: Report, found: RunComparison) -> list[tuple[Any, ...]]:
    """Return the metrics as `figures` does, from the results themselves and the pairs that were found."""
    pairs = found.matched.cases.pairs
    key = after.run.plan.cluster or before.run.plan.cluster
    groups = None if key is None else [_group(before, after, pair, key) for pair in pairs]
    rows: list[tuple[str, Comparison, tuple[Flip, ...], int]] = []
    for old, new in found.matched.metrics:
        sides = [(_of(before, was, old), _of(after, now, new)) for was, now in pairs]
        first = next(one for row in after.results for one in row if one.spec == new)
        rows.append(
            (first.metric, _compared(sides, first, groups), _flips(after, pairs, sides), _lost(sides))
        )
    corrected = correct_for_multiple([comparison for _, comparison, _, _ in rows])
    return [
        (
            name,
            comparison,
            flips,
            (0.5, 0.5),
            lost,
            *(sum(f.broke is broke for f in flips) for broke in (True, False)),
        )
        for (name, _, flips, lost), comparison in zip(rows, corrected, strict=True)
    ]


Side = tuple[Result | None, Result | None]


def _of(report: Report, place: int, spec: str) -> Result | None:
    return next((one for one in report.results[place] if one.spec == spec), None)


def _group(before: Report, after: Report, pair: tuple[int, int], key: str) -> Hashable:
    case = after.cases[pair[1]]
    return (case if case.metadata else before.cases[pair[0]]).metadata.get(key)


def _compared(sides: list[Side], first: Result, groups: list[Hashable] | None) -> Comparison:
    places = [place for place, (old, _) in enumerate(sides) if old is not None and old.score is not None]
    if all((new := sides[place][1]) is None or new.score is None for place in places):
        places = []
    return compare_paired(
        _scores([sides[place][0] for place in places]),
        _scores([sides[place][1] for place in places]),
        metric=first.metric,
        higher_is_better=first.higher_is_better,
        clusters=None if groups is None else [groups[place] for place in places],
        unpaired=len(sides) - len(places),
    )


def _scores(results: list[Result | None]) -> PairedScores:
    """Return the scores; a case without one may have any from 0 to 1."""
    bounds = [
        (0.0, 1.0, False, True)
        if result is None or result.score is None
        else (result.score, result.score, result.success, result.success)
        for result in results
    ]
    low, high, passes, may_pass = zip(*bounds, strict=True) if bounds else ((), (), (), ())
    return PairedScores(
        np.array(low, dtype=float),
        np.array(high, dtype=float),
        np.array(passes, dtype=bool),
        np.array(may_pass, dtype=bool),
    )


def _flips(after: Report, pairs: tuple[tuple[int, int], ...], sides: list[Side]) -> tuple[Flip, ...]:
    flips: list[Flip] = []
    for (_, place), (old, new) in zip(pairs, sides, strict=True):
        if old is None or new is None or old.score is None or new.score is None or old.success == new.success:
            continue
        case = after.cases[place]
        flips.append(Flip(case.id, case.input, old.score, new.score, old.success, new.reason))
    return tuple(sorted(flips, key=lambda flip: (not flip.broke, -abs(flip.after - flip.before))))


def _lost(sides: list[Side]) -> int:
    return sum(
        old is not None and old.score is not None and (new is None or new.score is None) for old, new in sides
    )
