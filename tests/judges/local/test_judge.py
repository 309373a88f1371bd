import asyncio
import threading

import pytest
from tests.testing.for_each import for_each

from ragstone.judges import JuryJudge, LocalJudge, ScriptedJudge
from ragstone.judges.local import answers
from ragstone.judges.local import judge as module
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.documentation import embedded
from ragstone.plugins import load
from ragstone.prompts import FillForm, JudgeClaims


async def _ask(characters: int) -> None:
    await LocalJudge().ask(
        JudgeClaims(claims=("The bridge is long.",), evidence_texts=("word. " * (characters // 6),))
    )


def test_a_long_prompt_leaves_the_event_loop_free_and_can_be_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, release = threading.Event(), threading.Event()

    def blocked(_: object) -> object:
        begun.set()
        release.wait(30)
        raise ValueError("nobody waits for this")

    monkeypatch.setattr(answers, "answer_prompt", blocked)

    async def main() -> None:
        task = asyncio.create_task(_ask(2 * module._MAX_INLINE_CHARACTERS))
        await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    try:
        asyncio.run(main())
    finally:
        release.set()


def test_a_short_and_a_long_prompt_get_the_same_kind_of_answer() -> None:
    claim, passage = "The bridge is 330 metres long.", "The bridge is 330 metres long. "
    short = asyncio.run(LocalJudge().ask(JudgeClaims(claims=(claim,), evidence_texts=(passage,))))
    long = asyncio.run(LocalJudge().ask(JudgeClaims(claims=(claim,), evidence_texts=(passage * 1_000,))))
    assert short.answer.verdicts[0].verdict == long.answer.verdicts[0].verdict == "yes"


@for_each(
    "name, measured",
    [("faithfulness", "yes"), ("exact_match", "no judge")]
    + [
        (name, "no")
        for name in (
            "g_eval",
            "bias",
            "toxicity",
            "rubric_score",
            "summarization",
            "task_completion",
            "semantic_answer_relevancy",
            "context_entity_recall",
            "ragas_score",
        )
    ],
)
def test_a_metric_says_whether_the_embedded_judge_can_measure_it(name: str, measured: str) -> None:
    metric = load(BUILT_IN[name])
    assert embedded(metric) == measured


def test_a_jury_can_answer_what_its_quorum_can() -> None:
    jurors = ["local", ScriptedJudge()]
    assert JuryJudge(jurors=jurors).can_answer(FillForm)
    assert not JuryJudge(jurors=jurors, quorum=2).can_answer(FillForm)
    assert JuryJudge(jurors=jurors, quorum=2).can_answer(JudgeClaims)
