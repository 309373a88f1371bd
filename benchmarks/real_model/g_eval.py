"""G-Eval on 29 answers: the score is the mean of a distribution that sums to 1, in at least 28 of them."""

import argparse
from math import isclose

from benchmarks.llama import LlamaServer
from benchmarks.real_model.figures import judge, print_errors
from ragstone import evaluate
from ragstone.datasets import load_dataset

_CASES, _AT_LEAST = 29, 28
_METRIC = "g_eval(name='Tone', criteria='Is the answer polite?', evaluation_params=['actual_output'])"


def run(_: argparse.Namespace) -> bool:
    """Evaluate the first cases of the packaged dataset."""
    cases = list(load_dataset("demo"))[:_CASES]
    with LlamaServer() as server:
        report = evaluate(cases, [_METRIC], judge=judge(server), concurrency=2, timeout=900, store=False)
    sums = [sum((result.metadata.get("distribution") or {}).values()) for _, result in report.flat()]
    good = sum(isclose(one, 1, abs_tol=1e-9) for one in sums)
    print(f"a distribution that sums to 1: {good} of {len(sums)}")
    print_errors(report)
    return good >= _AT_LEAST
