"""A judge without errors: it parses each sentence of the toy world as the fact that it states."""

from typing import Any

from benchmarks.causes.world import Fact, read, stated
from ragstone.judges import Reply
from ragstone.judges.base import Judge
from ragstone.prompts import (
    AspectVerdict,
    ClaimLocation,
    ClaimLocations,
    Claims,
    Decision,
    Decisions,
    ExtractClaims,
    JudgeAbstention,
    JudgeClaims,
    LocateClaims,
)
from ragstone.result import Usage
from ragstone.verdict import VerdictValue


class PerfectJudge(Judge):
    """Answers the prompts of the preset `diagnosis` from the facts of the toy world."""

    works_offline = True

    @property
    def name(self) -> str:
        """Return `perfect`."""
        return "perfect"

    async def ask(self, prompt: Any) -> Reply[Any]:  # noqa: ANN401  (any of five prompts)
        """Return the correct answer."""
        return Reply(_answer(prompt), Usage(calls=1))


def _answer(prompt: object) -> Any:  # noqa: ANN401  (the answer of any of five prompts)
    match prompt:
        case ExtractClaims():
            return Claims(claims=tuple(fact.text() for fact in read(prompt.text)))
        case JudgeClaims():
            return Decisions(
                verdicts=tuple(_decided(claim, prompt.evidence_texts) for claim in prompt.claims)
            )
        case LocateClaims():
            return ClaimLocations(
                verdicts=tuple(
                    ClaimLocation(
                        passages=tuple(
                            number
                            for number, passage in enumerate(prompt.passages, 1)
                            if set(read(claim)) <= stated([passage])
                        )
                    )
                    for claim in prompt.claims
                )
            )
        case JudgeAbstention():
            declined = "do not know" in prompt.actual_output
            return AspectVerdict(reason="it says so", verdict="yes" if declined else "no")
        case _:
            raise AssertionError(f"the toy world has no answer to {type(prompt).__name__}")


def _decided(claim: str, texts: tuple[str, ...]) -> Decision:
    (fact,) = read(claim)
    for number, text in enumerate(texts, 1):
        if fact in read(text):
            return Decision(passage=number, verdict="yes")
    for number, text in enumerate(texts, 1):
        if any(_speaks_against(fact, other) for other in read(text)):
            return Decision(passage=number, reason="another value", verdict="no")
    word: VerdictValue = "idk"
    return Decision(verdict=word)


def _speaks_against(fact: Fact, other: Fact) -> bool:
    return fact[:2] == other[:2] and fact.value != other.value
