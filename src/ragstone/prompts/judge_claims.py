"""Does the evidence support each claim?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import UNRENDERED, Prompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeClaims(Prompt[Decisions]):
    """Ask for supported, contradicted or not_mentioned on each claim, and for the passage that decides.

    Attributes:
        evidence_texts: passages, or facts taken from passages, to judge by.
        claims: what is judged.
        source: the passages that facts were taken from, for a judge that reads them itself; not rendered.
        question: what a reference answers, if the evidence is one, for a judge that completes terse texts; not
            rendered.
    """

    answer = Decisions
    instruction = """\
Decide for each claim what the passages say of it; first name the passage that decides, null if none does.
supported: they state or directly imply all of it; paraphrase, fair rounding, arithmetic with their dates and an \
added word of mere style are no faults.
contradicted: on the same point they give another number, date, name, negation, condition or relation. Contradiction \
of one part outweighs silence on another.
not_mentioned: they are silent on it or on a part of it, only outside knowledge settles it, or it states as fact \
what they only report or suppose.
Titles and datelines are evidence; introductory phrases are no part of a claim; read a pronoun in the sense that \
fits.
"It opened in 1902 and may be the oldest." -> "It opened in 1903." contradicted, "It is the oldest." not_mentioned."""
    labels = verdict_labels(yes="supported", no="contradicted", idk="not_mentioned")
    one_per = "claims"
    noun = "claim"
    cites = "evidence_texts"

    evidence_texts: tuple[str, ...] = field(metadata={"label": "passages"})
    claims: tuple[str, ...]
    source: tuple[str, ...] = field(default=(), metadata=UNRENDERED)
    question: str = field(default="", metadata=UNRENDERED)
