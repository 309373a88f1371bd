"""A passage: a part of a document with its position. Questions are drafted from passages."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b


@dataclass(frozen=True, slots=True)
class DraftPassage:
    """A part of a document.

    Attributes:
        id: its id in the index under test; used in `relevant_ids`.
        document: the document, as a path relative to the folder, or the name that the user gave.
        text: its text, exactly as in the document.
        headings: the headings above it, the outermost first.
        start: its offset in the document, in characters.
    """

    id: str
    document: str
    text: str
    headings: tuple[str, ...] = ()
    start: int = 0

    @property
    def indexed(self) -> str:
        """The text to index: the headings, then the text."""
        return "\n".join((*self.headings, self.text))


def hash_corpus(passages: Iterable[DraftPassage]) -> str:
    """Return a hash of the passages in their order (ids, documents, headings and texts), 16 hexadecimal digits."""
    digest = blake2b(digest_size=8)
    for passage in passages:
        for part in (passage.id, passage.document, *passage.headings, passage.text):
            digest.update(part.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")
    return digest.hexdigest()
