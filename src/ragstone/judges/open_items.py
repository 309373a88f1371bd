"""What an answer leaves undecided, as a prompt about those items alone, and the answer in which they are filled in."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from ragstone.prompts import (
    Answer,
    AspectVerdict,
    AttributeStatements,
    Attributions,
    CaseReview,
    ClaimLocations,
    Decision,
    Decisions,
    JudgeClaims,
    JudgePassages,
    JudgeStatements,
    PassageStatements,
    Prompt,
    Rating,
)

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class OpenItems:
    """The undecided items of an answer: a prompt about them alone, and their places in it; None: the whole is open."""

    prompt: Prompt[Any]
    places: tuple[int, ...] | None


def open_items(prompt: Prompt[Any], answer: Answer) -> OpenItems | None:
    """Return what `answer` leaves undecided; None where all of it is decided."""
    match answer:
        case Decisions():
            return _open_part(prompt, (decision.verdict == "undecided" for decision in answer.verdicts))
        case ClaimLocations():
            return _open_part(prompt, (bool(location.undecided) for location in answer.verdicts))
        case Attributions() | PassageStatements():
            verdicts = verdict_prompt(prompt, answer)
            if verdicts is None:
                return None
            return _open_part(verdicts, (item.verdict == "undecided" for item in answer.verdicts))
        case (
            Rating(undecided=True)
            | AspectVerdict(verdict="undecided")
            | CaseReview(answer="cannot_tell")
            | CaseReview(context="cannot_tell")
        ):
            return OpenItems(prompt, None)
        case _:
            return None


def _open_part(prompt: Prompt[Any], is_open: Iterable[bool]) -> OpenItems | None:
    places = tuple(place for place, flag in enumerate(is_open) if flag)
    return OpenItems(prompt.part(places), places) if places else None


def count_decided(prompt: Prompt[Any], answer: Answer) -> int:
    """Return how many items of an answer are decided; a rating counts as one, and a list of texts decides nothing."""
    verdicts = getattr(answer, "verdicts", None)
    decides = isinstance(answer, Rating | AspectVerdict | CaseReview)
    count = len(verdicts) if isinstance(verdicts, tuple) else int(decides)  # pyright: ignore[reportUnknownArgumentType]
    items = open_items(prompt, answer)
    return count if items is None else count - len(items.places or (0,))


def by_judge(answer: Answer, judge: str) -> Answer:
    """Return the answer with the name of its judge at each verdict."""
    if not isinstance(answer, Decisions | Attributions | PassageStatements):
        return answer
    verdicts = [
        item.model_copy(update={"evidence": item.evidence.model_copy(update={"judge": judge})})
        for item in answer.verdicts
    ]
    return answer.model_copy(update={"verdicts": tuple(verdicts)})


def verdict_prompt(prompt: Prompt[Any], answer: Answer) -> Prompt[Decisions] | None:
    """Return the prompt that asks for verdicts on the statements that `answer` found; None where it found none."""
    if isinstance(prompt, AttributeStatements) and isinstance(answer, Attributions):
        items = tuple(item.statement for item in answer.verdicts)
        return JudgeClaims(
            evidence_texts=prompt.passages, input=prompt.input, claims=items, source=prompt.passages
        )
    if isinstance(prompt, JudgePassages) and isinstance(answer, PassageStatements):
        return JudgeStatements(
            input=prompt.input, statements=tuple(item.statement for item in answer.verdicts)
        )
    return None


def filled_in(answer: A, items: OpenItems, decided: Answer) -> A:
    """Return `answer` with its open items as `decided` has them."""
    if items.places is None:
        return cast("A", decided)
    more = cast("Decisions | ClaimLocations", decided).verdicts
    verdicts: list[Any] = list(cast("Any", answer).verdicts)
    for place, item in zip(items.places, more, strict=True):
        verdicts[place] = _in_place(verdicts[place], item, place + 1)
    return answer.model_copy(update={"verdicts": tuple(verdicts)})


def _in_place(before: Answer, item: Answer, number: int) -> Answer:
    """Return an item with its number; where `before` carries a statement of its own, that with the item's verdict."""
    if not isinstance(item, Decision):
        return item
    if isinstance(before, Decision):
        return item.model_copy(update={"item": number})
    passage = {"passage": item.passage} if isinstance(item.passage, int) else {}
    update = {"verdict": item.verdict, "reason": item.reason, "evidence": item.evidence, **passage}
    return before.model_copy(update=update)
