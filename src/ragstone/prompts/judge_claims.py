"""Does the evidence support each claim?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import GIVEN, OPTIONAL, UNRENDERED, Prompt
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
