"""What metrics that are measured for each turn found: on each turn, and which turn of a conversation missed first.

A result's metadata may come from a file: values that do not look like the measurement of a turn are left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from ragstone.metric_label import PER_TURN, base_name
from ragstone.result import Result
from ragstone.status import STATUSES, Status

_ORDER: dict[Status | None, int] = {"missed": 0, "undecided": 1, "passed": 2, None: 3, "skipped": 4}


class TurnResult(NamedTuple):
    """The measurement of one turn by one metric."""

    spec: str  # the metric
    number: int  # place of the turn in the conversation, from 1
    status: Status | None  # what became of it; None without a threshold
    score: float | None  # its score; None where nothing was decided or measured
    threshold: float | None  # the score that passes
    reason: str  # why


class ConversationBreaks(NamedTuple):
    """In which conversations of a run a turn misses a threshold."""

    conversations: int  # how many were measured turn by turn
    firsts: Counter[int]  # how many of them have their first miss at each turn

    def sentence(self) -> str:
        """Return the sentence about them; empty where no turn misses."""
        broken = self.firsts.total()
        if not broken:
            return ""
        turn, times = self.firsts.most_common(1)[0]
        where = f"first at turn {turn}" + ("" if times == broken else f" in {times:,} of {broken:,}")
        noun = "conversation" if self.conversations == 1 else "conversations"
        verb = "breaks" if broken == 1 else "break"
        return f"{broken:,} of {self.conversations:,} {noun} {verb}, {where}"


def is_per_turn(spec: str) -> bool:
    """Return whether a metric, by its spec, is measured for each turn."""
    return base_name(spec).endswith(PER_TURN)


def turn_results(results: Iterable[Result]) -> dict[int, list[TurnResult]]:
    """Return the measurements of each turn of a conversation, by its place; those that missed come first."""
    by_turn: dict[int, list[TurnResult]] = {}
    for result in results:
        for item in _turns(result):
            by_turn.setdefault(item.number, []).append(item)
    for items in by_turn.values():
        items.sort(key=lambda item: _ORDER.get(item.status, 3))
    return by_turn


def conversation_breaks(rows: Iterable[Iterable[Result]]) -> ConversationBreaks:
    """Return the breaks of conversations, each given by its results."""
    conversations, firsts = 0, Counter[int]()
    for results in rows:
        measured = [result for result in results if is_per_turn(result.spec) and result.is_measured]
        conversations += bool(measured)
        missed = [item.number for result in measured for item in _turns(result) if item.status == "missed"]
        firsts.update([min(missed)] if missed else [])
    return ConversationBreaks(conversations, firsts)


def _turns(result: Result) -> Iterator[TurnResult]:
    stored: object = result.metadata.get("turns") if is_per_turn(result.spec) else None
    for item in cast("list[object]", stored) if isinstance(stored, list) else []:
        fields = cast("Mapping[str, Any]", item) if isinstance(item, dict) else dict[str, Any]()
        number, status, score = fields.get("turn"), fields.get("status"), fields.get("score")
        if isinstance(number, int):
            yield TurnResult(
                result.spec,
                number,
                status if status in STATUSES else None,
                float(score) if isinstance(score, int | float) else None,
                result.threshold,
                str(fields.get("reason") or ""),
            )
