"""A metric that is measured for each of the assistant's turns of a conversation, and their mean.

    value = mean of the scores of the turns about which something was decided
    low, high = mean of the least, and of the greatest, score of each measured turn

A turn that lacks a field that the metric needs, or holds nothing that it could measure, is not counted; the reason says
so. The first turn that misses the threshold is named: those after it often go wrong because of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ragstone.case import TestCase, Turn
from ragstone.errors import NotApplicable
from ragstone.metrics.base.cases import without_thoughts
from ragstone.metrics.base.score import findings, verdict_dicts
from ragstone.score import Score
from ragstone.status import Status
from ragstone.verdict import Verdict, VerdictValue

_VERDICTS: dict[Status | None, VerdictValue] = {"passed": "yes", "missed": "no", "undecided": "undecided"}


class TurnScore(NamedTuple):
    """The measurement of one turn.

    Attributes:
        number: place of the turn in the conversation, from 1.
        text: what the assistant said.
        score: its score; None where it was not measured.
        status: see `ragstone.status`; None for a metric without a threshold.
        reason: the reason for the score, or why there is none.
    """

    number: int
    text: str
    score: Score | None
    status: Status | None
    reason: str


def turn_cases(case: TestCase) -> Iterator[tuple[int, TestCase]]:
    """Yield each of the assistant's turns as a test case, with its place in the conversation, from 1.

    Its input is what was said before: the user's message alone if there is nothing else. What is expected stands in the
    turn, or in the user's turn before it.
    """
    turns: Sequence[Turn] = case.turns or ()
    for place, turn in enumerate(turns):
        if turn.role != "assistant":
            continue
        before = turns[:place]
        asked = before[-1] if before and before[-1].role == "user" else turn
        yield (
            place + 1,
            TestCase(
                id=f"{case.id}/turn {place + 1}",
                name=f"{case.name or case.id}, turn {place + 1}",
                input=_said(before),
                actual_output=turn.content,
                retrieval_context=turn.retrieval_context,
                retrieved_ids=turn.retrieved_ids,
                tools_called=turn.tools_called,
                expected_output=turn.expected_output or asked.expected_output,
                expected_tools=asked.expected_tools if turn.expected_tools is None else turn.expected_tools,
                relevant_ids=asked.relevant_ids if turn.relevant_ids is None else turn.relevant_ids,
                metadata={**(asked.metadata if asked is not turn else {}), **turn.metadata},
                tags=case.tags,
            ),
        )


def missing_in_turns(case: TestCase, needs: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the turn lacks that lacks the fewest of the fields needed; `turns` without a conversation."""
    if not case.turns:
        return ("turns",)
    return min((turn.missing(needs) for _, turn in turn_cases(case)), key=len, default=())


async def assess_turns(
    case: TestCase,
    measure: Callable[[int, TestCase], Awaitable[TurnScore]],
    *,
    higher_is_better: bool,
    has_threshold: bool,
) -> Score:
    """Return the mean score of the assistant's turns, which are measured at the same time; see `turns_score`.

    Raises:
        NotApplicable: no turn can be measured.
        JudgeError: the judge gave no verdict on a turn.
    """
    found = await asyncio.gather(*(measure(number, turn) for number, turn in turn_cases(case)))
    if not found:
        raise NotApplicable("The conversation has no turn of the assistant: there is nothing to judge.")
    if all(turn.score is None for turn in found):
        raise NotApplicable(f"No turn can be measured. Turn {found[0].number}: {found[0].reason}")
    return turns_score(found, higher_is_better=higher_is_better, has_threshold=has_threshold)


def turns_score(turns: Sequence[TurnScore], *, higher_is_better: bool, has_threshold: bool) -> Score:
    """Return the score of a conversation; one of its turns must be measured. Pure."""
    scores = [turn.score for turn in turns if turn.score is not None]
    values = [score.value for score in scores if score.value is not None]
    lows, highs = zip(*(score.bounds for score in scores), strict=True)
    first = next((turn for turn in turns if turn.status == "missed"), None)
    metadata: dict[str, Any] = {
        "turns": [_turn_fields(turn) for turn in turns],
        "first_missed": None if first is None else first.number,
    }
    verdicts = [
        Verdict(f"turn {turn.number}: {turn.text}", _VERDICTS[turn.status], turn.reason)
        for turn in turns
        if turn.status in _VERDICTS
    ]
    if has_threshold:
        metadata["verdicts"] = verdict_dicts(verdicts)
    return Score(
        sum(values) / len(values) if values else None,
        _reason(turns, first, higher_is_better=higher_is_better),
        metadata,
        findings(verdicts),
        sum(lows) / len(lows),
        sum(highs) / len(highs),
    )


def _turn_fields(turn: TurnScore) -> dict[str, Any]:
    """Return the measurement of a turn for the metadata."""
    fields: dict[str, Any] = {"turn": turn.number, "status": turn.status, "reason": turn.reason}
    if turn.score is not None:
        low, high = turn.score.bounds
        fields |= {"score": turn.score.value, "low": low, "high": high, "metadata": turn.score.metadata}
    return fields


def _reason(turns: Sequence[TurnScore], first: TurnScore | None, *, higher_is_better: bool) -> str:
    measured = [turn for turn in turns if turn.score is not None]
    undecided = [turn for turn in measured if turn.status == "undecided"]
    passed = sum(turn.status == "passed" for turn in measured)
    threshold = any(turn.status is not None for turn in measured)
    parts = [
        f"{passed} of {len(measured)} assistant turns passed"
        if threshold
        else f"{len(measured)} turns measured"
    ]
    if first is not None:
        parts.append(f"turn {first.number} is the first that misses: {first.reason.rstrip('.')}")
    elif (worst := _worst(measured, higher_is_better=higher_is_better)) is not None:
        parts.append(f"the worst is turn {worst.number}: {worst.reason.rstrip('.')}")
    sentences = ["; ".join(parts)]
    if undecided:
        sentences.append(f"Undecided: turn {', '.join(str(turn.number) for turn in undecided)}")
    sentences += [
        f"Turn {turn.number} is not counted: {turn.reason.rstrip('.')}"
        for turn in turns
        if turn.score is None
    ]
    return ". ".join(sentences) + "."


def _worst(turns: Sequence[TurnScore], *, higher_is_better: bool) -> TurnScore | None:
    """Return the first turn with the worst score; None where all decided scores are equal."""
    scored = [(turn.score.value, turn) for turn in turns if turn.score and turn.score.value is not None]
    values = [value for value, _ in scored]
    if len(set(values)) <= 1:
        return None
    worst = min(values) if higher_is_better else max(values)
    return next(turn for value, turn in scored if value == worst)


def _said(turns: Sequence[Turn]) -> str:
    """Return what was said before a turn, without thoughts."""
    return turns[0].content if len(turns) == 1 else "\n".join(str(without_thoughts(turn)) for turn in turns)
