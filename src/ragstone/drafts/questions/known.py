"""Selection of facts to ask for: subject and attribute have one value in all documents, or titles distinguish them."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice

from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions.wording import ask_fact, is_one_word

FactKey = tuple[tuple[str, ...], tuple[str, ...]]

NAMED = frozenset({"attribute", "cell"})
"""Forms of facts whose attribute has a name."""

_LOCAL_NOUNS = frozenset(
    {
        "argument",
        "code",
        "column",
        "exit code",
        "field",
        "flag",
        "key",
        "option",
        "parameter",
        "property",
        "setting",
    }
)
"""Nouns of subjects that each document defines for itself; no question compares them across documents."""

_MAX_PARTNERS, _MAX_READ_FACTS = 3, 60
"""Most second facts to pair with each first fact, and most to look at."""

_MIN_QUESTION_WORDS = 3
"""Minimum number of content words of a heading's question that is understood without the title."""

_DESCRIPTION_FORMS = frozenset({"action", "definition"})
"""Forms whose values are descriptions; two different descriptions may have the same meaning."""


class KnownFacts:
    """The facts of a corpus, with what they say of each subject and attribute.

    Attributes:
        facts: the facts in order.
        languages: the language of each passage.
    """

    def __init__(
        self, corpus: Sequence[DraftPassage], languages: Sequence[str], facts: Sequence[Fact]
    ) -> None:
        """Group the values by subject and attribute."""
        self.facts, self.languages, self._corpus = facts, languages, corpus
        self._values: defaultdict[FactKey, set[str]] = defaultdict(set)
        self._titles: defaultdict[FactKey, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for fact in facts:
            self._values[key_of_fact(fact)].add(fact.value.casefold())
            self._titles[key_of_fact(fact)][self.title(fact)].add(fact.value.casefold())

    def language(self, fact: Fact) -> str:
        """Return the language of the passage of a fact."""
        return self.languages[fact.passage]

    def is_single(self, fact: Fact) -> bool:
        """Return whether the subject and attribute of a fact have no other value."""
        return len(self._values[key_of_fact(fact)]) == 1

    @staticmethod
    def is_local(fact: Fact) -> bool:
        """Return whether the subject is one of many in its document, such as an option."""
        return fact.noun in _LOCAL_NOUNS

    def title(self, fact: Fact) -> str:
        """Return the title of the document of a fact without its number; empty where it has none."""
        headings = self._corpus[fact.passage].headings
        return re.sub(r"^\d+[.)]\s+", "", headings[0]).strip("`") if headings else ""

    def scope(self, fact: Fact) -> str | None:
        """Return the title that a question on a fact has to name; empty if none is needed, None if none suffices."""
        title = self.title(fact)
        if not self.is_single(fact):
            titles = self._titles[key_of_fact(fact)]
            distinct = len(titles) > 1 and len(titles[title]) == 1 and fact.form not in _DESCRIPTION_FORMS
            return title or None if distinct else None
        return title if self._needs_title(fact) and title.casefold() not in fact.subject.casefold() else ""

    def _needs_title(self, fact: Fact) -> bool:
        """Return whether a subject says little outside of its document."""
        match fact.form:
            case "cell" | "verb_cell":
                return bool(fact.noun) and is_one_word(fact.subject)
            case "asked":
                return len(set(fact.subject_key)) < _MIN_QUESTION_WORDS
            case "definition":
                return not re.match(r"[A-ZÀ-Þ](?!n? )", fact.subject)  # a name
            case _:
                return False

    def question(self, fact: Fact) -> str | None:
        """Return the question that a fact answers; None if it cannot be asked unambiguously."""
        scope = self.scope(fact)
        return None if scope is None else ask_fact(fact, self.language(fact), scope)


def key_of_fact(fact: Fact) -> FactKey:
    """Return subject and attribute as stems: equal for two facts that answer one question."""
    return fact.subject_key, fact.attribute_key


def name_parts(subject: str) -> frozenset[str]:
    """Return the parts of a name: of `page_size`, `page` and `size`."""
    return frozenset(re.findall(r"[^\W_]+", subject.casefold()))


def partners(
    facts: Sequence[Fact], group_of: Callable[[Fact], Hashable], fits: Callable[[Fact, Fact], bool]
) -> Iterator[tuple[Fact, Fact]]:
    """Yield pairs of facts of one group that fit; their number is linear in the facts.

    Args:
        facts: the facts.
        group_of: facts of which this is equal are paired.
        fits: whether a first fact goes with a second one.
    """
    groups: defaultdict[Hashable, list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[group_of(fact)].append(fact)
    for group in groups.values():
        for number, first in enumerate(group):
            others = (
                second for second in group[number + 1 : number + 1 + _MAX_READ_FACTS] if fits(first, second)
            )
            for second in islice(others, _MAX_PARTNERS):
                yield first, second
