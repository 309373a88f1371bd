"""Try hostile inputs on everything that reads input, and print the number of attempts and the findings.

    python -m benchmarks.attack                   all of it: more than 60,000 inputs, by two processes
    python -m benchmarks.attack --share 0.1       a tenth of it
    python -m benchmarks.attack --only results    one area
    python -m benchmarks.attack --seed 2          others

A finding is an exception that is none of ragstone's own (exit code 70 of the command), a server error, more than ten
seconds or 300 MB, a connection to another machine, a file written elsewhere, a planted file or module that was opened,
or a secret in an answer. Nothing leaves the machine; ends with 1 where something was found.
"""

import argparse
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from benchmarks.attack.areas import AREAS
from benchmarks.attack.process import attack, begin

_SHOWN, _PART = 40, 1_500


def main() -> int:
    """Run the attack, print the findings, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--only", choices=sorted(AREAS), nargs="+")
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    findings, tried, start = list[str](), 0, time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="ragstone-attack-") as folder,
        ProcessPoolExecutor(chosen.processes, get_context("spawn"), begin, (folder,)) as pool,
    ):
        parts = {
            name: [
                pool.submit(attack, name, f"{chosen.seed} {name} {first}", min(_PART, count - first))
                for first in range(0, count, _PART)
            ]
            for name, count in _counts(chosen.only or AREAS, chosen.share).items()
        }
        for name, futures in parts.items():
            number, seconds = 0, 0.0
            for future in futures:
                try:
                    done, found, taken = future.result()
                except BrokenProcessPool:
                    done, found, taken = 0, [f"{name}: the process died"], 0.0
                number, seconds = number + done, seconds + taken
                findings += found
            tried += number
            print(f"{name:18} {number:6,} inputs  {seconds:6.0f} s", flush=True)
    print(
        f"{tried:,} inputs, {len(findings)} findings, {time.monotonic() - start:.0f} s (seed {chosen.seed})"
    )
    for finding in findings[:_SHOWN]:
        print(f"  {finding[:600]!r}")
    return int(bool(findings))


def _counts(names: list[str] | dict[str, int], share: float) -> dict[str, int]:
    return {name: max(1, round(AREAS[name] * share)) for name in names}


if __name__ == "__main__":
    raise SystemExit(main())
