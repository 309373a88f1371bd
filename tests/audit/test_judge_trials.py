import json
import random
from io import StringIO
from typing import Any

import pytest

from ragstone import TestCase
from ragstone.audit import judge_card
from ragstone.errors import BadOption
from ragstone.findings.judge_card import JudgeReport
from ragstone.judges import Reply
from ragstone.judges.local import LocalJudge
from ragstone.prompts import Answer, PreferAnswer, Preference, Prompt
from ragstone.show.render.console import plain_console, show


class Habits:
    """The embedded judge with habits of its own; it can choose between two answers as well."""

    name = "habits"

    def __init__(
        self, *, place: str | None = None, mood: float = 0.0, words: bool = False, seed: int = 0
    ) -> None:
        self.place, self.mood, self.words = place, mood, words
        self.random = random.Random(seed)
        self.local = LocalJudge()

    async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
        if isinstance(prompt, PreferAnswer):
            longer = "first" if len(prompt.first) > len(prompt.second) else "second"
            return Reply(Preference(reason="r", choice=self.place or longer))  # type: ignore[arg-type]
        reply: Reply[Any] = await self.local.ask(prompt)
        if self.random.random() < self.mood or (self.words and "Reworded" in type(prompt).__name__):
            return Reply(_all_no(reply.answer))
        return reply


def _all_no(answer: Answer) -> Answer:
    verdicts = getattr(answer, "verdicts", None)
    if not verdicts:
        return answer
    return answer.model_copy(
        update={"verdicts": tuple(v.model_copy(update={"verdict": "no"}) for v in verdicts)}
    )


def terminal(found: JudgeReport, encoding: str = "utf-8") -> str:
    class File(StringIO):
        pass

    File.encoding = encoding  # type: ignore[assignment, misc]
    file = File()
    show(found.document(), plain_console(file, width=110))
    return file.getvalue()


def test_local_judge_is_consistent_and_has_no_position_trial() -> None:
    found = judge_card(limit=12)
    assert found.card.judge == "local"
    assert found.card.consistency is not None
    assert (found.card.consistency.agreement, found.card.consistency.size) == (1.0, 0.0)
    assert found.card.rewording is not None
    assert found.card.rewording.shift.size == 0.0
    assert found.card.position is None
    assert any("not tested for position bias: The judge local cannot measure" in note for note in found.notes)
    assert "gives the same score every time" in terminal(found)


def test_position_trial_detects_first_place_bias() -> None:
    found = judge_card(judge=Habits(place="first"), limit=15)
    position = found.card.position
    assert position is not None
    assert (position.consistent, position.first, position.second) == (0.0, 15, 0)
    assert "favours the first position; 15 pairs always first" in terminal(found)


def test_position_trial_finds_no_bias_in_consistent_judge() -> None:
    position = judge_card(judge=Habits(), limit=15).card.position
    assert position is not None
    assert position.consistent == 1.0
    assert position.preference == 0.0


def test_rewording_trial_separates_randomness_from_wording_sensitivity() -> None:
    # of twenty moods one leaves zero out of its 95 % interval by chance: seed 0 does, beside this embedded judge
    moody, wordy = judge_card(judge=Habits(mood=0.3, seed=1)), judge_card(judge=Habits(words=True))
    assert moody.card.consistency is not None
    assert moody.card.rewording is not None
    assert moody.card.consistency.agreement < 0.9
    assert 0.0 in moody.card.rewording.excess_interval  # type: ignore[operator]
    assert wordy.card.consistency is not None
    assert wordy.card.rewording is not None
    assert wordy.card.consistency.agreement == 1.0
    assert wordy.card.rewording.excess_interval.low > 0.3  # type: ignore[union-attr]
    assert "more than from asking again" in terminal(wordy)


def test_metric_without_reworded_prompts_is_noted() -> None:
    found = judge_card(metric="contextual_recall", limit=10)
    assert found.card.rewording is None
    assert "no prompt of ContextualRecall has a reworded version yet" in found.notes[-1]


def test_failing_judge_gives_an_empty_card_with_a_note() -> None:
    class Failing:
        name = "failing"

        async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
            raise ValueError(f"no {type(prompt).__name__}")

    found = judge_card(judge=Failing(), limit=3)
    assert found.card.consistency is None
    assert "3 of 3 cases have no score: ValueError: no ExtractClaims" in found.notes[0]
    assert list(found.lines()) == []


def test_position_trial_needs_an_expected_output() -> None:
    cases = [
        TestCase(
            input="q", actual_output="The leave is 18 weeks.", retrieval_context=["The leave is 18 weeks."]
        )
    ]
    found = judge_card(cases, judge=Habits())
    assert found.card.position is None
    assert "no case has an expected output" in found.notes[-1]
    assert "too few to say" in terminal(found)


def test_judge_card_is_written_as_json_markdown_and_ascii(tmp_path: Any) -> None:
    del tmp_path
    found = judge_card(judge=Habits(place="second"), limit=10)
    assert json.loads(found.to_json())["card"]["position"]["second"] == 10
    assert "| same answer in both orders | 0 % " in found.to_markdown()
    terminal(found, "ascii").encode("ascii")


def test_repeats_of_one_are_refused() -> None:
    with pytest.raises(BadOption, match="repeats=1"):
        judge_card(repeats=1)
