"""How far a sweep is: the metric that it compares, what is left after each rung, and what is to be asked next."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ragstone.findings.clusters import clusters
from ragstone.findings.comparison.run_scores import RunScores
from ragstone.findings.report import Report
from ragstone.findings.sweep.model import CellState
from ragstone.metric_label import base_name
from ragstone.run import SweepPlan
from ragstone.runner.answering import APPLICATION_FAILED
from ragstone.stats.compare import PairedScores
from ragstone.stats.racing import LeaderDifference, Race, difference_to_leader, leader_of


class Objective(NamedTuple):
    """The metric that a sweep compares."""

    spec: str
    label: str  # its name for people
    higher_is_better: bool  # its direction


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
        objective: the metric that was compared; None where nothing was compared.
    """

    states: tuple[CellState, ...]
    differences: Mapping[int, LeaderDifference]
    questions: Mapping[int, int]
    leader: int | None
    rung: int
    pending: tuple[int, ...]
    objective: Objective | None


def race_progress(plan: SweepPlan, runs: Sequence[SweptRun | None]) -> RaceProgress:
    """Return how far the race of these runs is: every rung that all settings which are left have finished is decided.

    A setting is pending until its questions of the rung are measured.
    """
    states: list[CellState] = [
        "failed" if run is not None and run.report.stopped.startswith(APPLICATION_FAILED) else "left"
        for run in runs
    ]
    race = Race(len(runs), plan.rungs, plan.error)
    scores = [None if run is None else RunScores.of(run.report) for run in runs]
    objective = objective_of(plan, scores)
    differences: dict[int, LeaderDifference] = {}
    questions: dict[int, int] = {}
    leader: int | None = None
    for number, size in enumerate(plan.rungs):
        left = [place for place, state in enumerate(states) if state == "left"]
        pending = tuple(place for place in left if (run := runs[place]) is None or run.questions < size)
        if pending and (len(left) > 1 or number == 0):
            return RaceProgress(tuple(states), differences, questions, leader, number, pending, objective)
        if pending or objective is None:  # one setting is left, or nothing was measured
            break
        held = {place: _rung_scores(found, objective, size) for place in left if (found := scores[place])}
        if not any(np.any(each.low == each.high) for each in held.values()):
            break  # no score was decided
        leader = left[leader_of([held[place] for place in left])]
        groups = _groups(scores[leader], size)
        for place in left:
            questions[place] = size
            differences.pop(place, None)
            if place != leader:
                found = difference_to_leader(held[leader], held[place], groups, race)
                differences[place] = found
                states[place] = "dropped" if found.worse else "left"
    return RaceProgress(tuple(states), differences, questions, leader, len(plan.rungs), (), objective)


def _rung_scores(scores: RunScores, objective: Objective, size: int) -> PairedScores:
    """Return the scores of the questions of a rung, greater is better.

    One that was not measured may be anything from 0 to 1.
    """
    cases = size * scores.report.run.plan.app_repeats
    lows, highs = np.zeros(cases), np.ones(cases)
    metric = scores.metrics.get(objective.spec)
    if metric is not None:
        known = (scores.case_indices < cases) & ~np.isnan(metric.lows)
        places = scores.case_indices[known]
        lows[places], highs[places] = metric.lows[known], metric.highs[known]
    return PairedScores(lows, highs) if objective.higher_is_better else PairedScores(-highs, -lows)


def _groups(scores: RunScores | None, size: int) -> list[Hashable] | None:
    plan = None if scores is None else scores.report.run.plan
    if scores is None or plan is None or plan.cluster is None:
        return None
    cases = size * plan.app_repeats
    inside = np.flatnonzero(scores.case_indices < cases)
    groups: list[Hashable] = [("", place) for place in range(cases)]
    found = clusters(scores.cases(inside.tolist()), plan.cluster) or []
    for place, group in zip(scores.case_indices[inside].tolist(), found, strict=True):
        groups[place] = group
    return groups


def find_objective(specs: Mapping[str, str], wanted: str | None) -> str | None:
    """Return the spec of the metric that a sweep compares, from the labels by spec; None where there is none.

    `wanted` is its spec, its name or its label; None for the first.
    """
    if wanted is None:
        return next(iter(specs), None)
    exact = (spec for spec in specs if spec == wanted)
    named = (spec for spec in specs if base_name(spec) == wanted or specs[spec].lower() == wanted.lower())
    return next(chain(exact, named), None)


def objective_of(plan: SweepPlan, runs: Iterable[RunScores | None]) -> Objective | None:
    """Return the metric that all runs of a sweep are compared by: that of the first run which measures it.

    None where no run has a result of it.
    """
    for scores in runs:
        run = None if scores is None else scores.report.run.plan
        if scores is None or run is None:
            continue
        specs = {spec: run.labels.get(spec, spec) for spec in run.metrics if spec not in run.flagged_only}
        spec = find_objective(specs, plan.objective)
        if spec is not None and spec in scores.metrics:
            return Objective(spec, specs[spec], scores.metrics[spec].higher_is_better)
    return None
