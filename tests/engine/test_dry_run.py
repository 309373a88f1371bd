import sys
from types import FrameType
from typing import Any

import pytest
from tests.judges.local.text_families import FAMILIES

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
async def test_plausible_answers_are_valid_and_generous_ones_longer(prompt: Prompt[Any]) -> None:
    terse, generous = (plausible_answer(prompt, generous=generous) for generous in (False, True))
    for text in (terse, generous):
        assert isinstance(prompt.parse(text), prompt.answer)
    assert len(terse) < len(generous)
    reply = await DryRunJudge(ScriptedJudge(), generous=True).ask(prompt)
    assert (reply.usage.calls, reply.cost) == (1, None)
    assert reply.usage.input_tokens > len(prompt.render().user) // 4


async def test_prompt_that_accepts_no_answer_raises_cannot_judge() -> None:
    class Never(ExtractClaims):
        def check(self, answer: Any) -> str | None:
            del answer
            return "never"

    with pytest.raises(CannotJudge, match="No sample answer to Never could be generated"):
        plausible_answer(Never(text=TEXT), generous=False)


TEXTS = FAMILIES | {
    "one long sentence among short ones": lambda size: "a" * (size // 2) + ". b" * (size // 6),
    "line ends": lambda size: "a\n" * (size // 2),
}


@pytest.mark.parametrize("family", TEXTS)
async def test_plausible_answer_takes_linear_work(family: str) -> None:
    steps = 0

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal steps
        steps += event == "line"
        return trace

    def work(size: int, *, generous: bool) -> int:
        nonlocal steps
        text, steps = TEXTS[family](size), 0
        passages: list[Prompt[Any]] = [JudgePassages(input=text, passages=(text, text))]
        sys.settrace(trace)
        try:
            for prompt in (ExtractClaims(text=text), *passages):
                plausible_answer(prompt, generous=generous)
        finally:
            sys.settrace(None)
        return steps

    for generous in (False, True):
        work(100, generous=generous)
        short, long = work(400, generous=generous), work(3_200, generous=generous)
        assert long <= 32 * max(short, 500), (generous, short, long)  # 64 times as much where it is quadratic


@pytest.mark.parametrize("family", TEXTS)
async def test_plausible_answer_of_a_long_text_ends(family: str) -> None:
    for generous in (False, True):
        text = TEXTS[family](90_000)
        assert len(plausible_answer(ExtractClaims(text=text), generous=generous)) < 40 * 90_000
