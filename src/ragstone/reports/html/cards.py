"""The metric cards of an HTML report: mean, interval, n and failures, in that order."""

from ragstone.reports.html.markup import Markup, element
from ragstone.reports.html.plot import plot
from ragstone.reports.numbers import percent, score
from ragstone.reports.view.report_view import MetricView


def cards(metrics: tuple[MetricView, ...]) -> Markup:
    """Return a card for every metric."""
    return element("section", *map(_card, metrics), class_="cards", aria_label="Metrics")


def _card(metric: MetricView) -> Markup:
    summary = metric.summary
    mean = "\N{EN DASH}" if summary.mean is None else score(summary.mean)
    return element(
        "article",
        element("h2", metric.name, dir="auto"),
        plot(metric),
        element("p", element("strong", mean, class_="big"), " ", _interval(metric), class_="figures"),
        element("p", f"n {summary.n:,} · ", _failed_count(summary.failed), f" · {summary.skipped:,} skipped"),
        element("p", _pass_rate(metric)),
        class_="card",
    )


def _interval(metric: MetricView) -> Markup:
    summary = metric.summary
    if summary.mean is None:
        return element("span", "nothing measured", class_="quiet")
    if summary.too_few:
        return element("span", "too few to say", class_="quiet")
    return element("span", f"{score(summary.interval.low)} \N{EN DASH} {score(summary.interval.high)}")


def _failed_count(number: int) -> Markup:
    return element("span", f"{number:,} failed", class_="unmeasured" if number else None)


def _pass_rate(metric: MetricView) -> str:
    summary = metric.summary
    side = "≥" if metric.higher_is_better else "lower is better, ≤"
    threshold = f"({side} {score(metric.threshold)})"
    if summary.pass_rate is None:
        return f"none passed {threshold}"
    if summary.too_few:
        return f"{round(summary.pass_rate * summary.n)} of {summary.n} passed {threshold}"
    low, high = percent(summary.pass_interval.low), percent(summary.pass_interval.high)
    return f"{percent(summary.pass_rate)} passed, {low} to {high} {threshold}"
