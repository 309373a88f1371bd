"""The words for a figure, the same on every surface: mean or range, interval, counts, pass rate."""

from collections.abc import Iterator, Mapping

from ragstone.findings.numbers import percent, score
from ragstone.stats.figure import Figure
from ragstone.stats.shares import LabelShare, Shares
from ragstone.status import STATUS_WORDS, Status

COUNTED: tuple[Status, ...] = ("undecided", "not_measured", "skipped")
"""The statuses whose counts stand beside n: no mean may hide them."""

NOTHING = "\N{EN DASH}"


def mean_text(figure: Figure, nothing: str = NOTHING) -> str:
    """Return the mean; the range of the mean where a part of the scores is undecided; a dash without any."""
    if figure.low is None or figure.high is None:
        return nothing
    if figure.is_range or figure.mean is None:
        return f"{score(figure.low)} to {score(figure.high)}"
    return score(figure.mean)


def interval_text(figure: Figure, dash: str = "\N{EN DASH}") -> str:
    """Return the interval, or why there is none."""
    if not figure.n:
        return "nothing measured"
    if figure.low is None:
        return "labels only"
    if figure.too_few:
        return "too few to say"
    return f"{score(figure.interval.low)}{dash}{score(figure.interval.high)}"


def share_text(share: LabelShare, shares: Shares) -> str:
    """Return the share of a label: `12 %`, or `12 to 15 %` where cases are undecided."""
    if share.low is None or share.high is None:
        return NOTHING
    return share_range((share.low, share.high)) if shares.undecided else percent(share.low)


def share_range(ends: tuple[float, float]) -> str:
    """Return a share in percent, or the range of it where labels are undecided."""
    low, high = map(percent, ends)
    return low if low == high else f"{low.removesuffix(' %')} to {high}"


def label_counts(shares: Shares) -> str:
    """Return how many cases have each label: `answered 12, refused 3`."""
    return ", ".join(f"{share.label} {share.count:,}" for share in shares.labels)


def share_interval_text(share: LabelShare, dash: str = "\N{EN DASH}") -> str:
    """Return the interval of a share in percent, or that there are too few cases for one."""
    if share.interval.too_few:
        return "too few to say"
    return f"{percent(share.interval.low).removesuffix(' %')}{dash}{percent(share.interval.high)}"


def counts(statuses: Mapping[Status, int]) -> Iterator[tuple[Status, str]]:
    """Yield each status that no mean may hide, with its count in words: `2 undecided`; zeros are left out."""
    for status in COUNTED:
        if statuses[status]:
            yield status, f"{statuses[status]:,} {STATUS_WORDS[status]}"


def pass_text(figure: Figure, dash: str = "\N{EN DASH}") -> str:
    """Return how many passed: a share with its interval, or counts where cases are few; empty without a threshold."""
    if figure.pass_rate is None:
        return ""
    if figure.too_few:
        return f"{figure.passed:,} of {figure.n:,} passed"
    low, high = percent(figure.pass_interval.low), percent(figure.pass_interval.high)
    return f"{percent(figure.pass_rate)} passed ({low.removesuffix(' %')}{dash}{high})"


def figure_sentence(figure: Figure) -> str:
    """Return a figure in one line that hides nothing: mean or range, interval, n, every status, pass rate."""
    statuses = ", ".join(f"{number:,} {STATUS_WORDS[status]}" for status, number in figure.counts.items())
    passed = pass_text(figure, " to ")
    mean = f"mean {mean_text(figure, 'none')} (95 % interval: {interval_text(figure, ' to ')})"
    return f"{mean}, n = {figure.n:,}: {statuses}{f'; {passed}' if passed else ''}"


def rule_text(threshold: float | None, *, higher_is_better: bool) -> str:
    """Return which scores pass."""
    if threshold is None:
        return "no threshold"
    return f"passes at ≥ {score(threshold)}" if higher_is_better else f"lower is better: ≤ {score(threshold)}"
