import asyncio
import threading

import pytest

from ragstone.judges import LocalJudge
from ragstone.judges.local import answers
from ragstone.judges.local import judge as module
from ragstone.prompts import JudgeClaims


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
