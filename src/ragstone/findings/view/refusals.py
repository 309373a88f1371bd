"""The figures on refusals, from the results of `abstention` over the test cases of a run.

Coverage, risk, carefulness, over-refusal and alignment are defined in `ragstone.stats.abstention`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ragstone.findings.numbers import percent
from ragstone.metric_label import base_name
from ragstone.result import Result

if TYPE_CHECKING:
    from ragstone.stats.abstention import AbstentionFigures
    from ragstone.stats.estimate import Estimate

_CORRECTNESS = ("answer_correctness", "factual_correctness", "rag_checker", "answer_accuracy", "exact_match")
"""Metrics that decide whether an answer is right; the first that was measured is used."""


def interval_text(estimate: "Estimate") -> str:
    """Return the interval of a share in percent, such as `12 to 31 %`."""
    if estimate.interval is None:
        return "no interval"
    low, high = (percent(end).removesuffix(" %") for end in (estimate.interval.low, estimate.interval.high))
    return f"{low} to {high} %"


def abstention_rows(figures: "AbstentionFigures | None") -> list[tuple[str, str]]:
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
    if not figures.rightness_known:  # risk is then a lower bound, alignment an upper one: 0 and 1 say nothing
        least, most = figures.risk.value if figures.risk else 0.0, figures.alignment.value
        bounds = {shares[1][0]: ("at least", least), shares[4][0]: ("at most", most != 1 and most)}
        rows = [
            (name, f"{text}, {bounds[name][0]}" if name in bounds else text)
            for name, text in rows
            if name not in bounds or bounds[name][1]
        ]
    return rows


def is_correct(row: Sequence[Result]) -> bool | None:
    """Return whether the answer of a test case is right; None where no metric decided it."""
    right = next((item for name in _CORRECTNESS if (item := _measured(row, name)) is not None), None)
    return {"passed": True, "missed": False}.get(right.status or "") if right else None


def refusal_notes(rows: Iterable[Sequence[Result]]) -> Iterator[str]:
    """Yield a note with the figures on refusals, where the metric `abstention` measured some test case."""
    cases: list[tuple[bool, bool, bool | None]] = []
    for row in rows:
        refusal = _measured(row, "abstention")
        if refusal is not None and "declined" in refusal.metadata:
            declined, answerable = refusal.metadata["declined"], refusal.metadata.get("answerable")
            cases.append((answerable is True, declined is True, is_correct(row)))
    if cases:
        from ragstone.stats.abstention import abstention_figures  # noqa: PLC0415  (imports numpy)

        answerable, declined, right = zip(*cases, strict=True)
        texts = abstention_rows(abstention_figures(answerable, declined, right))
        told = "; ".join(f"{name} {text}" for name, text in texts)
        yield f"Refusals, of {len(cases)} cases: {told}."


def _measured(row: Sequence[Result], name: str) -> Result | None:
    return next((item for item in row if item.is_measured and base_name(item.spec) == name), None)
