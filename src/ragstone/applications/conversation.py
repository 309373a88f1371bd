"""A conversation with a scripted user: the user's turns of a test case are sent one by one, each with what was said.

The assistant's turns of the test case are replaced by the application's answers, as any other answer of a dataset is.
What was expected of them is kept.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from ragstone.applications.call import ApplicationCall
from ragstone.case import APPLICATION_ERROR, TestCase, Turn

ANSWER_FIELDS = ("actual_output", "retrieval_context", "retrieved_ids", "tools_called")
"""The fields of a test case that an application's reply fills."""

_EXPECTED_FIELDS = ("expected_output", "expected_tools", "relevant_ids")


def scripted(case: TestCase) -> list[tuple[Turn, dict[str, Any]]]:
    """Return the user's turns of a test case, each with what is expected of the reply to it."""
    turns: Sequence[Turn] = case.turns or ()
    script: list[tuple[Turn, dict[str, Any]]] = []
    for turn in turns:
        if turn.role == "user":
            script.append((turn, {}))
        elif script:
            expected = {name: getattr(turn, name) for name in _EXPECTED_FIELDS}
            script[-1][1].update({name: value for name, value in expected.items() if value is not None})
    return script


async def converse(case: TestCase, answer: Callable[[ApplicationCall], Awaitable[TestCase]]) -> TestCase:
    """Return the test case with the conversation that the application led.

    Its metadata has the time, the tokens and the cost of all turns; those of each turn stand in the turn. A turn that
    fails ends the conversation: `application_error` then names it. The answer to the question of the test case is its
    actual output, if that question is the last one.
    """
    turns: list[Turn] = []
    script, last = scripted(case), TestCase(input=case.input)
    for asked, expected in script:
        turns.append(asked)
        history = tuple({"role": turn.role, "content": turn.content} for turn in turns)
        found = await answer(ApplicationCall(asked.content, turns=history))
        turns.append(_reply(found, expected))
        if asked is script[-1][0] and asked.content == case.input:
            last = found
        if APPLICATION_ERROR in found.metadata:
            break
    update = {name: getattr(last, name) for name in ANSWER_FIELDS}
    return case.model_copy(
        update={**update, "turns": tuple(turns), "metadata": {**case.metadata, **_sums(turns)}}
    )


def expected_turns(case: TestCase, reply: Mapping[str, Any]) -> tuple[Turn, ...] | None:
    """Return the turns of a conversation with a stand-in for each reply, to check the metrics before any question."""
    answer = TestCase.model_validate({"input": "", **reply})
    found = tuple(turn for asked, expected in scripted(case) for turn in (asked, _reply(answer, expected)))
    return found or None


def _reply(found: TestCase, expected: Mapping[str, Any]) -> Turn:
    return Turn(
        role="assistant",
        content=found.actual_output or "",
        retrieval_context=found.retrieval_context,
        retrieved_ids=found.retrieved_ids,
        tools_called=found.tools_called,
        metadata=found.metadata,
        **expected,
    )


def _sums(turns: Sequence[Turn]) -> dict[str, Any]:
    """Return what the calls of a conversation took together, and the error that ended it."""
    calls = [turn.metadata for turn in turns if turn.role == "assistant"]
    sums: dict[str, Any] = {"latency_ms": round(sum(call["latency_ms"] for call in calls), 3)}
    tokens = [call["tokens"] for call in calls if "tokens" in call]
    if tokens:
        sums["tokens"] = {
            kind: sum(each.get(kind, 0) for each in tokens)
            for kind in ("input", "output")
            if kind in tokens[0]
        }
    costs = [call["cost"] for call in calls if "cost" in call]
    if costs:
        sums["cost"] = sum(costs)
    error = calls[-1].get(APPLICATION_ERROR)
    if error is not None:
        sums[APPLICATION_ERROR] = f"turn {len(turns)}: {error}"
    return sums
