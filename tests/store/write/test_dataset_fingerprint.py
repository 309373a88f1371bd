"""A resumed run is refused another dataset, and told the first row that differs."""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone import TestCase, evaluate
from ragstone.api import _rows
from ragstone.errors import BadDataset
from ragstone.event import MeasurementFinished
from ragstone.metrics import ExactMatch
from ragstone.store.write.dataset_fingerprint import DatasetFingerprint

ROWS = [{"input": f"q{n}", "actual_output": "a", "expected_output": "a"} for n in range(20)]


def begun(store_url: str, data: object, limit: int | None = None) -> None:
    """A run that was interrupted after its third result."""
    seen = 0

    def interrupt(event: object) -> None:
        nonlocal seen
        seen += isinstance(event, MeasurementFinished)
        if seen == 3:
            raise asyncio.CancelledError

    with pytest.raises(BaseException):  # noqa: B017, PT011  (whatever ends a run)
        evaluate(data, [ExactMatch()], store=store_url, concurrency=1, limit=limit, listeners=[interrupt])


CHANGES = [
    ([*ROWS[:15], {**ROWS[15], "expected_output": "b"}, *ROWS[16:]], "row 16 differs"),
    ([*ROWS[:10], *ROWS[11:]], r"row 11 differs .it has 19 rows now, and had 20"),
    (ROWS[:5], "it ends at row 5"),
    ([*ROWS, {"input": "more"}], "row 21 is new"),
    ([*ROWS[:18], ROWS[19], ROWS[18]], "row 19 differs"),
]


@pytest.mark.parametrize(("changed", "words"), CHANGES)
def test_resume_rejects_changes_in_unmeasured_rows(
    store_url: str, changed: list[dict[str, str]], words: str
) -> None:
    begun(store_url, ROWS)
    with pytest.raises(BadDataset, match=words):
        evaluate(changed, store=store_url, resume="last")
    assert len(evaluate(ROWS, store=store_url, resume="last").results) == 20


@pytest.mark.parametrize(("before", "after"), [(None, 10), (10, None), (10, 12)])
def test_another_limit_is_refused(store_url: str, before: int | None, after: int | None) -> None:
    begun(store_url, ROWS, before)
    with pytest.raises(BadDataset, match="limit"):
        evaluate(ROWS, store=store_url, resume="last", limit=after)
    assert len(evaluate(ROWS, store=store_url, resume="last", limit=before).results) == (before or 20)


def test_large_file_is_compared_line_by_line(
    store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_rows, "_MAX_BYTES_IN_MEMORY", 100)
    path = tmp_path / "cases.jsonl"
    lines = [json.dumps(row) for row in ROWS]
    path.write_text("\n".join(lines))
    begun(store_url, path)
    path.write_text("\n".join([*lines[:15], json.dumps({**ROWS[15], "actual_output": "b"}), *lines[16:]]))
    with pytest.raises(BadDataset, match="line 16 differs"):
        evaluate(path, store=store_url, resume="last")
    path.write_text("\n".join(lines))
    assert len(evaluate(path, store=store_url, resume="last").results) == 20


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_fingerprints_are_equal_for_equal_rows_only(one: list[str], two: list[str]) -> None:
    first, second = DatasetFingerprint.of_rows(one, None), DatasetFingerprint.of_rows(two, None)
    if one == two:
        first.check_same(second)
    else:
        with pytest.raises(BadDataset) as caught:
            first.check_same(second)
        place = next(
            (n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
        )
        shown = str(caught.value)
        assert f"row {place + 1} " in shown or f"ends at row {place}" in shown


def test_fingerprint_of_test_cases_names_the_differing_row(store_url: str) -> None:
    cases = [TestCase.model_validate(row) for row in ROWS]
    begun(store_url, cases)
    with pytest.raises(BadDataset, match="row 20 differs"):
        evaluate([*cases[:19], TestCase(input="other")], store=store_url, resume="last")
