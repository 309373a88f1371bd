"""Try hostile inputs on everything that reads input, and print the number of attempts and the findings.

    python -m benchmarks.attack              all of it: more than 10,000 inputs
    python -m benchmarks.attack --share 0.1  a tenth of it
    python -m benchmarks.attack --seed 2     others

A finding is an exception that is none of ragstone's own, a server error, work that does not end, a planted file or
module that was opened, or a secret in an answer. Nothing leaves the machine; ends with 1 where something was found.
"""

import argparse
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from benchmarks.attack.areas import AREAS, Attempt

_LONGEST = 30
"""Seconds after which the processing of one input counts as endless."""

_SHOWN = 20


class Endless(BaseException):
    """One input took too long."""


def main() -> int:
    """Run the attack, print the findings, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0)
    chosen = parser.parse_args()
    opened: list[str] = []
    sys.addaudithook(lambda event, given: _watch(opened, event, given))
    signal.signal(signal.SIGALRM, _too_long)
    warnings.simplefilter("ignore")
    tried, findings = 0, list[str]()
    start = time.monotonic()
    for name, (area, count) in AREAS.items():
        number, begun = 0, time.monotonic()
        with tempfile.TemporaryDirectory(prefix="ragstone-attack-") as folder:
            for attempt in area(Path(folder), Random(chosen.seed), max(1, round(count * chosen.share))):
                number += 1
                found = _found(attempt)
                if opened:
                    found, opened[:] = f"opened {opened[0]}", []
                if found:
                    findings.append(f"{name}: {attempt[0]}: {found}")
        tried += number
        print(f"{name:18} {number:6,} inputs  {time.monotonic() - begun:6.0f} s", flush=True)
    print(
        f"{tried:,} inputs, {len(findings)} findings, {time.monotonic() - start:.0f} s (seed {chosen.seed})"
    )
    for finding in findings[:_SHOWN]:
        print(f"  {finding[:400]!r}")
    return int(bool(findings))


def _found(attempt: Attempt) -> str:
    """Return the problem found by an attempt; empty if it ends as expected."""
    signal.alarm(_LONGEST)
    try:
        attempt[1]()
    except Endless:
        return f"did not end within {_LONGEST} s"
    except Exception as error:  # noqa: BLE001  (that is the finding)
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return ""


def _watch(opened: list[str], event: str, given: tuple[Any, ...]) -> None:
    if event in {"open", "import"} and "planted" in str(given[0]):
        opened.append(str(given[0]))


def _too_long(_: int, __: FrameType | None) -> None:
    raise Endless


if __name__ == "__main__":
    raise SystemExit(main())
