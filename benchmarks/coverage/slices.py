"""How often slices are reported in data without effects, and how often a planted slice is found."""

from dataclasses import dataclass

import numpy as np

from ragstone.stats.slices import Label, SliceSearch, find_slices

DATASETS = 1000
KINDS = {"tag": 4, "document": 6, "release": 2, "question word": 5, "question": 3}
"""Kinds of labels, and how many values each has."""

PLANTED: Label = ("release", "0")


@dataclass(frozen=True)
class SliceFigures:
    """Figures of the reported slices.

    Attributes:
        any_reported: share of datasets in which a slice was reported.
        false_share: mean share of false slices among those reported; 0 where none was.
        planted_found: share of datasets in which the planted slice was reported.
        tried: mean number of slices tried.
    """

    any_reported: float
    false_share: float
    planted_found: float
    tried: float


def slice_figures(
    cases: int, *, base: float = 0.3, effect: float = 0.0, datasets: int = DATASETS, seed: int = 0
) -> SliceFigures:
    """Simulate datasets whose cases fail with probability `base`, and in the planted slice `effect` more often."""
    rng = np.random.default_rng(seed)
    searches = [_search(cases, base, effect, rng) for _ in range(datasets)]
    false = [_false_share(search, effect) for search in searches]
    planted = [any(found.labels == (PLANTED,) for found in search.found) for search in searches]
    return SliceFigures(
        any_reported=float(np.mean([bool(search.found) for search in searches])),
        false_share=float(np.mean(false)),
        planted_found=float(np.mean(planted)),
        tried=float(np.mean([search.tried for search in searches])),
    )


def _search(cases: int, base: float, effect: float, rng: np.random.Generator) -> SliceSearch:
    columns = {kind: rng.integers(0, values, cases) for kind, values in KINDS.items()}
    labels = [[(kind, str(column[place])) for kind, column in columns.items()] for place in range(cases)]
    chance = base + effect * (columns[PLANTED[0]] == int(PLANTED[1]))
    return find_slices(labels, list(rng.random(cases) < chance))


def _false_share(search: SliceSearch, effect: float) -> float:
    """Return the share of reported slices with no effect; those that overlap the planted one by definition have one."""
    if not search.found:
        return 0.0
    true = [effect > 0 and any(label == PLANTED for label in found.labels) for found in search.found]
    return 1.0 - sum(true) / len(true)
