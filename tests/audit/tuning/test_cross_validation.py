import zlib

import numpy as np
import pytest
from tests.audit.tuning.topic_judge import METRIC, TopicJudge, labelled

from ragstone import evaluate
from ragstone.audit.tuning.candidates import CandidateMaker
from ragstone.audit.tuning.cross_validation import NestedOutcome, NestedTuning
from ragstone.audit.tuning.labelled import LabelledRun, Places, labelled_run
from ragstone.metrics import parse
from ragstone.prompts.base.guidance import Guidance

METRIC_VALUE = parse(METRIC)


def run_of(n: int, cluster: str | None = None) -> LabelledRun:
    return labelled_run(evaluate(labelled(n), METRIC, judge=TopicJudge()), METRIC_VALUE, "label", cluster)


def test_no_example_comes_from_the_group_on_which_it_is_measured() -> None:
    run = run_of(60, "document")
    group = {case.id: code for case, code in zip(run.cases, run.codes or (), strict=True)}
    seen: list[int] = []

    def measure(guidance: Guidance, places: Places) -> np.ndarray:
        shown = {group[example.case_id] for example in guidance.examples}
        assert len(shown) == len(guidance.examples)  # one of each group
        assert not shown & {(run.codes or ())[place] for place in places}
        seen.append(places.size)
        return run.scores[places]

    NestedTuning(run, CandidateMaker(run), measure, resamples=50).outcome()
    assert len(seen) > 20


def noise(seed: int, n: int = 60) -> NestedOutcome:
    """Return what tuning finds where labels, the judge's scores and the scores with any examples are coins."""
    draw = np.random.default_rng(seed)
    base = BASE
    truth = draw.random(n) < 0.5
    while min(truth.sum(), n - truth.sum()) < 10:
        truth = draw.random(n) < 0.5
    run = LabelledRun(METRIC_VALUE, base.cases, truth, draw.random(n).round(1), None, base.reasons, 0)

    def measure(guidance: Guidance, places: Places) -> np.ndarray:
        ids = " ".join(example.case_id for example in guidance.examples)
        key = zlib.crc32(f"{seed} {ids}".encode())
        return np.random.default_rng(key).random(n).round(1)[places]

    return NestedTuning(run, CandidateMaker(run), measure, seed=seed, resamples=400).outcome()


BASE = run_of(60)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_pure_noise_is_adopted_in_at_most_five_of_a_hundred() -> None:
    """150 data sets; 1,000 of them stand in docs/how-to/tune-a-judge.md."""
    adopted = sum(noise(seed).adopted for seed in range(150))
    assert adopted <= 0.05 * 150


def test_unmeasured_cases_keep_the_plain_judges_decision() -> None:
    run = run_of(40)
    tuning = NestedTuning(
        run, CandidateMaker(run), lambda _, places: np.full(places.size, np.nan), resamples=50
    )
    outcome = tuning.outcome()
    assert outcome.gain.changed == 0
    assert not outcome.adopted
