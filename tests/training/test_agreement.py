from pathlib import Path

import pytest

pytest.importorskip("lightgbm", reason="training needs the dependency group training")

from training import agreement


def test_only_missing_or_outdated_steps_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    steps = tuple(
        (
            tmp_path / name,
            lambda name=name: (made.append(name), (tmp_path / name).write_text("x"))[0],
            (name,),
        )
        for name in ("first", "second")
    )
    stamps = {"first": "1", "second": "1"}
    monkeypatch.setattr(agreement, "STEPS", steps)
    monkeypatch.setattr(agreement, "STAMPS", tmp_path / "made_from.json")
    monkeypatch.setattr(agreement, "dependency_hash", lambda modules: stamps[modules[0]])
    agreement.build_outdated()
    agreement.build_outdated()
    assert made == ["first", "second"]
    stamps["second"] = "2"
    agreement.build_outdated()
    assert made == ["first", "second", "second"]
    (tmp_path / "first").unlink()
    agreement.build_outdated()
    assert made == ["first", "second", "second", "first"]


def test_the_stamp_changes_with_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "WEIGHTS", tmp_path)
    before = agreement.dependency_hash(("tables",))
    assert before == agreement.dependency_hash(("tables",))
    (tmp_path / "_features.py").write_text("NAMES = ()")
    assert agreement.dependency_hash(("tables",)) != before
    assert agreement.dependency_hash(("tables", "fit")) != agreement.dependency_hash(("tables",))


def test_demo_lines_report_found_missed_and_flagged() -> None:
    [sums, missed, flagged] = list(agreement.demo_lines())
    assert " of 21 planted flaws found" in sums
    assert " of 14 sound cases flagged" in sums
    assert missed.startswith("  missed: ")
    assert flagged.startswith("  flagged: ")
