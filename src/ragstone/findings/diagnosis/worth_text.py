"""The measured gain from mending in words, shared by all renderings."""

from typing import Any

from ragstone.findings.diagnosis.model import Diagnosis
from ragstone.findings.diagnosis.worth import BY_PASSAGES, CauseGain, MeasuredWorth
from ragstone.findings.numbers import count, percent
from ragstone.stats.estimate import Estimate

HEADER = ("cause", "oracle's", "measured", "these pass", "gain, points (95 %)", "run passes", "assumed")
"""The columns of the table; `oracle's` names the part that replaced the application's own."""


def measured_rows(diagnosis: Diagnosis) -> list[tuple[str, ...]]:
    """Return a row for each cause that was measured; the columns are those of `HEADER`."""
    if diagnosis.measured is None:
        return []
    assumed = {share.cause.name: share for share in diagnosis.shares}
    return [_gain_row(gain, assumed[gain.cause.name].worth) for gain in diagnosis.measured.gains]


def measured_sentences(found: MeasuredWorth) -> list[str]:
    """Return sentences on the measured misses, the four pass rates, the parts of the gap, and unmeasured misses."""
    texts = [_extent_sentence(found)]
    if found.rates is not None:
        texts += [_rates_sentence(found), _gap_sentence(found)]
    if found.left_out:
        texts.append(
            f"{count(found.left_out, 'miss', 'misses')} left out: no expected output, or no passage known to "
            "contain it."
        )
    texts += [f"Not measured: {text} ({times} times)." for text, times in found.errors]
    return texts


def points_text(found: Estimate) -> str:
    """Return a difference of pass rates in percentage points, with its interval."""
    if found.value is None or found.interval is None:
        return "unknown"
    return f"{_points(found.value)} ({_points(found.interval.low)} to {_points(found.interval.high)})"


def _gain_row(gain: CauseGain, assumed: float) -> tuple[str, ...]:
    by_passages = gain.cause.owner in BY_PASSAGES
    after = gain.rates.passages if by_passages else gain.rates.answers
    return (
        gain.cause.name,
        "passages" if by_passages else "answers",
        f"{gain.measured} of {gain.cases}",
        f"{percent(gain.rates.real)} to {percent(after)}",
        points_text(gain.gain),
        percent(gain.worth),
        percent(assumed),
    )


def _extent_sentence(worth: MeasuredWorth) -> str:
    cached = f", {worth.cached} answers from the cache" if worth.cached else ""
    return (
        f"{worth.measured} of {count(worth.measurable, 'miss', 'misses')} measured with {worth.application} "
        f"({count(worth.called, 'call')}{cached}). Test cases that passed are not measured again."
    )


def _rates_sentence(worth: MeasuredWorth) -> str:
    rates: Any = worth.rates
    return (
        f"Of these, {percent(rates.real)} pass when they are asked again, {percent(rates.passages)} with the oracle's "
        f"passages, {percent(rates.answers)} with its answers, {percent(rates.both)} with both: the highest rate that "
        "the judge allows."
    )


def _gap_sentence(worth: MeasuredWorth) -> str:
    return (
        f"Of the gap between the first and the last, in points, {points_text(worth.retriever)} are the retriever's and "
        f"{points_text(worth.generator)} the generator's (Shapley)."
    )


def _points(value: float) -> str:
    return f"{100 * value:+.0f}" if round(100 * value) else "0"
