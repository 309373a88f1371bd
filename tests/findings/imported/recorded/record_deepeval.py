"""Record a test run of DeepEval: `python record_deepeval.py FILE`, in an environment with deepeval; no network, no key.

The metrics are of our own, since DeepEval's ask a model; what is written around them is DeepEval's.
"""
# pyright: reportMissingImports=false

import json
import os
import sys
import tempfile
from pathlib import Path

folder = tempfile.mkdtemp()
os.chdir(folder)
os.environ |= {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_RESULTS_FOLDER": folder,
    "ERROR_REPORTING": "NO",
}

from deepeval import evaluate  # noqa: E402
from deepeval.evaluate.configs import AsyncConfig, DisplayConfig, ErrorConfig  # noqa: E402
from deepeval.metrics import BaseMetric  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402


class Contains(BaseMetric):
    """Passes where the answer contains the expected one; with `lower`, where it does not."""

    def __init__(self, name: str, *, lower: bool = False) -> None:
        self.threshold, self.name, self.lower = 0.5, name, lower
        self.evaluation_model, self.async_mode, self.strict_mode = "gpt-4o", False, False
        self.evaluation_cost, self.include_reason, self.error = 0.0, True, None

    def measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
        if test_case.input == "Who?":
            raise ValueError("no answer")
        found = str(test_case.expected_output) in str(test_case.actual_output)
        self.score = float(found != self.lower)
        self.success = self.score <= 0.5 if self.lower else self.score >= 0.5
        self.reason = "It says so." if found else "It does not say so."
        return self.score

    def is_successful(self) -> bool:
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return self.name


def main() -> None:
    cases = [
        LLMTestCase(
            input="What is the capital of France?",
            actual_output="The capital is Paris.",
            expected_output="Paris",
            retrieval_context=["Paris is the capital of France."],
            additional_metadata={"human": 1},
        ),
        LLMTestCase(
            input="What is 2 + 2?",
            actual_output="It is 5.",
            expected_output="4",
            retrieval_context=["2 + 2 = 4", "3 + 3 = 6"],
            additional_metadata={"human": 0},
        ),
        LLMTestCase(input="Who?", actual_output="x", expected_output="y"),
    ]
    evaluate(
        cases,
        [Contains("Contains"), Contains("Lacks", lower=True)],
        async_config=AsyncConfig(run_async=False),
        display_config=DisplayConfig(print_results=False, show_indicator=False),
        error_config=ErrorConfig(ignore_errors=True),
    )
    (written,) = Path(folder).glob("test_run_*.json")
    Path(sys.argv[1]).write_text(json.dumps(json.loads(written.read_text()), indent=1) + "\n")


main()
