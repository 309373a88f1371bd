"""How far a sweep is: which settings are left after each rung, and which are to be asked next."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ragstone.reports.clusters import clusters
from ragstone.reports.comparison.run_scores import RunScores
from ragstone.reports.report import Report
from ragstone.reports.sweep.model import CellState
from ragstone.reports.sweep.objective import objective_spec
from ragstone.run import SweepPlan
from ragstone.runner.answering import APPLICATION_FAILED
from ragstone.stats.compare import PairedScores
from ragstone.stats.racing import LeaderDifference, Race, difference_to_leader, leader_of


class SweptRun(NamedTuple):
    """The run of one setting so far.

    Attributes:
        report: the run.
        questions: how many of the first questions are surely measured.
    """

    report: Report
    questions: int


class RaceProgress(NamedTuple):
    """How far a race is.

    Attributes:
        states: of each setting.
        differences: of each setting to the leader, from the last rung in which both were compared.
        questions: of the last rung in which each setting was compared.
        leader: the leader of the last finished rung.
        rung: rungs that are finished.
        pending: the settings to be asked in the next rung.
    """

    states: tuple[CellState, ...]
    differences: Mapping[int, LeaderDifference]
    questions: Mapping[int, int]
    leader: int | None
    rung: int
    pending: tuple[int, ...]


def race_progress(plan: SweepPlan, runs: Sequence[SweptRun | None]) -> RaceProgress:
    """Return how far the race of these runs is: every rung that all settings which are left have finished is decided.

    A setting is pending until its questions of the rung are measured.
    """
    states: list[CellState] = [
        "failed" if run is not None and _failed(run.report) else "left" for run in runs
    ]
    race = Race(len(runs), plan.rungs, plan.error)
    scores = [None if run is None else RunScores.of(run.report) for run in runs]
    differences: dict[int, LeaderDifference] = {}
    questions: dict[int, int] = {}
    leader: int | None = None
    for number, size in enumerate(plan.rungs):
        left = [place for place, state in enumerate(states) if state == "left"]
        pending = tuple(place for place in left if (run := runs[place]) is None or run.questions < size)
        if pending and (len(left) > 1 or number == 0):
            return RaceProgress(tuple(states), differences, questions, leader, number, pending)
        if pending or not left:
            continue
        held = {place: _rung_scores(scores[place], runs[place], plan, size) for place in left}
        leader = left[leader_of([held[place][0] for place in left])]
        groups = held[leader][1]
        for place in left:
            questions[place] = size
            differences.pop(place, None)
            if place != leader:
                found = difference_to_leader(held[leader][0], held[place][0], groups, race)
                differences[place] = found
                states[place] = "dropped" if found.worse else "left"
    return RaceProgress(tuple(states), differences, questions, leader, len(plan.rungs), ())


def _failed(report: Report) -> bool:
    return report.stopped.startswith(APPLICATION_FAILED)


def _rung_scores(
    scores: RunScores | None, run: SweptRun | None, plan: SweepPlan, size: int
) -> tuple[PairedScores, list[Hashable] | None]:
    """Return the scores of the questions of a rung, greater is better, and their groups.

    One that was not measured may be anything from 0 to 1.
    """
    if scores is None or run is None:
        raise AssertionError
    cases = size * run.report.run.plan.app_repeats
    lows, highs = np.zeros(cases), np.ones(cases)
    metric = scores.metrics.get(objective_spec(run.report, plan) or "")
    places = scores.case_indices
    inside = places < cases
    if metric is not None:
        known = inside & ~np.isnan(metric.lows)
        lows[places[known]], highs[places[known]] = metric.lows[known], metric.highs[known]
        if not metric.higher_is_better:
            lows, highs = -highs, -lows
    key = run.report.run.plan.cluster
    if key is None:
        return PairedScores(lows, highs), None
    groups: list[Hashable] = [("", place) for place in range(cases)]
    found = clusters(scores.cases(np.flatnonzero(inside).tolist()), key) or []
    for place, group in zip(places[inside].tolist(), found, strict=True):
        groups[place] = group
    return PairedScores(lows, highs), groups
