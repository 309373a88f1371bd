"""The same verdicts on every processor, with and without the extra `fast`, and in any company."""

import json
import os
import platform
import subprocess
import sys
from typing import Any

import pytest

_PROGRAM = """
import json, sys
from ragstone.judges.local.model import linear
from ragstone.judges.local.support import support
if sys.argv[1] == "numpy":
    linear.accelerated = lambda: False
passages = [
    "The pool opens at 7 a.m. from Tuesday to Sunday. It is closed on Mondays. A day ticket costs 12 euros.",
    "Season tickets are sold at the desk only. Children under six swim for free if an adult is with them. "
    "Lockers need a coin of one euro; it comes back when the locker is opened. Dogs must stay outside. " * 3,
]
claims = [
    "The pool is shut on Mondays.", "A ticket for one day is 12 euros.", "Dogs may swim on Sundays.",
    "A five-year-old pays nothing when a parent comes along.", "A season ticket can be bought online.",
]
groups = [[claim] for claim in claims] if sys.argv[2] == "alone" else [claims]
found = [one for evidence in (passages, passages[:1]) for group in groups for one in support(group, evidence)]
print(json.dumps([(one.verdict, one.reason, one.passage, one.probability) for one in found]))
"""


def _judged(library: str = "any", company: str = "together", **environment: str) -> list[list[Any]]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, library, company],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def expected() -> list[list[Any]]:
    return _judged()


def _assert_equal(found: list[list[Any]], expected: list[list[Any]]) -> None:
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    assert [row[3] for row in found] == pytest.approx([row[3] for row in expected], abs=1e-6)


@pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"}, reason="OpenBLAS has other core types here"
)
@pytest.mark.parametrize("core", ["Sandybridge", "Prescott"])
def test_no_core_type_of_openblas_changes_a_verdict(core: str, expected: list[list[Any]]) -> None:
    _assert_equal(_judged("numpy", OPENBLAS_CORETYPE=core), expected)


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="numpy has other features here")
def test_no_vector_instructions_of_numpy_change_a_verdict(expected: list[list[Any]]) -> None:
    _assert_equal(_judged(NPY_DISABLE_CPU_FEATURES="X86_V3"), expected)


def test_no_company_changes_a_verdict(expected: list[list[Any]]) -> None:
    _assert_equal(_judged(company="alone"), expected)
