"""From which passages does each claim follow?"""

from dataclasses import dataclass, field

from pydantic.json_schema import SkipJsonSchema

from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.prompt import GIVEN, OPTIONAL, Prompt, check_in_range, check_one_verdict_each


class ClaimLocation(Answer):
    """The passages from which one claim follows; none where it follows from none.

    Attributes:
        reason: why.
        passages: the numbers, from 1, of the passages from which the claim surely follows.
        undecided: the numbers of those for which the judge cannot tell.
    """

    reason: str | None = None
    passages: tuple[int, ...]
    undecided: SkipJsonSchema[tuple[int, ...]] = ()


class ClaimLocations(Answer):
    """One entry for each numbered claim, in order."""

    verdicts: tuple[ClaimLocation, ...]


@dataclass(frozen=True, kw_only=True)
class LocateClaims(Prompt[ClaimLocations]):
    """Ask for the numbers of all passages that, taken alone, support each claim.

    Attributes:
        passages: what the claims may follow from.
        input: the question that the claims answer; empty where there is none.
        claims: what is judged.
    """

    answer = ClaimLocations
    instruction = f"""\
Name for each claim all passages that support it: each, taken alone, states or directly implies all of it, or is \
silent as the claim says; paraphrase, fair rounding, arithmetic and words of style are no faults. A passage that \
contradicts or lacks a part of it, or only reports or supposes it, does not. {GIVEN} Without support the list is \
empty."""
    one_per = "claims"
    noun = "claim"
    cites = "passages"

    passages: tuple[str, ...]
    input: str = field(default="", metadata=OPTIONAL)
    claims: tuple[str, ...]

    def check(self, answer: ClaimLocations) -> str | None:
        """Demand one entry for each claim, and passage numbers that exist."""
        numbers = (
            number for verdict in answer.verdicts for number in (*verdict.passages, *verdict.undecided)
        )
        return check_one_verdict_each(len(answer.verdicts), len(self.claims), "claim") or check_in_range(
            numbers, len(self.passages)
        )
