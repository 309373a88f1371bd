"""Texts cut into word pieces, as BERT's uncased tokenizer cuts them (Devlin et al., arXiv:1810.04805, section 3).

Letters are folded to lower case without accents; words and punctuation are cut apart; each word is then cut into the
longest pieces of the vocabulary, from the left.
"""

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

UNKNOWN = "[UNK]"
_LONGEST_WORD = 100
"""Letters beyond which a word is unknown."""
_CJK = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPieces:
    """A vocabulary of word pieces."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """Keep a vocabulary whose pieces are numbered by their order."""
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._longest = max(map(len, vocabulary))
        self._of_word = lru_cache(maxsize=65_536)(self._pieces)

    def number(self, piece: str) -> int:
        """Return the number of a piece.

        Raises:
            KeyError: the vocabulary does not have it.
        """
        return self._ids[piece]

    def ids(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a text, in order."""
        return [number for word in _words(text) for number in self._of_word(word)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        unknown = (self._ids[UNKNOWN],)
        if len(word) > _LONGEST_WORD:
            return unknown
        found: list[int] = []
        start = 0
        while start < len(word):
            end, number = self._longest_piece(word, start)
            if number is None:
                return unknown
            found.append(number)
            start = end
        return tuple(found)

    def _longest_piece(self, word: str, start: int) -> tuple[int, int | None]:
        head = "##" if start else ""
        for end in range(min(len(word), start + self._longest), start, -1):
            number = self._ids.get(head + word[start:end])
            if number is not None:
                return end, number
        return start, None


class _Replacements(dict[int, str]):
    """What `str.translate` puts in place of each character, found the first time that one comes up."""

    def __init__(self, replace: Callable[[str], str]) -> None:
        super().__init__()
        self._replace = replace

    def __missing__(self, code: int) -> str:
        self[code] = found = self._replace(chr(code))
        return found


def _clean(char: str) -> str:
    """Return a character, a blank instead of white space, nothing instead of a control character."""
    if (unicodedata.category(char).startswith("C") and char not in "\t\n\r") or char == "\ufffd":
        return ""
    if char.isspace():
        return " "
    return f" {char} " if _is_cjk(ord(char)) else char


def _apart(char: str) -> str:
    """Return a character in lower case, with blanks around it where it is punctuation; nothing instead of an accent.

    Each is lowered by itself, as the tokenizer does: `str.lower` gives the last capital sigma of a word its final form.
    """
    if unicodedata.category(char) == "Mn":
        return ""
    return f" {char} " if _is_punctuation(char) else char.lower()


def _is_punctuation(char: str) -> bool:
    ascii_sign = char.isascii() and char.isprintable() and not char.isalnum() and char != " "
    return ascii_sign or unicodedata.category(char).startswith("P")


def _is_cjk(code: int) -> bool:
    return any(first <= code <= last for first, last in _CJK)


_CLEANED, _APART = _Replacements(_clean), _Replacements(_apart)


def _words(text: str) -> list[str]:
    """Return words and single signs of punctuation, lower case and without accents."""
    decomposed = unicodedata.normalize("NFD", text.translate(_CLEANED))
    return decomposed.translate(_APART).split()
