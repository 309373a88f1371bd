"""From which passages does each claim follow?"""

from dataclasses import dataclass

from ragstone.prompts._answer import Answer
from ragstone.prompts._base import Prompt, in_range, one_each


class Location(Answer):
    """The passages from which one claim follows; none where it follows from none."""

    reason: str | None = None
    passages: tuple[int, ...]


class Locations(Answer):
    """One entry for each numbered claim, in order."""

    verdicts: tuple[Location, ...]


@dataclass(frozen=True, kw_only=True)
class LocateClaims(Prompt[Locations]):
    """Ask for the numbers of all passages that, taken alone, support each claim."""

    answer = Locations
    instruction = """\
Name for each claim all passages that support it: each, taken alone, states or directly implies the whole claim; \
paraphrase and fair rounding count. A passage that contradicts the claim, or is silent on a part of it, does not \
support it. No passage supports it: an empty list."""

    passages: tuple[str, ...]
    claims: tuple[str, ...]

    def check(self, answer: Locations) -> str | None:
        """Demand one entry for each claim, and passage numbers that exist."""
        numbers = (number for verdict in answer.verdicts for number in verdict.passages)
        return one_each(len(answer.verdicts), len(self.claims), "claim") or in_range(
            numbers, len(self.passages)
        )
