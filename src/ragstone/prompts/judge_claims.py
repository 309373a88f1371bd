"""Does the evidence support each claim?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import UNRENDERED, Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeClaims(Prompt[Decisions]):
    """Ask for yes (supported), no (contradicted) or idk (not mentioned) on each claim.

    Attributes:
        evidence_texts: facts or passages to judge by.
        claims: what is judged.
        source: the passages that the evidence was taken from, for a judge that reads them itself; not rendered.
    """

    answer = Decisions
    instruction = """\
Decide for each claim what the evidence says of it.
yes: it states or directly implies the whole claim; paraphrase and fair rounding count.
no: it contradicts any part of the claim: another number, date, name, negation, condition or relation.
idk: it is silent on the claim or on a part of it, or the claim is true only by outside knowledge."""

    evidence_texts: tuple[str, ...] = field(metadata={"label": "evidence"})
    claims: tuple[str, ...]
    source: tuple[str, ...] = field(default=(), metadata=UNRENDERED)

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each claim."""
        return check_one_verdict_each(len(answer.verdicts), len(self.claims), "claim")
