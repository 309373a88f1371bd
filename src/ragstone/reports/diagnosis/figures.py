"""The figures of a diagnosis in words, the same in every rendering."""

from ragstone.reports.diagnosis.model import CauseShare, Diagnosis
from ragstone.reports.numbers import percent
from ragstone.stats.abstention import AbstentionFigures
from ragstone.stats.estimate import Estimate


def interval_text(estimate: Estimate) -> str:
    """Return the interval of a share in percent, such as `12 to 31 %`."""
    if estimate.interval is None:
        return "no interval"
    low, high = (percent(end).removesuffix(" %") for end in (estimate.interval.low, estimate.interval.high))
    return f"{low} to {high} %"


def worth_text(share: CauseShare) -> str:
    """Return the pass rate if the cause were mended, and the most it could be."""
    if round(share.worth, 2) == round(share.worth_most, 2):
        return f"at most {percent(share.worth_most)} pass"
    return f"about {percent(share.worth)}, at most {percent(share.worth_most)} pass"


def worth_assumption(diagnosis: Diagnosis) -> str:
    """Return what the pass rate after mending assumes."""
    text = f"Now {percent(diagnosis.passed.value or 0.0)} pass. If mended: one cause at a time, the others as they are"
    if diagnosis.generator_rate is None:
        return f"{text}."
    return (
        f"{text}; where retrieval is mended the system passes as often as where it worked "
        f"({percent(diagnosis.generator_rate)}). That is an assumption, not a measurement."
    )


def abstention_rows(figures: AbstentionFigures | None) -> list[tuple[str, str]]:
    """Return name and text of each figure on refusals; none where nothing is known."""
    if figures is None:
        return []
    shares = (
        ("answered (coverage)", figures.coverage),
        ("wrong among the answered (risk)", figures.risk),
        ("declined what has no answer (carefulness)", figures.carefulness),
        ("declined what has one (over-refusal)", figures.over_refusal),
        ("did the right thing (alignment)", figures.alignment),
    )
    rows = [
        (name, f"{percent(share.value or 0.0)} ({interval_text(share)})") for name, share in shares if share
    ]
    if not figures.rightness_known:
        rows = [(name, f"{text}, at least" if "(risk)" in name else text) for name, text in rows]
    return rows
