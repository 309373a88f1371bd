from typing import Any

import pytest

from ragstone.engine.dry_run import DryRunJudge, plausible_answer
from ragstone.errors import CannotJudge
from ragstone.judges import ScriptedJudge
from ragstone.prompts import (
    AttributeStatements,
    DeriveSteps,
    ExtractClaims,
    FillForm,
    JudgeClaims,
    JudgePassages,
    Prompt,
    SummariseReasons,
)

pytestmark = pytest.mark.anyio
TEXT = "Paris is the capital. It has two million inhabitants; it lies on the Seine."
PROMPTS: list[Prompt[Any]] = [
    ExtractClaims(text=TEXT),
    JudgeClaims(evidence_texts=(TEXT,), claims=("a", "b", "c")),
    JudgePassages(input="q", passages=(TEXT, TEXT)),
    AttributeStatements(input="q", expected_output=TEXT, passages=(TEXT,)),
    DeriveSteps(criteria="c", parameters=("input",)),
    FillForm(steps=("s",), case_fields=(("input", "i"),), low=3, high=5),
    SummariseReasons(findings=("f",), metric="m", score=0.5),
]


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: type(prompt).__name__)
async def test_every_answer_keeps_its_contract_and_a_generous_one_is_longer(prompt: Prompt[Any]) -> None:
    terse, generous = (plausible_answer(prompt, generous=generous) for generous in (False, True))
    for text in (terse, generous):
        assert isinstance(prompt.parse(text), prompt.answer)
    assert len(terse) < len(generous)
    reply = await DryRunJudge(ScriptedJudge(), generous=True).ask(prompt)
    assert (reply.usage.calls, reply.cost) == (1, None)
    assert reply.usage.input_tokens > len(prompt.render().user) // 4


async def test_a_contract_that_no_answer_keeps_is_told() -> None:
    class Never(ExtractClaims):
        def check(self, answer: Any) -> str | None:
            del answer
            return "never"

    with pytest.raises(CannotJudge, match="No answer to Never could be made up"):
        plausible_answer(Never(text=TEXT), generous=False)
