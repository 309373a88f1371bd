from pathlib import Path
from typing import TypeVar

import pytest
from benchmarks.drafts.judge import PRICE, WorldJudge
from benchmarks.drafts.world import make_world

from ragstone.drafts import draft
from ragstone.drafts.drafting import DraftRequest
from ragstone.drafts.estimate import estimate_draft
from ragstone.drafts.judged.asker import DraftOptions
from ragstone.errors import AccessRefused, BadOption
from ragstone.judges import Reply, ScriptedJudge
from ragstone.options import Limits
from ragstone.prompts import (
    Answer,
    JudgeUsefulness,
    MatchDraftAnswers,
    Prompt,
    RecallDraftAnswer,
    SelectDraftEvidence,
)

A = TypeVar("A", bound=Answer)
WORLD = make_world(things=25)


def test_judge_writes_questions_and_all_checks_pass() -> None:
    judge = WorldJudge(WORLD)
    found = draft(WORLD.passages, size=20, judge=judge)
    assert found.yields.complete
    assert found.yields.calls == judge.calls
    assert found.yields.cost == pytest.approx(judge.calls * PRICE)
    written = [case for case in found.cases if "written by a model" in case.tags]
    assert len(written) > 10
    for case in written:
        row = case.metadata["draft"]
        assert row["written_by"] == "world"
        assert row["checks"]["round_trip"] == {"verdict": "yes", "judge": "world"}
        assert "WriteDraftQuestion" in row["prompts"]
        assert {one["verdict"] for one in row["checks"].values()} <= {"yes", "-"}


class ListeningJudge(WorldJudge):
    """Keeps the questions that it is asked about."""

    def __init__(self) -> None:
        super().__init__(WORLD)
        self.questions: list[str] = []

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        seen: object = prompt
        if isinstance(seen, JudgeUsefulness):
            self.questions.append(seen.input)
        if isinstance(seen, MatchDraftAnswers | RecallDraftAnswer):
            self.questions.append(seen.question)
        return await super().ask(prompt)


def test_a_second_turn_is_checked_with_the_first_question() -> None:
    judge = ListeningJudge()
    found = draft(WORLD.passages, size=3, judge=judge, kinds=("follow_up",))
    assert found.yields.complete
    assert len(judge.questions) > 5
    assert {question.count("What ") for question in judge.questions} == {
        2
    }  # the first question and the second


def test_faulty_questions_are_rejected() -> None:
    judge = WorldJudge(WORLD, faulty=0.5)
    found = draft(WORLD.passages, size=25, judge=judge)
    faulty = {written for written, fault in judge.faults.items() if fault}
    assert len(faulty) > 8
    assert [case.input for case in found.cases if (case.input, case.expected_output) in faulty] == []
    assert sum(found.yields.rejected.values()) >= len(faulty)


def test_max_cost_stops_the_draft_and_keeps_its_cases(tmp_path: Path) -> None:
    options = DraftOptions(limits=Limits(max_cost=120 * PRICE))
    judge = WorldJudge(WORLD)
    found = draft(WORLD.passages, size=25, judge=judge, options=options, journal=tmp_path / "j")
    assert "max_cost" in found.yields.stopped
    assert judge.calls <= 120
    assert 0 < len(found.cases) < 25
    again = WorldJudge(WORLD)
    whole = draft(WORLD.passages, size=25, judge=again, journal=tmp_path / "j")
    assert whole.yields.complete
    assert whole.yields.calls == judge.calls + again.calls


def test_an_estimate_bounds_the_calls_and_sends_nothing() -> None:
    judge = WorldJudge(WORLD)
    told = estimate_draft(WORLD.passages, judge, DraftRequest(size=20))
    assert judge.calls == 0
    draft(WORLD.passages, size=20, judge=judge)
    assert judge.calls <= told.calls[1]
    assert "Nothing was sent" in str(told)


def test_failing_judge_leaves_no_cases_and_counts_unwritten() -> None:
    found = draft(WORLD.passages, size=3, judge=ScriptedJudge(), kinds=("single",))
    assert found.cases == ()
    assert found.yields.unwritten["single"] == 9
    assert not found.yields.complete


def test_refused_key_and_local_judge_raise() -> None:
    with pytest.raises(BadOption, match="--no-llm"):
        draft(WORLD.passages, size=3, judge="local")
    refusing = ScriptedJudge().respond(SelectDraftEvidence, AccessRefused("no key"))
    with pytest.raises(AccessRefused):
        draft(WORLD.passages, size=3, judge=refusing, kinds=("single",))
