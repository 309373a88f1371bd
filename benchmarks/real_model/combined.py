"""Prompts about the same evidence in one call and in separate calls: measured share, and agreement of the verdicts.

Verdicts are compared if both runs judge the same item: a passage, or a statement in the same words. A second run with
separate calls shows how far the model agrees with itself.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.llama import LlamaServer
from benchmarks.real_model.figures import judge, measured, print_errors
from ragstone import Report, TestCase, evaluate
from ragstone.datasets import load_dataset

_MEASURED = 0.9
Items = Mapping[tuple[int, str, str], str]


def run(options: argparse.Namespace) -> bool:
    """Evaluate the first cases of the packaged dataset separately, once more, and combined."""
    cases = list(load_dataset("demo"))[: options.rows]
    with LlamaServer() as server:
        separate = _measured("separate", server, cases, combine=False)
        again = _measured("separate, again", server, cases, combine=False)
        combined = _measured("combined", server, cases, combine=True)
    _compare("separate and again", separate, again)
    _compare("separate and combined", separate, combined)
    good, whole = measured(combined)
    return good >= _MEASURED * whole


def _measured(name: str, server: LlamaServer, cases: Sequence[TestCase], *, combine: bool) -> Report:
    begin = time.monotonic()
    report = evaluate(
        cases,
        preset="rag",
        judge=judge(server),
        concurrency=2,
        timeout=900,
        combine=combine,
    )
    good, whole = measured(report)
    usage = report.usage
    print(
        f"{name}: measured {good} of {whole} on {len(cases)} cases; a case: {usage.calls / len(cases):.1f} calls, "
        f"{usage.input_tokens / len(cases):,.0f} tokens sent, {usage.output_tokens / len(cases):,.0f} received; "
        f"{time.monotonic() - begin:.0f} s"
    )
    print_errors(report)
    return report


def _compare(name: str, one: Report, other: Report) -> None:
    mine, others = _verdicts(one), _verdicts(other)
    shared = mine.keys() & others.keys()
    agreed = sum(mine[key] == others[key] for key in shared)
    print(
        f"{name}: {agreed} of {len(shared)} verdicts on the same thing agree; verdicts: {len(mine)}, {len(others)}"
    )
    for place, metric in enumerate(result.metric for result in one.results[0]):
        keys = [key for key in shared if key[1] == metric]
        pairs = [
            (first[place].score, second[place].score)
            for first, second in zip(one.results, other.results, strict=True)
        ]
        both = [(a, b) for a, b in pairs if a is not None and b is not None]
        apart = sum(abs(a - b) for a, b in both) / max(1, len(both))
        print(
            f"  {metric}: {sum(mine[key] == others[key] for key in keys)} of {len(keys)} verdicts; "
            f"{sum(a == b for a, b in both)} of {len(both)} scores equal, {apart:.2f} apart in the mean"
        )


def _verdicts(report: Report) -> Items:
    """Return each verdict by test case, metric and text."""
    found: dict[tuple[int, str, str], str] = {}
    for index, results in enumerate(report.results):
        for result in results:
            verdicts: list[dict[str, Any]] = result.metadata.get("verdicts", [])
            for verdict in verdicts:
                found[index, result.metric, verdict["statement"]] = verdict["verdict"]
    return found
