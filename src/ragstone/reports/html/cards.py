"""The metric cards of an HTML report: mean, interval, n and what no mean may hide, in that order."""

from ragstone.reports.html.markup import Markup, element
from ragstone.reports.html.plot import plot
from ragstone.reports.view.figure_text import counts, interval_text, mean_text, pass_text, rule_text
from ragstone.reports.view.report_view import MetricView


def cards(metrics: tuple[MetricView, ...]) -> Markup:
    """Return a card for every metric."""
    return element("section", *map(_card, metrics), class_="cards", aria_label="Metrics")


def _card(metric: MetricView) -> Markup:
    summary = metric.summary
    rule = rule_text(metric.threshold, higher_is_better=metric.higher_is_better)
    beside = [
        element("span", f" · {text}", class_="unmeasured" if status == "not_measured" else status)
        for status, text in counts(summary)
    ]
    unsure = not summary.n or summary.too_few
    interval = element("span", interval_text(summary, " \N{EN DASH} "), class_="quiet" if unsure else None)
    return element(
        "article",
        element("h2", metric.name, dir="auto"),
        plot(metric),
        element("p", element("strong", mean_text(summary), class_="big"), " ", interval, class_="figures"),
        element("p", f"n {summary.n:,}", *beside),
        element("p", f"{pass_text(summary)} ({rule})" if pass_text(summary) else rule),
        class_="card",
    )
