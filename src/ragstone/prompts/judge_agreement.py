"""Does the output agree with each context?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeAgreement(Prompt[Decisions]):
    """Ask on each context whether the output agrees with it or contradicts it."""

    answer = Decisions
    instruction = """\
Decide for each passage, taken alone, whether the actual output contradicts it.
agrees: no; so too if they speak of different things, one says more, or a condition is left out.
contradicts: on the same point the output gives another number, date, name, negation, condition or relation.
The reason quotes the closest pair of words, or says "different subjects". Passage "Open until 6 pm.", output "Open \
until 8 pm; parking is free." -> contradicts."""
    labels = verdict_labels(yes="agrees", no="contradicts")
    one_per = "contexts"
    noun = "passage"

    contexts: tuple[str, ...] = field(metadata={"label": "passages"})
    actual_output: str
