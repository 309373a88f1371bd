"""Search words: what one types into a search box to find a section, a row of a table, or a line."""

import re

from ragstone.drafts.facts.words import CLAUSE, NO_TERM
from ragstone.drafts.text.words import content_words

_WORD = re.compile(r"[^\W_](?:[\w.'’&+-]*\w)?|&|-{1,2}\w[\w-]*|_\w+")
_UNUSUAL = re.compile(r"[^\w\s.,'’&+/\"“”„«»`°()-]")
_FRONT = re.compile(r"^(?:(?:the|an?|der|die|das|eine?|les?|la|une?|des)\s+|l['’])", re.IGNORECASE)
_LEAST, _MOST = 2, 8


def search_words(language: str, *parts: str) -> str | None:
    """Return the parts as search words: without markup and repeated words; None if they make no query.

    A query has two to eight words with a meaning, and no clause, no first or second person and no unusual sign.
    """
    words: list[str] = []
    for part in parts:
        plain = _FRONT.sub("", re.sub(r"(?<!\w)\(.*?\)", "", part).strip(), count=1)
        if CLAUSE.search(plain.replace("`", " ")) or _UNUSUAL.search(plain) or re.search(r"\w[(/]", plain):
            return None
        found = _WORD.findall(re.sub(r"[`()\"“”„«»/,]", " ", plain))
        words += found[1:] if words and found and words[-1].casefold() == found[0].casefold() else found
    text = " ".join(words)
    if not _LEAST <= len(set(content_words(text.replace("_", " ")))) <= _MOST:
        return None
    return text if language == "de" else text.lower()


def is_term(text: str, most_words: int = 4) -> bool:
    """Return whether a text can name a thing in search words: a few words that begin with no preposition."""
    plain = _FRONT.sub("", text.strip(), count=1)
    return (
        0 < len(content_words(plain)) <= most_words
        and len(plain.split()) <= 2 * most_words
        and re.search(r"[^\W\d_]{2}", plain) is not None
        and not (NO_TERM.match(plain) or CLAUSE.search(plain) or plain.endswith(("?", ":", ".", "!")))
    )
