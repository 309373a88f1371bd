"""Which claims, statements, facts or entities do texts contain?"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import model_validator

from ragstone.prompts.base.answer import Answer, DropBlanks, Text, Texts
from ragstone.prompts.base.prompt import OPTIONAL, SPLIT, Prompt, check_in_range, with_values
from ragstone.prompts.base.schema import AnswerBounds, most_entries


class Claims(Answer):
    """Claims in the order of the text; none where it makes none."""

    claims: Texts


@dataclass(frozen=True, kw_only=True)
class ExtractClaims(Prompt[Claims]):
    """Ask for every factual claim of a text.

    Attributes:
        input: the question that the text answers, where it helps to make the claims self-contained.
        text: what makes the claims.
    """

    answer = Claims
    instruction = f"""\
List every factual claim the text makes, even if false, in its language. {SPLIT}\
From an input, take only what completes the text: "Yes." claims what was asked. A reported claim keeps source and \
hedge. Rules, instructions, "it is not stated" are claims; courtesies, headings, framing, questions, offers, \
referrals, taste, "I found nothing" not."""
    entries_of = "text"

    input: str = field(default="", metadata=OPTIONAL)
    text: str


class Statements(Answer):
    """Statements in the order of the text."""

    statements: Texts


@dataclass(frozen=True, kw_only=True)
class ExtractStatements(Prompt[Statements]):
    """Ask for a text's statements, whether or not they matter.

    Attributes:
        input: the question that the text answers, where it helps to make the statements self-contained.
        text: what consists of them.
    """

    answer = Statements
    instruction = f"""\
List the statements of the text, on the topic or off it, in its own language and order. {SPLIT}\
From an input, take only what completes the text. Advice, opinions and refusals are statements; headings, greetings, \
questions and offers of help are none."""
    entries_of = "text"

    input: str = field(default="", metadata=OPTIONAL)
    text: str


class Truth(Answer):
    """A fact, and the number of the passage that states it; a bare text is a fact of an unknown passage."""

    passage: int | None = None
    fact: Text

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, data: object) -> object:
        return {"fact": data} if isinstance(data, str) else data


class Truths(Answer):
    """Facts in the order of the passages."""

    truths: Annotated[tuple[Truth, ...], DropBlanks]

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts as texts."""
        return tuple(truth.fact for truth in self.truths)


@dataclass(frozen=True, kw_only=True)
class ExtractTruths(Prompt[Truths]):
    """Ask for the facts that passages state, at most `limit` of each passage."""

    answer = Truths
    instruction = f"""\
List {{which}} facts the passages state, each with its passage's number, in the passage's language. {SPLIT}\
Of two facts that contradict each other list both. A question with its answer is one fact."""
    cites = "passages"

    passages: tuple[str, ...]
    limit: int | None = None

    def task(self) -> str:
        """Say how many facts are wanted."""
        which = "all" if self.limit is None else f"for each passage the {self.limit} most important"
        return with_values(self.instruction, {"which": which})

    def bounds(self) -> AnswerBounds:
        """Bound the number of facts by the limit, or by the length of the passages."""
        limited = None if self.limit is None else self.limit * len(self.passages)
        most = most_entries(self.passages) if limited is None else limited
        return AnswerBounds(lists={"truths": (0, most)}, numbers=super().bounds().numbers)

    def check(self, answer: Truths) -> str | None:
        """Demand passage numbers that exist, and no more facts of a passage than were asked for."""
        counts = Counter(truth.passage for truth in answer.truths if truth.passage is not None)
        over = [number for number, count in counts.items() if self.limit is not None and count > self.limit]
        if over:
            return f"More than {self.limit} facts of passage {', '.join(map(str, sorted(over)))}."
        return check_in_range(counts, len(self.passages))


class Entities(Answer):
    """Entities in the order of the texts."""

    entities: Texts


@dataclass(frozen=True, kw_only=True)
class ExtractEntities(Prompt[Entities]):
    """Ask for the people, places, organisations, works, dates, amounts … that texts name."""

    answer = Entities
    instruction = """\
List the entities the texts name: people, places, organisations and their named departments, products, works, \
events, dates, amounts. An amount is a number with its unit: money, size, percentage, length of time; give it alone \
("8 weeks", not "a further 8 weeks"). General terms are no entities. Each once, in its fullest form, as the texts \
spell it, without articles. "The Lyon office of Acme pays at least 5 % more after two years." -> "Lyon", "Acme", "5 \
%", "two years\""""
    entries_of = "texts"

    texts: tuple[str, ...]
