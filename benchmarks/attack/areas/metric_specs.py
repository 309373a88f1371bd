"""Metric specs from outside."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from benchmarks.attack.inputs import text, value
from benchmarks.attack.watch import Attempt
from ragstone.errors import UsageError
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.definition import options
from ragstone.metrics.base.outside import WORDS, check_outside
from ragstone.metrics.base.parse import find_metric, parse


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Metric specs from outside: forbidden values at any option and depth, and specs that are not specs."""
    del folder
    places = [(name, option) for name in BUILT_IN for option in options(find_metric(name))]

    def tried(spec: str, option: str) -> None:
        with suppress(UsageError):
            check_outside(spec)
            if option not in WORDS:
                parse(spec)  # an accepted spec must be built without a finding of the audit hook

    for number in range(count):
        name, option = rng.choice(places)
        spec = f"{name}({option}={value(rng)!r})" if number % 5 else text(rng)
        for _ in range(rng.randrange(3)):
            tree = {"question": "q", "answers": {"a": {"metric": spec}, "b": 1}}
            spec = f"decision_tree(name='x', tree={tree!r})"
        yield spec[:200], lambda spec=spec, option=option: tried(spec, option)
