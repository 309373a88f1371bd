"""Simulated sweeps: how often the best setting is dropped, and what is saved: `python -m benchmarks.sweeps`.

A synthetic retriever answers each question with a chance that depends on the question's difficulty and on the setting,
so that scores of one question are alike. The order of the settings is known.
"""

import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.stats.compare import PairedScores
from ragstone.stats.racing import Race, difference_to_leader, leader_of, rungs_of

FloatArray = NDArray[np.float64]
DRAWS = 500
GRIDS = {
    "12 settings, 0.90 to 0.50": tuple(np.linspace(0.9, 0.5, 12)),
    "12 settings, 0.80, the next 0.75": (0.8, *(0.75,) * 11),
    "12 settings, four at 0.80, eight at 0.60": (*(0.8,) * 4, *(0.6,) * 8),
    "12 settings, all 0.80 (null)": (0.8,) * 12,
    "4 settings, all 0.80 (null)": (0.8,) * 4,
    "24 settings, all 0.80 (null)": (0.8,) * 24,
}
SCORES = ("hit or miss", "nearly 0 or 1")
QUESTIONS = (50, 200)


class Outcome(NamedTuple):
    """The result of one simulated sweep.

    Attributes:
        kept: places of the settings that were not dropped.
        calls: calls of the application.
    """

    kept: list[int]
    calls: int


def draw(means: tuple[float, ...], questions: int, kind: str, rng: np.random.Generator) -> FloatArray:
    """Return scores, shape (settings, questions), whose mean over questions is that of the setting."""
    concentration = {"hit or miss": 1.0, "nearly 0 or 1": 0.4, "shares": 8.0}[kind]
    difficulty = rng.uniform(-0.15, 0.15, questions)
    wanted = np.clip(np.array(means)[:, np.newaxis] + difficulty, 0.02, 0.98)
    if kind == "hit or miss":
        shared = rng.random(questions)  # half of the luck is the question's
        luck = np.where(rng.random(wanted.shape) < 0.5, shared, rng.random(wanted.shape))
        return (luck < wanted).astype(np.float64)
    return rng.beta(concentration * wanted, concentration * (1.0 - wanted))


def race(scores: FloatArray, error: float = 0.05) -> Outcome:
    """Race the settings whose scores are given."""
    rules = Race(len(scores), rungs_of(scores.shape[1]), error)
    kept, calls, asked = list(range(len(scores))), 0, 0
    for cases in rules.rungs:
        calls, asked = calls + len(kept) * (cases - asked), cases
        held = [PairedScores.decided(scores[place, :cases]) for place in kept]
        first = held[leader_of(held)]
        kept = [
            place
            for place, each in zip(kept, held, strict=True)
            if each is first or not difference_to_leader(first, each, None, rules).worse
        ]
        if len(kept) == 1:
            break
    return Outcome(kept, calls)


def figures(grid: str, kind: str, questions: int, draws: int = DRAWS) -> tuple[float, float, float, float]:
    """Return the shares of sweeps that dropped a best setting and any equal one, settings kept, and calls saved."""
    means, rng = GRIDS[grid], np.random.default_rng(questions)
    best = [place for place, mean in enumerate(means) if mean == max(means)]
    outcomes = [race(draw(means, questions, kind, rng)) for _ in range(draws)]
    lost = sum(not {*best} & {*each.kept} for each in outcomes) / draws
    any_lost = sum(not {*best} <= {*each.kept} for each in outcomes) / draws
    kept = sum(len(each.kept) for each in outcomes) / draws
    saved = 1.0 - sum(each.calls for each in outcomes) / (draws * len(means) * questions)
    return lost, any_lost, kept, saved


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| grid | scores | questions | the best dropped | one of the best dropped | settings left | calls saved |"
    yield "|---|---|---|---|---|---|---|"
    for grid in GRIDS:
        for kind in SCORES:
            for questions in QUESTIONS:
                lost, any_lost, kept, saved = figures(grid, kind, questions)
                yield (
                    f"| {grid} | {kind} | {questions} | {lost:.1%} | {any_lost:.1%} | {kept:.1f} | {saved:.0%} |"
                )


if __name__ == "__main__":
    for text in table():
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
