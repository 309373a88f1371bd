import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.metrics import PatternMatch
from ragstone.metrics.pattern_match import fullmatch, may_take_long
from ragstone.store import open_store

pytestmark = pytest.mark.anyio

CATASTROPHIC, TEXT = r"(a+)+b", "a" * 40


@for_each(
    "pattern, text, long",
    [
        (r"\d{4}-\d\d", "x" * 5000, False),
        (r".*paid.*", "short", False),
        (r".*paid.*", "x" * 5000, True),
        (CATASTROPHIC, "a", True),
        (r"(a|a)*b", "a", True),
        (r"(a)\1", "a", True),
    ],
)
def test_may_take_long_detects_slow_patterns(pattern: str, text: str, *, long: bool) -> None:
    assert may_take_long(pattern, text) is long


@pytest.mark.parametrize("text", ["abab", "ab\n", "ÄB" * 3, ""])
async def test_fullmatch_agrees_with_re_fullmatch(text: str) -> None:
    compiled = re.compile("(ab|äb)*", re.IGNORECASE)
    assert await fullmatch(compiled, text) is (compiled.fullmatch(text) is not None)


async def test_a_catastrophic_pattern_can_be_cancelled() -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(fullmatch(re.compile(CATASTROPHIC), TEXT), 0.5)


def test_catastrophic_pattern_times_out_and_other_cases_run() -> None:
    cases = [TestCase(input="q", actual_output=text) for text in (TEXT, "aab")]
    late, right = evaluate(cases, [PatternMatch(pattern=CATASTROPHIC)], measurement_timeout=6.0).flat()
    assert (late[1].error_type, right[1].score) == ("TimedOut", 1.0)


def test_ctrl_c_ends_a_run_in_a_catastrophic_pattern(tmp_path: Path) -> None:
    dataset = tmp_path / "x.jsonl"
    dataset.write_text(json.dumps({"input": "q", "actual_output": TEXT}))
    metric = f"pattern_match(pattern={CATASTROPHIC!r})"
    store = tmp_path / "runs.sqlite3"
    open_store(store).close()
    command = [
        Path(sys.executable).with_name("ragstone"),
        "run",
        dataset,
        "-m",
        metric,
        "-q",
        "--store",
        store,
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    with closing(open_store(store)) as runs:
        while not runs.runs() and process.poll() is None:
            time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in error
