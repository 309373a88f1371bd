"""The input stands beside what is judged by a text, in every metric that judges so."""

import asyncio
from typing import Any

from tests.laws.any_judge import AnyJudge
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.judges import Reply
from ragstone.metrics import parse
from ragstone.prompts import (
    AttributeStatements,
    JudgeAgreement,
    JudgeCitations,
    JudgeCitedSentences,
    JudgeClaims,
    LocateClaims,
    Prompt,
    RateGrounding,
    RateStatement,
)

QUESTION = "I ordered three weeks ago. Can I send it back?"
CASE = TestCase(
    input=QUESTION,
    actual_output="Yes, within 30 days [1].",
    expected_output="Yes.",
    retrieval_context=["Returns within 30 days."],
    context=["Returns within 30 days."],
)
JUDGED_BY_TEXT = (
    AttributeStatements,
    JudgeAgreement,
    JudgeCitations,
    JudgeCitedSentences,
    JudgeClaims,
    LocateClaims,
    RateGrounding,
    RateStatement,
)


class Recorder(AnyJudge):
    """Keeps the prompts that it is asked."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[Prompt[Any]] = []

    async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
        self.asked.append(prompt)
        return await super().ask(prompt)


@for_each(
    "spec",
    [
        "faithfulness(evidence='context')",
        "faithfulness(evidence='truths')",
        "groundedness",
        "response_groundedness",
        "hallucination",
        "citation_recall",
        "citation_precision",
        "contextual_recall",
        "answer_correctness",
        "factual_correctness",
        "rag_checker(figure='faithfulness')",
        "noise_sensitivity",
    ],
)
def test_input_is_shown_beside_what_is_judged(spec: str) -> None:
    judge = Recorder()
    parse(spec).measure(CASE, judge)
    judged = [prompt.render().user for prompt in judge.asked if isinstance(prompt, JUDGED_BY_TEXT)]
    assert judged
    assert all(f"input:\n| {QUESTION}\n" in text for text in judged)


@for_each(
    "prompt",
    [
        JudgeClaims(evidence_texts=("p",), claims=("c",)),
        LocateClaims(passages=("p",), claims=("c",)),
        RateStatement(passages=("p",), statement="s"),
        RateGrounding(passages=("p",), actual_output="o"),
        JudgeAgreement(contexts=("p",), actual_output="o"),
        JudgeCitedSentences(passages=("p",), sentences=("s [1]",)),
        JudgeCitations(passages=("p",), citations=("[1] in: s [1]",)),
    ],
)
def test_no_input_is_shown_where_there_is_none(prompt: Prompt[Any]) -> None:
    assert "input:" not in prompt.render().user
    asyncio.run(AnyJudge(1).ask(prompt))
