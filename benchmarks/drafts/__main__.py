"""Print the table: `python -m benchmarks.drafts [--things 200] [--sizes 1000 10000]`."""

import argparse
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.drafts.measures import (
    DraftFigure,
    measure_checks,
    measure_complete,
    measure_lies,
    measure_necessary,
    measure_sets,
    measure_size,
)
from benchmarks.drafts.world import WORDINGS, make_world


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drafts")
    parser.add_argument("--things", type=int, default=200)
    parser.add_argument("--most", type=int, default=100, help="candidates of each check")
    parser.add_argument("--size", type=int, default=200, help="questions of each set")
    parser.add_argument("--languages", nargs="*", default=list(WORDINGS))
    parser.add_argument("--sizes", nargs="*", type=int, default=[], help="passages, for time and memory")
    options = parser.parse_args(arguments)
    for language in options.languages:
        world = make_world(language, options.things)
        print(f"\n{language}: {len(world.passages)} passages, {len(world.facts)} facts", flush=True)
        show(measure_checks(world, options.most))
        show(measure_complete(world))
        show(measure_necessary(world, options.most))
        show(measure_sets(world, options.size))
    world = make_world("en", options.things)
    for lies in (0.0, 0.1) if "en" in options.languages else ():
        print()
        show(measure_lies(world, options.size, lies))
    for size in options.sizes:
        with ProcessPoolExecutor(1) as pool:  # a process of its own: peak memory is that of one size
            count, seconds, memory = pool.submit(measure_size, size).result()
        print(f"{count:,} passages: {seconds:.0f} s of one core, {memory:.0f} MB", flush=True)


def show(figures: Iterable[DraftFigure]) -> None:
    """Print figures, a line each."""
    for figure in figures:
        print(f"  {figure.name:<52} {figure}", flush=True)


if __name__ == "__main__":
    main()
