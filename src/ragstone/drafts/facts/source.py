"""A passage as the rules read it: with its headings, its language, and the topic of its document."""

from dataclasses import dataclass

from ragstone.drafts.facts.topic import Topic
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.words import content_set

_MOST_WORDS = 3
"""Most words of a name that goes before the search words of each page, and of a question that needs a topic."""


@dataclass(frozen=True, slots=True)
class FactSource:
    """A passage with what completes its questions.

    Attributes:
        index: its number in the corpus.
        passage: the passage.
        topic: the topic of its document, if it has one.
        language: its language.
        title: the title of its document; empty without one.
        is_form: whether more than two documents have a section of this name.
        whole: whether it is all of its section.
        common: code words that many documents mention, so that no one of them defines them.
        ordinary: the words that the corpus has in small letters.
    """

    index: int
    passage: DraftPassage
    topic: Topic | None
    language: str
    title: str = ""
    is_form: bool = False
    whole: bool = True
    common: frozenset[str] = frozenset()
    ordinary: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The text of the passage."""
        return self.passage.text

    @property
    def depth(self) -> int:
        """Number of the headings below the title."""
        headings = self.passage.headings
        return len(headings) - (headings[:1] == (self.title,))

    @property
    def place(self) -> str:
        """The nearest heading below the title; empty without any."""
        return self.passage.headings[-1] if self.depth else ""

    @property
    def own_topic(self) -> Topic | None:
        """The topic, if it is the document's own."""
        return self.topic if self.topic and self.topic.is_own else None

    @property
    def is_part(self) -> bool:
        """Whether the document is a page of what the start page names, and has no topic that completes a question."""
        return bool(self.topic and (not self.topic.is_own or (self.topic.whole and not self.topic.lead)))

    def product_before(self, words: str) -> str:
        """Return what the start page names, to be typed before search words; empty if they say it, or without one."""
        topic = self.topic
        whole = topic.whole if topic and topic.is_own else topic
        if whole is None or len(whole.name.split()) > _MOST_WORDS:
            return ""
        return "" if content_set(whole.name) <= content_set(words) else whole.searched

    def complete(self, question: str) -> str:
        """Return a question with the topic, or with the start page's; unchanged if it stands alone."""
        topic = self.topic
        if topic and topic.whole and not topic.lead:
            topic = topic.whole
        alone = topic is None or (
            not topic.is_name and not topic.lead and len(content_set(question)) > _MOST_WORDS
        )
        return question if alone or topic is None else topic.complete(question, self.language)
