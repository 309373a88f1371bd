import pickle
import re

import pytest

from ragstone.errors import CannotJudge, ProviderError, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.prompts import Claims, ExtractClaims, ExtractStatements, JudgeClaims

pytestmark = pytest.mark.anyio

CLAIMS = ExtractClaims(text="Paris is big.")


async def test_responses_match_by_prompt_type_text_or_pattern() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": []}).respond("Paris", {"claims": ["a"]})
    assert (await judge.ask(CLAIMS)).answer == Claims(claims=("a",))
    judge = ScriptedJudge().respond(re.compile("par.s", re.IGNORECASE), {"claims": ["b"]})
    assert (await judge.ask(CLAIMS)).answer == Claims(claims=("b",))


async def test_the_first_match_wins() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": ["a"]}).respond("Paris", {"claims": ["b"]})
    assert (await judge.ask(CLAIMS)).answer.claims == ("a",)


async def test_a_list_is_given_out_in_turn_and_ends() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, [{"claims": ["a"]}, {"claims": ["b"]}])
    assert [(await judge.ask(CLAIMS)).answer.claims for _ in range(2)] == [("a",), ("b",)]
    with pytest.raises(CannotJudge, match="no further answer for ExtractClaims"):
        await judge.ask(CLAIMS)


async def test_exceptions_are_raised() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, ProviderError("down"))
    with pytest.raises(ProviderError, match="down"):
        await judge.ask(CLAIMS)


async def test_prompts_are_recorded_and_cleared() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": []})
    reply = await judge.ask(CLAIMS)
    assert "| Paris is big." in judge.prompts[0]
    assert reply.usage.calls == 1
    judge.clear()
    assert judge.prompts == []
    with pytest.raises(CannotJudge, match=r"respond\(ExtractClaims, .*'claims'"):
        await judge.ask(CLAIMS)


async def test_a_script_that_breaks_the_contract_fails_as_a_model_would() -> None:
    judge = ScriptedJudge().respond(JudgeClaims, {"verdicts": [{"verdict": "yes"}]})
    with pytest.raises(UnreadableAnswer, match="1 verdicts for 2 claims"):
        await judge.ask(JudgeClaims(evidence_texts=("e",), claims=("a", "b")))
    assert len(judge.prompts) == 3


def test_scripted_judge_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="cannot be sent to another process"):
        pickle.dumps(ScriptedJudge())
