from hashlib import sha256
from pathlib import Path

import pytest
from benchmarks.drafts.judge import WorldJudge
from benchmarks.drafts.world import make_world
from tests.drafts.documents import folder_of

from ragstone import load_dataset
from ragstone.drafts import draft
from ragstone.errors import BadOption, UnknownName


def test_drafted_case_records_its_evidence_and_checks(tmp_path: Path) -> None:
    found = draft(folder_of(tmp_path), size=5)
    case = next(one for one in found.cases if one.input == "What is the price of Zenith 3?")
    assert case.expected_output == "490 euros"
    assert "written by rules" in case.tags
    draft_of = case.metadata["draft"]
    (evidence,) = draft_of["evidence"]
    text = (tmp_path / "lamps.md").read_text()
    place = int(evidence["passage"].partition("#")[2])
    assert text[place + evidence["start"] : place + evidence["end"]] == evidence["quote"]
    assert sha256(evidence["quote"].encode()).hexdigest() == evidence["sha256"]
    assert case.relevant_ids == {evidence["passage"]: 2}
    assert draft_of["checks"]["round_trip"] == {"verdict": "?", "judge": "rules", "why": "not run"}
    assert (draft_of["written_by"], draft_of["review"]["state"]) == ("rules", "open")


def test_equal_seeds_give_equal_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    folder_of(folder)
    texts = []
    for number, seed in enumerate((1, 1, 2)):
        draft(folder, size=6, seed=seed).save(tmp_path / f"{number}.jsonl")
        texts.append((tmp_path / f"{number}.jsonl").read_bytes())
    assert texts[0] == texts[1] != texts[2]
    assert not list(tmp_path.glob("*.part"))


def test_saved_draft_loads_as_a_dataset(tmp_path: Path) -> None:
    found = draft(folder_of(tmp_path), size=50)
    found.save(tmp_path / "out.jsonl")
    assert tuple(load_dataset(tmp_path / "out.jsonl")) == found.cases
    assert not found.yields.complete
    assert len(found.cases) == sum(found.yields.kept.values())


def test_weights_sum_to_passages_of_covered_strata(tmp_path: Path) -> None:
    found = draft(folder_of(tmp_path), size=50)
    weights: dict[tuple[str, int], float] = {}
    for case in found.cases:
        stratum = case.metadata["draft"]["stratum"]
        place = stratum["document"], stratum["topic"]
        weights[place] = weights.get(place, 0.0) + case.metadata["draft"]["weight"]
    assert weights
    assert all(total == pytest.approx(round(total), abs=1e-4) for total in weights.values())
    assert 2 <= sum(weights.values()) <= 4.001  # of four passages


def test_withheld_documents_make_unanswerable_questions(tmp_path: Path) -> None:
    found = draft(folder_of(tmp_path), size=50, holdout=0.5)
    (left_out,) = found.withheld
    for case in found.cases:
        here = {one["document"] for one in case.metadata["draft"]["evidence"]}
        assert case.metadata["answerable"] == (here != {left_out}) or case.expected_output is None
    assert any(case.metadata["draft"]["withheld"] for case in found.cases)
    found.save(tmp_path / "out.jsonl")
    assert (tmp_path / "out.holdout.txt").read_text() == f"{left_out}\n"


def test_a_follow_up_has_its_first_turn() -> None:
    world = make_world(things=20)
    found = draft(world.passages, size=2, kinds=("follow_up",), judge=WorldJudge(world))
    assert len(found.cases) == 2
    case = found.cases[0]
    assert case.turns is not None
    assert [turn.role for turn in case.turns] == ["user", "assistant", "user"]
    assert case.turns[2].content == case.input


def test_invalid_draft_options_raise(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="size=0"):
        draft(tmp_path, size=0)
    with pytest.raises(BadOption, match=r"holdout=1\.5"):
        draft(tmp_path, holdout=1.5)
    with pytest.raises(UnknownName, match="single"):
        draft(tmp_path, kinds=("singel",))  # pyright: ignore[reportArgumentType]
