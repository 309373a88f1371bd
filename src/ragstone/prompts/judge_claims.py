"""Does the evidence support each claim, and which of its passages do?"""

from dataclasses import dataclass, field

from pydantic.json_schema import SkipJsonSchema

from ragstone.prompts.base.answer import Answer, Decisions
from ragstone.prompts.base.prompt import (
    GIVEN,
    OPTIONAL,
    UNRENDERED,
    Prompt,
    check_each_item,
    check_in_range,
)
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeClaims(Prompt[Decisions]):
    """Ask for supported, contradicted or not_mentioned on each claim, and for the passage that decides.

    Attributes:
        evidence_texts: passages, facts taken from passages, or an answer to the input, to judge by.
        input: the question that the claims, or the evidence, answer; empty where there is none.
        claims: what is judged.
        source: the passages that facts were taken from, for a judge that reads them itself; not rendered.
        by_answer: whether the evidence is itself an answer to the input, such as a reference, for a judge that
            completes bare answers by rule; not rendered.
    """

    answer = Decisions
    instruction = f"""\
Decide for each claim, by itself, what the passages say of it; first name the passage that says most, or null.
supported: alone or together they state or directly imply all of it; paraphrase, other names and units, fair \
rounding, arithmetic and words of style are no faults; or it says that they are silent, and they are.
contradicted: on the same point they give another number, date, name, speaker, negation, condition or relation ("up \
to", "at least"). Contradiction of one part outweighs silence on another.
not_mentioned: passage null; they are silent on a part of it, only outside knowledge settles it, it drops or adds a \
hedge ("may"), or drops a condition or option that decides the answer.
{GIVEN} Titles are evidence, "the text says" is no part of a claim; read pronouns and cut words as they fit."""
    labels = verdict_labels(yes="supported", no="contradicted", idk="not_mentioned")
    one_per = "claims"
    noun = "claim"
    cites = "evidence_texts"

    evidence_texts: tuple[str, ...] = field(metadata={"label": "passages"})
    input: str = field(default="", metadata=OPTIONAL)
    claims: tuple[str, ...]
    source: tuple[str, ...] = field(default=(), metadata=UNRENDERED)
    by_answer: bool = field(default=False, metadata=UNRENDERED)


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
        return check_each_item([None] * len(answer.verdicts), len(self.claims), "claim") or check_in_range(
            numbers, len(self.passages)
        )
