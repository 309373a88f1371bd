"""Simulate alarms and windows: `python -m benchmarks.watch`. Prints the tables of docs/how-to/watch-production.md."""

import argparse
from collections.abc import Callable

import numpy as np

from ragstone.stats.fall_alarm import FallAlarm
from ragstone.stats.hash_sampling import DrawnScore, hash_uniform, sampled_mean, tuned_trust
from ragstone.stats.human_sample import HumanScore, human_mean

FLOOR = 0.85
Scores = Callable[[np.random.Generator, float, int], np.ndarray]


def binary(chance: np.random.Generator, mean: float, count: int) -> np.ndarray:
    """Scores of 0 and 1: the worst case for a mean."""
    return (chance.random(count) < mean).astype(float)


def graded(chance: np.random.Generator, mean: float, count: int) -> np.ndarray:
    """Scores in between, with a standard deviation of about 0.2."""
    return chance.beta(3 * mean, 3 * (1 - mean), count)


def run_lengths(scores: Scores, mean: float, run_length: float, histories: int, most: int) -> np.ndarray:
    """Return the number of scores until each history's alarm is raised; `most` if it is not raised before."""
    chance = np.random.default_rng(11)
    bets = np.array([1, 1 / 2, 1 / 4, 1 / 8, 1 / 16])[:, None] / (2 * (1 - FLOOR))
    evidence, ends = np.zeros((5, histories)), np.full(histories, most)
    alive = np.arange(histories)
    for step in range(1, most + 1):
        x = scores(chance, mean, len(alive))
        evidence = (evidence + 1) * (1 + bets * (FLOOR - x))
        raised = evidence.mean(axis=0) >= run_length
        if raised.any():
            ends[alive[raised]] = step
            alive, evidence = alive[~raised], evidence[:, ~raised]
            if not len(alive):
                break
    return ends


def same_as_the_alarm() -> bool:
    """Check the arrays above against the class, on one history."""
    chance, alarm = np.random.default_rng(11), FallAlarm(FLOOR, 500)
    for step in range(1, 5000):
        alarm = alarm.add(float(binary(chance, 0.75, 1)[0]))
        if alarm.raised:
            return bool(run_lengths(binary, 0.75, 500, 1, 5000)[0] == step)
    return False


Judges = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]
"""Function from a count to the scores of the judge of all cases, and of the second, more expensive judge."""


def verdicts(passing: float, agreement: float) -> Judges:
    """Scores of 0 and 1 of two judges with this rate of agreement."""

    def scores(chance: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        cheap = (chance.random(count) < passing).astype(float)
        return cheap, np.where(chance.random(count) < agreement, cheap, 1 - cheap)

    return scores


def shares(chance: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Graded scores of two judges that differ by 0.2."""
    cheap = chance.beta(4, 1.5, count)
    return cheap, np.clip(cheap + chance.normal(0, 0.2, count), 0, 1)


JUDGES = {
    "0 or 1, 80 % pass, judges agree in 85 %": verdicts(0.8, 0.85),
    "0 or 1, 50 % pass, judges agree in 70 %": verdicts(0.5, 0.7),
    "0 or 1, 95 % pass, judges agree in 97 %": verdicts(0.95, 0.97),
    "graded": shares,
}


def coverage(judges: Judges, boost: float, count: int, windows: int) -> tuple[float, float]:
    """Return how often the interval contained the mean of the window, and its mean width."""
    chance = np.random.default_rng(int(boost * 100))
    held = width = 0.0
    told = 0
    trust = 0.0
    for _ in range(windows):
        cheap, dear = judges(chance, count)
        probabilities = np.minimum(1.0, 0.08 * np.where(cheap < 0.5, boost, 1.0))
        chosen = np.flatnonzero(chance.random(count) < probabilities)
        drawn = [DrawnScore(*map(float, (cheap[at], dear[at], probabilities[at]))) for at in chosen]
        found = sampled_mean(cheap.tolist(), drawn, trust=trust)
        trust = tuned_trust(drawn)
        if found.low is not None and found.high is not None:
            told += 1
            held += found.low <= dear.mean() <= found.high
            width += found.high - found.low
    return held / max(told, 1), width / max(told, 1)


def human_coverage(agreement: float, boost: float, count: int, windows: int) -> tuple[float, float, float]:
    """Return coverage and mean width of the interval of the human mean, and the number of human verdicts per window.

    The second judge gets 8 % of all cases or more, people get 3 %, those of the lowest hash; `agreement` is the rate at
    which the two agree.
    """
    chance = np.random.default_rng(int(boost * 100 + agreement * 10_000))
    judges = verdicts(0.8, 0.85)
    held = width = said = 0.0
    told, trust, human_trust = 0, 0.0, 0.0
    for _ in range(windows):
        cheap, dear = judges(chance, count)
        human = np.where(chance.random(count) < agreement, dear, 1 - dear)
        probabilities = np.minimum(1.0, 0.08 * np.where(cheap < 0.5, boost, 1.0))
        places = chance.random(count)
        drawn = {
            int(at): DrawnScore(*map(float, (cheap[at], dear[at], probabilities[at])))
            for at in np.flatnonzero(places < probabilities)
        }
        people = [HumanScore(drawn[int(at)], float(human[at]), 0.03) for at in np.flatnonzero(places < 0.03)]
        found = human_mean(cheap.tolist(), [*drawn.values()], people, trust=trust, human_trust=human_trust)
        trust = tuned_trust([*drawn.values()])
        human_trust = tuned_trust([DrawnScore(one.drawn.dear, one.human, one.probability) for one in people])
        said += len(people)
        if found.low is not None and found.high is not None:
            told += 1
            held += found.low <= human.mean() <= found.high
            width += found.high - found.low
    return held / max(told, 1), width / max(told, 1), said / windows


def uniformity(count: int) -> float:
    """Return the largest distance of the hash's distribution from the uniform one, times the root of the count."""
    values = np.sort([hash_uniform("salt", f"{number:032x}") for number in range(count)])
    steps = np.arange(1, count + 1) / count
    return float(np.max(np.abs(values - steps)) * np.sqrt(count))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--histories", type=int, default=2000)
    parser.add_argument("--run-length", type=float, default=1000)
    parser.add_argument("--windows", type=int, default=2000)
    given = parser.parse_args()
    print(f"arrays agree with the class: {same_as_the_alarm()}")
    most = int(5 * given.run_length)
    print(
        f"\n{given.histories} quiet histories, floor {FLOOR}, run length {given.run_length:g}, cut at {most}:"
    )
    for name, scores in (("0 or 1", binary), ("graded", graded)):
        ends = run_lengths(scores, FLOOR, given.run_length, given.histories, most)
        print(f"  {name}: mean {ends.mean():.0f} or more ({(ends == most).mean():.0%} without an alarm)")
    print("\nscores until a fall is found, median (90 %):")
    for fall in (0.05, 0.1, 0.2):
        told = []
        for name, scores in (("0 or 1", binary), ("graded", graded)):
            ends = run_lengths(scores, FLOOR - fall, given.run_length, 500, most)
            told.append(f"{name} {np.median(ends):.0f} ({np.quantile(ends, 0.9):.0f})")
        print(f"  {fall}: {'; '.join(told)}")
    for count in (2000, 600):
        print(f"\nwindow of {count} traces, 8 % drawn, {given.windows} windows: coverage, width")
        for name, judges in JUDGES.items():
            told = [coverage(judges, boost, count, given.windows) for boost in (1, 2, 5, 10)]
            shown = "; ".join(f"{held:.1%} {width:.3f}" for held, width in told)
            print(f"  {name}: boosts 1, 2, 5, 10: {shown}")
    print(f"\npeople judge 3 % of 2,000 traces, {given.windows} windows: coverage, width")
    for agreement in (0.6, 0.8, 0.95, 0.97):
        told = [human_coverage(agreement, boost, 2000, given.windows) for boost in (1, 5)]
        shown = "; ".join(f"{held:.1%} {width:.3f} ({said:.0f} verdicts)" for held, width, said in told)
        print(f"  people agree with the dearer judge in {agreement:.0%}: boosts 1, 5: {shown}")
    print(f"\nhash of 100,000 ids: {uniformity(100_000):.2f} (below 1.36 in 95 % of uniform samples)")


if __name__ == "__main__":
    main()
