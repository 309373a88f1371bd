"""From which passages does each claim follow?"""

from dataclasses import dataclass

from pydantic.json_schema import SkipJsonSchema

from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.prompt import Prompt, check_in_range, check_one_verdict_each


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
    """Ask for the numbers of all passages that, taken alone, support each claim."""

    answer = ClaimLocations
    instruction = """\
Name for each claim all passages that support it: each, taken alone, states or directly implies the whole claim; \
paraphrase, fair rounding, arithmetic with its dates and an added word of mere style are no faults. A passage that \
contradicts a part of the claim, is silent on a part of it, or only reports or supposes it, does not support it. \
Where no passage supports it the list is empty."""
    one_per = "claims"
    noun = "claim"
    cites = "passages"

    passages: tuple[str, ...]
    claims: tuple[str, ...]

    def check(self, answer: ClaimLocations) -> str | None:
        """Demand one entry for each claim, and passage numbers that exist."""
        numbers = (
            number for verdict in answer.verdicts for number in (*verdict.passages, *verdict.undecided)
        )
        return check_one_verdict_each(len(answer.verdicts), len(self.claims), "claim") or check_in_range(
            numbers, len(self.passages)
        )
