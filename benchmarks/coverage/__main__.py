"""Print the tables of `tables.md`: `python -m benchmarks.coverage`."""

from collections.abc import Iterator

from benchmarks.coverage import DRAWS, SIZES
from benchmarks.coverage.comparison import (
    false_alarms,
    false_alarms_by_topic,
    false_alarms_over_metrics,
)
from benchmarks.coverage.correction import JUDGES, LABELS, corrections
from benchmarks.coverage.intervals import (
    CLUSTERED,
    MEANS,
    RANGES,
    RATES,
    clustered_coverage,
    mean_coverage,
    range_coverage,
    rate_coverage,
)
from benchmarks.coverage.slices import DATASETS, slice_figures

_BOOTSTRAP_DRAWS = 300
_PLANTED_DATASETS = 200


def _percent(*shares: float, between: str = " | ") -> str:
    return between.join(f"{100 * share:.1f}" for share in shares)


def _means() -> Iterator[str]:
    yield "| scores | n = 10 | n = 30 | n = 200 | t instead, n = 10 / 30 / 200 |"
    yield "|---|---|---|---|---|"
    for kind in MEANS:
        ours = _percent(*(mean_coverage(kind, n)[0] for n in SIZES))
        yield f"| {kind} | {ours} | {_percent(*(mean_coverage(kind, n, 't')[0] for n in SIZES), between=' / ')} |"


def _rates() -> Iterator[str]:
    yield "| rate | n = 10 | n = 30 | n = 200 | exact instead, n = 10 / 30 / 200 |"
    yield "|---|---|---|---|---|"
    for rate in RATES:
        exact = _percent(*(rate_coverage(rate, n, "exact") for n in SIZES), between=" / ")
        yield f"| {rate} | {_percent(*(rate_coverage(rate, n) for n in SIZES))} | {exact} |"
    for low, high in RANGES:
        exact = _percent(*(range_coverage(low, high, n, "exact") for n in SIZES), between=" / ")
        yield f"| any of {low}-{high} | {_percent(*(range_coverage(low, high, n) for n in SIZES))} | {exact} |"


def _clusters() -> Iterator[str]:
    instead = f"BCa over clusters instead, 10 / 30 ({_BOOTSTRAP_DRAWS} datasets)"
    yield f"| clusters of 1-8 cases | 10 | 30 | 200 | {instead} |"
    yield "|---|---|---|---|---|"
    for kind in CLUSTERED:
        resampled = (clustered_coverage(kind, n, _BOOTSTRAP_DRAWS, by_bootstrap=True) for n in SIZES[:2])
        ours = _percent(*(clustered_coverage(kind, n) for n in SIZES))
        yield f"| {kind} | {ours} | {_percent(*resampled, between=' / ')} |"


def _false_alarms() -> Iterator[str]:
    yield "| no true difference | p <= 0.05 | difference claimed |"
    yield "|---|---|---|"
    for kind in ("ratio", "near_one"):
        for n in SIZES:
            yield f"| {kind}, n = {n} | {_percent(*false_alarms(kind, n))} |"
    plain, corrected = false_alarms_over_metrics(50)
    yield f"| any of five metrics, n = 50 | {_percent(plain)} uncorrected | {_percent(corrected)} together |"
    given, ignored = false_alarms_by_topic()
    yield f"| 20 topics of six questions | {_percent(given)} clustered | {_percent(ignored)} ignoring topics |"


def _corrections() -> Iterator[str]:
    yield "| judge | labels | judge's bias | corrected | coverage | width | widest | plug-in's bias | its coverage |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for judge in JUDGES:
        for labels in LABELS:
            ours, plain = corrections(judge, labels), corrections(judge, labels, "plug_in")
            yield (
                f"| {judge} | {labels} | {ours.judge_bias:+.3f} | {ours.bias:+.4f} ± {ours.bias_error:.4f} "
                f"| {_percent(ours.coverage)} | {ours.width:.2f} | {ours.widest:.2f} "
                f"| {plain.bias:+.4f} | {_percent(plain.coverage)} |"
            )


def _slices() -> Iterator[str]:
    yield "| datasets | tried | any reported | false among the reported | planted one found |"
    yield "|---|---|---|---|---|"
    for cases in (60, 120, 240):
        for base in (0.1, 0.3):
            found = slice_figures(cases, base=base)
            shares = _percent(found.any_reported, found.false_share)
            name = f"{DATASETS:,}: {cases} cases, {base:.0%} fail, no effect"
            yield f"| {name} | {found.tried:.0f} | {shares} | |"
    for cases in (120, 240):
        for effect in (0.2, 0.3, 0.4):
            found = slice_figures(cases, effect=effect, datasets=_PLANTED_DATASETS)
            shares = _percent(found.any_reported, found.false_share, found.planted_found)
            name = f"{_PLANTED_DATASETS}: {cases} cases, 30% fail, one slice {effect:+.0%}"
            yield f"| {name} | {found.tried:.0f} | {shares} |"


def main() -> None:
    """Print each table as it is ready."""
    print(f"{DRAWS} datasets each, seeded; single rates are enumerated.")
    for table in (_means, _rates, _clusters, _false_alarms, _corrections, _slices):
        print()
        for line in table():
            print(line, flush=True)


if __name__ == "__main__":
    main()
