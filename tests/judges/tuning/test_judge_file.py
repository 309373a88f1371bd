from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import BadOption
from ragstone.judges.tuned import JudgeTuning, read_judge_file
from ragstone.prompts.base.guidance import DecidedExample, Guidance

TUNING = JudgeTuning(
    judge="openai:gpt-4o-mini",
    metric="faithfulness(threshold=0.8)",
    threshold=0.625,
    prompts=("JudgeClaims",),
    guidance=Guidance(
        (DecidedExample("c1", (("input", 'a "b"\n\\'), ("passages", ("x", "ü"))), "fail", "why"),),
        ("A rule.",),
    ),
    card={"labels": 80, "gain": [0.1, 0.4], "folds": [{"n": 16, "chosen": "2 examples"}], "dataset": "d"},
)


def written(tuning: JudgeTuning, folder: Path) -> Path:
    path = folder / "judge.toml"
    path.write_text(tuning.to_toml(), encoding="utf-8")
    return path


def test_judge_file_round_trips(tmp_path: Path) -> None:
    assert read_judge_file(written(TUNING, tmp_path)) == TUNING


@given(st.text(), st.text())
def test_any_example_text_round_trips(tmp_path_factory: pytest.TempPathFactory, text: str, note: str) -> None:
    example = DecidedExample("c", (("input", text), ("passages", (text,))), "pass", note)
    tuning = JudgeTuning("local", "m", guidance=Guidance((example,)))
    assert read_judge_file(written(tuning, tmp_path_factory.mktemp("file"))) == tuning


def test_a_file_that_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    path = written(TUNING, tmp_path)
    path.write_text(path.read_text().replace('decision = "fail"', 'decision = "pass"'))
    with pytest.raises(BadOption, match="was changed after it was written"):
        read_judge_file(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version = ", "cannot be read"),
        ("version = 1", "not the file of a tuned judge"),
        (TUNING.to_toml().replace("version = 1", "version = 2"), "has version 2"),
        (TUNING.to_toml().replace('decision = "fail"', 'decision = "maybe"'), "decision 'maybe'"),
    ],
)
def test_invalid_judge_file_is_refused_with_a_message(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "judge.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadOption, match=message):
        read_judge_file(path)
    with pytest.raises(BadOption, match="cannot be read"):
        read_judge_file(tmp_path / "absent.toml")
