"""The usage figures of a run: results, judge calls, tokens, cost, time."""

from collections.abc import Iterator

from ragstone.reports.numbers import count, dollars, duration, percent
from ragstone.reports.report import Report


def usage_figures(report: Report) -> Iterator[str]:
    """Yield the figures, each with its unit."""
    usage = report.usage
    yield count(sum(map(len, report.results)), "result")
    yield count(usage.calls, "judge call")
    if usage.input_tokens or usage.output_tokens:
        cached = (
            f" ({percent(usage.cached_tokens / usage.input_tokens)} cached)" if usage.cached_tokens else ""
        )
        yield f"{usage.input_tokens:,} tokens in{cached}, {usage.output_tokens:,} out"
    yield dollars(report.cost)
    yield duration(report.seconds)
