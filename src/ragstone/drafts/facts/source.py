"""A passage as the rules read it: with its headings, its language, and the topic of its document."""

from dataclasses import dataclass

from ragstone.drafts.facts.topic import Topic
from ragstone.drafts.passage import DraftPassage


@dataclass(frozen=True, slots=True)
class FactSource:
    """A passage with what completes its questions.

    Attributes:
        index: its number in the corpus.
        passage: the passage.
        topic: the topic of its document, if it has one.
        language: its language.
    """

    index: int
    passage: DraftPassage
    topic: Topic | None
    language: str

    @property
    def text(self) -> str:
        """The text of the passage."""
        return self.passage.text

    @property
    def title(self) -> str:
        """The first heading; empty without any."""
        return self.passage.headings[0] if self.passage.headings else ""

    @property
    def place(self) -> str:
        """The nearest heading; empty without any."""
        return self.passage.headings[-1] if self.passage.headings else ""

    @property
    def own_topic(self) -> Topic | None:
        """The topic, if it is the document's own."""
        return self.topic if self.topic and self.topic.is_own else None

    def complete(self, question: str) -> str:
        """Return a question with the topic, if there is one."""
        return self.topic.complete(question, self.language) if self.topic else question
