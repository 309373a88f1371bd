from dataclasses import fields
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.audit._rewording import REWORDINGS, RewordedJudge
from ragstone.judges import LocalJudge
from ragstone.prompts import JudgeClaims


@for_each("prompt, twin", REWORDINGS.items())
def test_reworded_prompt_keeps_fields_and_answer_schema(prompt: type, twin: type) -> None:
    assert [item.name for item in fields(twin)] == [item.name for item in fields(prompt)]
    assert twin.answer_schema() == prompt.answer_schema()  # type: ignore[attr-defined]
    assert twin.digest() != prompt.digest()  # type: ignore[attr-defined]
    one, other = (set(kind.instruction.lower().split()) for kind in (prompt, twin))  # type: ignore[attr-defined]
    assert len(one & other) < 0.6 * len(other)


@pytest.mark.anyio
async def test_reworded_judge_changes_instructions_but_not_evidence() -> None:
    asked: list[Any] = []

    class Listening(LocalJudge):
        async def ask(self, prompt):  # type: ignore[no-untyped-def, override]  # noqa: ANN001, ANN202
            asked.append(prompt)
            return await super().ask(prompt)

    prompt = JudgeClaims(evidence_texts=("Tea is hot.",), claims=("Tea is hot.",), repeat=2)
    reply = await RewordedJudge(Listening()).ask(prompt)
    assert reply.answer == (await LocalJudge().ask(prompt)).answer
    assert asked[0].claims == prompt.claims
    assert asked[0].repeat == 2
    assert "\n\nGo through the claims" in asked[0].render().user
