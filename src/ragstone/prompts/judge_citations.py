"""Do the passages that a sentence cites support it, together and each?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import GIVEN, OPTIONAL, UNRENDERED, Prompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeCitedSentences(Prompt[Decisions]):
    """Ask for supported, unsupported or no_claim on each sentence, by the passages it cites together.

    Attributes:
        passages: all passages, numbered as they are cited.
        input: the question that the sentences answer; empty where there is none.
        sentences: what is judged, each with its markers behind it.
        cited: the numbers that each sentence cites, for a judge that reads no markers; not rendered.
    """

    answer = Decisions
    instruction = f"""\
The numbers in brackets behind a sentence name the passages it cites. Decide for each sentence by these passages \
alone, taken together; first name the cited passage that decides, null if none does. {GIVEN}
supported: they state or directly imply all that it claims; paraphrase, fair rounding, arithmetic and words of style \
are no faults; read a pronoun by the sentences before.
unsupported: a part of it is missing there or contradicted, only a passage that is not cited says it, or it cites \
none.
no_claim: it claims nothing that a source could show: a courtesy, question, offer, heading, transition, or that the \
passages do not say something."""
    labels = verdict_labels(yes="supported", no="unsupported", idk="no_claim")
    one_per = "sentences"
    columns = ("cited",)
    noun = "sentence"
    cites = "passages"

    passages: tuple[str, ...]
    input: str = field(default="", metadata=OPTIONAL)
    sentences: tuple[str, ...]
    cited: tuple[tuple[int, ...], ...] = field(default=(), metadata=UNRENDERED)


@dataclass(frozen=True, kw_only=True)
class JudgeCitations(Prompt[Decisions]):
    """Ask for sufficient, needed or useless on each citation, that is, on each pair of sentence and cited passage.

    Attributes:
        passages: all passages, numbered as they are cited.
        input: the question that the sentences answer; empty where there is none.
        citations: what is judged: the number of the passage, then the sentence with all its markers.
        sentences: the sentence of each citation without markers, for a judge that reads none; not rendered.
        cited: all numbers that this sentence cites, the judged one first; not rendered.
    """

    answer = Decisions
    instruction = f"""\
Each citation names a passage by its number, then quotes the sentence that cites it, with all its citations. Decide \
for each whether this passage is needed to support the sentence. {GIVEN}
sufficient: the passage, taken alone, states or directly implies all that it claims; paraphrase, fair rounding, \
arithmetic and words of style are no faults.
needed: alone it does not, but all cited passages together support the whole sentence, and without this one they \
would not.
useless: anything else: it is off the subject, contradicts the sentence, supports a part that others support too, or \
all cited passages together do not support the whole sentence."""
    labels = verdict_labels(yes="sufficient", no="useless", idk="needed")
    one_per = "citations"
    columns = ("sentences", "cited")
    noun = "citation"

    passages: tuple[str, ...]
    input: str = field(default="", metadata=OPTIONAL)
    citations: tuple[str, ...]
    sentences: tuple[str, ...] = field(default=(), metadata=UNRENDERED)
    cited: tuple[tuple[int, ...], ...] = field(default=(), metadata=UNRENDERED)
