"""`make attack` tries what it says, and finds what is planted."""

import json
from pathlib import Path
from random import Random

import pytest
from benchmarks.attack.__main__ import _found
from benchmarks.attack.areas import AREAS


def test_attack_areas_total_ten_thousand_inputs() -> None:
    assert sum(count for _, count in AREAS.values()) >= 10_000


@pytest.mark.parametrize("name", AREAS)
def test_sample_of_each_attack_area_finds_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    area, _ = AREAS[name]
    attempts = (
        list(area(tmp_path, Random(7), 60)) if name != "page and API" else area(tmp_path, Random(7), 60)
    )
    assert [found for attempt in attempts if (found := _found(attempt))] == []


def test_unexpected_exception_is_reported() -> None:
    assert "JSONDecodeError" in _found(("no JSON", lambda: json.loads("{")))
