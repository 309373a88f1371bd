"""A passage: a piece of a document, with the place it comes from. What a question is drafted from."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b


@dataclass(frozen=True, slots=True)
class DraftPassage:
    """A piece of a document.

    Attributes:
        id: how the index under test calls it; `relevant_ids` are made of these.
        document: the document it comes from, as a path relative to the folder, or the user's own name.
        text: its text, exactly as it stands in the document.
        headings: the headings above it, the outermost first.
        start: where it begins in the document, in characters.
    """

    id: str
    document: str
    text: str
    headings: tuple[str, ...] = ()
    start: int = 0

    @property
    def indexed(self) -> str:
        """The text that is searched: the headings, then the text."""
        return "\n".join((*self.headings, self.text))


def hash_corpus(passages: Iterable[DraftPassage]) -> str:
    """Return 16 hexadecimal digits for the passages in their order: ids, documents and texts."""
    digest = blake2b(digest_size=8)
    for passage in passages:
        for part in (passage.id, passage.document, *passage.headings, passage.text):
            digest.update(part.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")
    return digest.hexdigest()
