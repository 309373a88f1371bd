"""Simulate drift of questions: `python -m benchmarks.watch.questions`, a table of docs/how-to/watch-production.md.

The questions are made from templates, on seven topics; drift is an eighth one, of a share of the window's questions.
"""

import argparse
import random
from collections.abc import Sequence

from benchmarks.causes.support_questions import TOPICS, support_case
from ragstone.watch.drift import compare_questions

NEW = "careers"
LEVEL = 0.01


def questions(count: int, chance: random.Random, share: float = 0.0) -> list[str]:
    """Return questions on the usual topics, each with the probability `share` on the new one."""
    usual = [topic for topic in TOPICS if topic != NEW]
    topics = (NEW if chance.random() < share else chance.choice(usual) for _ in range(count))
    return [support_case(topic, chance).input for topic in topics]


def rates(count: int, share: float, pairs: int) -> Sequence[float]:
    """Return the share of pairs with an alarm, and the share with a named topic."""
    chance = random.Random(f"{count} {share}")
    raised = named = 0
    for _ in range(pairs):
        p_value, topics = compare_questions(questions(count, chance), questions(count, chance, share))
        raised += p_value is not None and p_value <= LEVEL
        named += bool(topics)
    return raised / pairs, named / pairs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quiet", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--counts", type=int, nargs="+", default=[100, 200])
    given = parser.parse_args()
    print(f"{given.quiet} quiet pairs, {given.pairs} with a new topic; alarm at p <= {LEVEL}")
    for count in given.counts:
        for share in (0.0, 0.05, 0.1, 0.2):
            pairs = given.pairs if share else given.quiet
            raised, named = rates(count, share, pairs)
            print(
                f"{count} questions a side, {share:.0%} on a new topic: alarm {raised:.1%}, a topic named {named:.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
