"""Decisions of people on other answers, and the rules they follow, as a prompt shows them to a language model.

Examples precede the evidence, so that the prompts of a run share them as a prefix. Their texts are fenced like all
evidence. The decisions and the rules are lines of our own: rules are cut to one line each, and begin with a dash.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ragstone.prompts.base.fence import EvidenceText, fence

PeopleDecision = Literal["pass", "fail"]

LONGEST_RULE = 300
"""Most characters of a rule."""

_EXAMPLES_INTRO = """\
People have decided on the {n} answers below. Judge what follows as strictly and as leniently as they did; take no \
facts from these examples."""
_RULES_INTRO = "People decide by these rules:"


@dataclass(frozen=True, slots=True)
class DecidedExample:
    """An answer on which a person decided.

    Attributes:
        case_id: of the test case.
        texts: label and text, or texts, of what the person saw.
        decision: what the person decided.
        note: why, in the person's words; empty where nothing was said.
    """

    case_id: str
    texts: tuple[tuple[str, EvidenceText], ...]
    decision: PeopleDecision
    note: str = ""

    def blocks(self, number: int) -> Iterator[str]:
        """Yield the example as parts of a prompt."""
        for label, text in self.texts:
            yield fence(f"example {number}, {label}", text)
        if self.note:
            yield fence(f"example {number}, why", self.note)
        yield f"example {number} was decided by people: {self.decision}."


@dataclass(frozen=True, slots=True)
class Guidance:
    """What is shown to a judge beside the evidence.

    Attributes:
        examples: answers on which people decided.
        rules: by which people decide, one line each.
    """

    examples: tuple[DecidedExample, ...] = ()
    rules: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.examples or self.rules)

    def blocks(self) -> Iterator[str]:
        """Yield the parts of a prompt that precede the evidence."""
        if self.examples:
            yield _EXAMPLES_INTRO.format(n=len(self.examples))
            for number, example in enumerate(self.examples, 1):
                yield from example.blocks(number)
        if self.rules:
            yield "\n".join([_RULES_INTRO, *(f"- {_one_line(rule)}" for rule in self.rules)])


PLAIN_GUIDANCE = Guidance()
"""Nothing to show."""


def _one_line(rule: str) -> str:
    """Return a rule as one line without hidden characters."""
    shown = fence("", " ".join(rule.split())).partition("| ")[2]
    return " ".join(shown.split())[:LONGEST_RULE]
