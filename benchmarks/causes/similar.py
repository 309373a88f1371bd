"""Rates of groups of similar failures: false reports in data without any, and detections of a planted one."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.causes.support_questions import TOPICS, support_case
from ragstone.findings.diagnosis.similar import SimilarFailures, find_similar_failures

DATASETS = 1000
PLANTED = "warranty"
_PLANTED_DATASETS = 100


@dataclass(frozen=True)
class SimilarFailureFigures:
    """Figures of the reported groups.

    Attributes:
        any_reported: share of datasets in which a group was reported.
        planted_found: share of datasets in which a group was reported that is mostly of the planted topic.
        purity: mean share of the planted topic among the test cases of such a group.
        named: share of such groups whose words include one of the topic's own words.
        missed: mean share of reported groups whose interval of the difference misses the true one; 0 where none was.
        tried: mean number of groups tried.
    """

    any_reported: float
    planted_found: float
    purity: float
    named: float
    missed: float
    tried: float


def similar_failure_figures(
    cases: int, *, base: float = 0.2, effect: float = 0.0, datasets: int = DATASETS, seed: int = 0
) -> SimilarFailureFigures:
    """Simulate runs whose test cases fail with probability `base`, and on the planted topic `effect` more often."""
    rng = random.Random(seed)
    reported: list[bool] = []
    planted: list[tuple[float, bool]] = []
    missed: list[float] = []
    tried: list[int] = []
    for _ in range(datasets):
        topics = [rng.choice(list(TOPICS)) for _ in range(cases)]
        chances = np.array([base + effect * (topic == PLANTED) for topic in topics])
        causes = ["missed" if rng.random() < chance else None for chance in chances]
        search = find_similar_failures([support_case(topic, rng) for topic in topics], causes)
        reported.append(bool(search.found))
        tried.append(search.tried)
        missed.append(float(np.mean([_misses(found, chances) for found in search.found] or [0.0])))
        ours = [found for found in search.found if _share(found, topics) > 0.5]
        planted.extend((_share(found, topics), _named(found)) for found in ours[:1])
    return SimilarFailureFigures(
        any_reported=float(np.mean(reported)),
        planted_found=len(planted) / datasets,
        purity=float(np.mean([share for share, _ in planted])) if planted else 0.0,
        named=float(np.mean([named for _, named in planted])) if planted else 0.0,
        missed=float(np.mean(missed)),
        tried=float(np.mean(tried)),
    )


def _share(found: SimilarFailures, topics: list[str]) -> float:
    return float(np.mean([topics[place] == PLANTED for place in found.cluster.members]))


def _misses(found: SimilarFailures, chances: "np.typing.NDArray[np.float64]") -> bool:
    inside = np.zeros(len(chances), dtype=bool)
    inside[list(found.cluster.members)] = True
    true = float(chances[inside].mean() - chances[~inside].mean())
    return not found.cluster.interval.low <= true <= found.cluster.interval.high


def _named(found: SimilarFailures) -> bool:
    things, questions, answers = TOPICS[PLANTED]
    own = " ".join((*things, *questions, *answers)).lower()
    return any(word in own for word in found.words)


def figure_rows() -> Iterator[str]:
    """Yield the rows of the documentation's table, as they are ready."""
    yield "| runs | groups tried | any reported | planted one found | its purity | named rightly | interval misses |"
    yield "|---|---|---|---|---|---|---|"
    for cases in (60, 120):
        for base in (0.1, 0.3):
            found = similar_failure_figures(cases, base=base)
            name = f"{DATASETS:,}: {cases} cases, {base:.0%} fail, no effect"
            yield f"| {name} | {found.tried:.0f} | {100 * found.any_reported:.1f} | | | | {100 * found.missed:.1f} |"
    for cases in (120, 240):
        for effect in (0.3, 0.5, 0.7):
            found = similar_failure_figures(cases, effect=effect, datasets=_PLANTED_DATASETS)
            shares = (found.any_reported, found.planted_found, found.purity, found.named, found.missed)
            told = " | ".join(f"{100 * share:.1f}" for share in shares)
            name = f"{_PLANTED_DATASETS}: {cases} cases, 20% fail, one topic of eight {effect:+.0%}"
            yield f"| {name} | {found.tried:.0f} | {told} |"
