"""Print the table: `python -m benchmarks.drafts [--things 200] [--sizes 1000 10000]`."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.drafts.checks import CheckFigure, check_figures
from benchmarks.drafts.measures import (
    DraftFigure,
    measure_lies,
    measure_others,
    measure_sets,
    measure_size,
)
from benchmarks.drafts.world import WORDINGS, make_world


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drafts")
    parser.add_argument("--things", type=int, default=200)
    parser.add_argument("--most", type=int, default=100, help="candidates of each check")
    parser.add_argument("--size", type=int, default=200, help="questions of each set; 0: checks alone")
    parser.add_argument("--languages", nargs="*", default=list(WORDINGS))
    parser.add_argument("--sizes", nargs="*", type=int, default=[], help="passages, for time and memory")
    options = parser.parse_args(arguments)
    worlds = {language: make_world(language, options.things) for language in options.languages}
    show_checks({language: [*check_figures(world, options.most)] for language, world in worlds.items()})
    for language, world in worlds.items() if options.size else ():
        print(f"\n{language}: {len(world.passages)} passages, {len(world.facts)} facts", flush=True)
        show(measure_others(world))
        show(measure_sets(world, options.size))
    for lies in (0.0, 0.1) if "en" in worlds and options.size else ():
        print()
        show(measure_lies(worlds["en"], options.size, lies))
    for size in options.sizes:
        with ProcessPoolExecutor(1) as pool:  # one process per size: peak memory is that of one size
            count, seconds, memory = pool.submit(measure_size, size).result()
        print(f"{count:,} passages: {seconds:.0f} s of one core, {memory:.0f} MB", flush=True)


def show_checks(figures: Mapping[str, Sequence[CheckFigure]]) -> None:
    """Print precision and recall of each check as a table in Markdown, with two columns for each language."""
    heads = [f"{what}, {language}" for language in figures for what in ("recall", "precision")]
    print(f"| check | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for row in zip(*figures.values(), strict=True):
        cells = [cell for one in row for cell in one.cells]
        print(f"| {row[0].name} | {' | '.join(cells)} |", flush=True)


def show(figures: Iterable[DraftFigure]) -> None:
    """Print figures, one per line."""
    for figure in figures:
        print(f"  {figure.name:<52} {figure}", flush=True)


if __name__ == "__main__":
    main()
