"""The shipped judgements: their form, and that shared words do not tell the label."""

from collections import Counter
from pathlib import Path

import pytest
from tests.testing.for_each import for_each
from training.claims import FOLDER, claims
from training.judgements import TASKS, Judgement, judgements, overlap_auroc

PARTS = (FOLDER / "test", FOLDER / "looked_at")


@pytest.fixture(scope="module")
def shipped() -> list[Judgement]:
    return list(judgements())


def test_malformed_judgement_line_is_reported_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "w.jsonl").write_text('{"id": "w-1"}\n')
    with pytest.raises(ValueError, match=r"w\.jsonl:1"):
        list(judgements(tmp_path))


def test_a_label_that_is_neither_yes_nor_no_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w.jsonl").write_text('{"id": "w-1", "answers": [["a", "maybe", "k"]]}\n')
    with pytest.raises(ValueError, match="maybe"):
        list(judgements(tmp_path))


@pytest.mark.parametrize("task", TASKS.values())
def test_each_task_has_3000_judgements_with_balanced_labels(task: str, shipped: list[Judgement]) -> None:
    labels = Counter(row.label for row in shipped if row.task == task)
    assert labels.total() >= 3000
    assert min(labels.values()) >= 0.4 * labels.total()


@pytest.mark.parametrize("task", TASKS.values())
def test_word_overlap_does_not_predict_the_judgement_label(task: str, shipped: list[Judgement]) -> None:
    assert 0.45 <= overlap_auroc(row for row in shipped if row.task == task) <= 0.55


def test_judgements_are_unique_per_scene_and_task(shipped: list[Judgement]) -> None:
    counts = Counter((row.id, row.task, row.text) for row in shipped)
    assert [key for key, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_test_parts_share_no_question_or_context_with_training(
    part: Path, shipped: list[Judgement]
) -> None:
    asked = {row.question for row in shipped}
    assert not [row for row in judgements(part / "judgements") if row.question in asked]
    contexts = {row.passages for row in claims()}
    assert not [row for row in claims(part / "claims") if row.passages in contexts]


@for_each("part", PARTS, ids=lambda part: part.name)
def test_the_test_parts_have_a_minimum_of_claims_and_judgements(part: Path) -> None:
    assert len(list(claims(part / "claims"))) >= 500
    counts = Counter(row.task for row in judgements(part / "judgements"))
    assert min(counts[task] for task in TASKS.values()) >= 290
