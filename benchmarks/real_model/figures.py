"""The figures of a run: measurements, calls, errors."""

from collections import Counter

from benchmarks.llama import LlamaServer
from ragstone import Report
from ragstone.judges import LLMJudge
from ragstone.providers import OpenAI


def judge(server: LlamaServer) -> LLMJudge:
    """Return a judge that uses the model of a server, over OpenAI's wire format."""
    return LLMJudge(provider=OpenAI(model="smollm2", base_url=server.base_url, api_key="none"))


def measured(report: Report) -> tuple[int, int]:
    """How many measurements have a score or were skipped for want of anything to judge, and how many there are."""
    results = [result for _, result in report.flat()]
    return sum(result.error is None for result in results), len(results)


def print_errors(report: Report) -> None:
    """Print each message once, with its count."""
    errors = Counter(result.error[:300] for _, result in report.flat() if result.error)
    for message, count in errors.most_common(5):
        print(f"  {count} x {message}")
