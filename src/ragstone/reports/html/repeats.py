"""Repeats in an HTML report: the judge's own spread, and the cases that are unstable or undecided."""

from ragstone.reports.html.markup import Markup, element
from ragstone.reports.numbers import count, score
from ragstone.reports.view.repeats import RepeatsView, UnsettledCase

_MAX_CASES = 20


def repeats_section(found: tuple[RepeatsView, ...]) -> Markup | None:
    """Return the section, None for a run that measured everything once."""
    if not found:
        return None
    title = f"repeats: each measured {found[0].repeats} times"
    return element("section", element("h2", title), element("ul", *map(_metric, found)), class_="notes")


def _metric(metric: RepeatsView) -> Markup:
    summary = "; ".join([metric.spread, *([metric.advice] if metric.advice else [])])
    shown = metric.wavering[:_MAX_CASES]
    left = len(metric.wavering) - len(shown)
    cases = [*map(_unsettled_case, shown), *([element("li", f"and {count(left, 'other')}")] if left else [])]
    return element(
        "li",
        element("b", metric.name, dir="auto"),
        f" {metric.verdict}. ",
        element("span", f"{summary}.", class_="quiet"),
        element("ul", *cases) if cases else None,
    )


def _unsettled_case(item: UnsettledCase) -> Markup:
    listed_scores = " ".join(score(value) for value in item.scores)
    question = element("span", item.case.input, class_="quiet", dir="auto")
    return element("li", element("b", item.words), f" {item.number:,} · {listed_scores} · ", question)
