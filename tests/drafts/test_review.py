from pathlib import Path

import pytest
from benchmarks.drafts.judge import WorldJudge
from benchmarks.drafts.world import make_world
from tests.cli.command import invoke
from tests.cli.test_draft import drafted

from ragstone import load_dataset
from ragstone.drafts import draft
from ragstone.drafts.review import DraftReview
from ragstone.errors import BadOption


def test_decisions_are_kept_and_applied(tmp_path: Path) -> None:
    path = drafted(tmp_path)
    review = DraftReview(path)
    first, second, third = list(review.cases)[:3]
    review.decide(first, "keep", "Ann")
    review.decide(second, "drop", "Ann")
    review.decide(third, "edit", "Ann", {"input": "What does it cost?", "expected_output": "5 euros"})
    again = DraftReview(path)
    assert again.next() is not None
    assert again.next().id == list(review.cases)[3]
    assert (again.summary().reviewed, again.summary().bad) == (3, 2)
    found = {case.id: case for case in again.reviewed_cases()}
    assert second not in found
    assert (found[third].input, found[third].expected_output) == ("What does it cost?", "5 euros")
    assert found[first].metadata["draft"]["review"]["by"] == "Ann"
    again.decide(second, "open", "Ann")
    assert DraftReview(path).summary().bad == 1
    with pytest.raises(BadOption, match="keep, edit or drop"):
        again.decide("absent", "keep", "Ann")
    with pytest.raises(BadOption, match="must not be empty"):
        again.decide(first, "edit", "Ann", {"input": " "})


def test_review_command_shows_bad_share_and_accept_threshold(tmp_path: Path) -> None:
    path, output = drafted(tmp_path), tmp_path / "reviewed.jsonl"
    assert invoke("review", path, "--accept", "0.1").exit_code == 3
    review = DraftReview(path)
    for name in list(review.cases)[:10]:
        review.decide(name, "keep", "Ann")
    assert "0% bad (95 %: 0% to" in invoke("review", path).stdout
    assert invoke("review", path, "--accept", "0.1").exit_code == 1
    assert invoke("review", path, "--accept", "0.5", "-o", output).exit_code == 0
    assert len(load_dataset(output)) == len(review.cases)


def test_an_edited_second_turn_is_edited_in_its_conversation(tmp_path: Path) -> None:
    world, path = make_world(things=20), tmp_path / "draft.jsonl"
    draft(world.passages, size=4, kinds=("follow_up",), judge=WorldJudge(world)).save(path)
    review = DraftReview(path)
    name = next(name for name, case in review.cases.items() if "follow_up" in case.tags)
    review.decide(name, "edit", "Ann", {"input": "And what is its default?"})
    found = next(case for case in review.reviewed_cases() if case.id == name)
    before = review.cases[name].turns or ()
    assert [turn.content for turn in found.turns or ()] == [
        *(turn.content for turn in before[:-1]),
        "And what is its default?",
    ]
    assert found.expected_output == review.cases[name].expected_output


def test_a_torn_decision_is_dropped_and_another_file_is_refused(tmp_path: Path) -> None:
    path = drafted(tmp_path)
    review = DraftReview(path)
    review.decide(next(iter(review.cases)), "keep", "Ann")
    decisions = path.with_name(f"{path.name}.review")
    whole = decisions.read_text()
    decisions.write_text(whole + '{"case_id": "x", "st')
    assert DraftReview(path).summary().reviewed == 1
    assert decisions.read_text() == whole
    decisions.write_text("notes\n")
    with pytest.raises(BadOption, match="is not the review of a test set"):
        DraftReview(path)
