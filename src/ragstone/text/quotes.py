"""A quote found in the text that it was taken from, although blanks, quotation marks, dashes or Markdown differ."""

import re
from functools import lru_cache

Span = tuple[int, int]
"""Start and end in a text; the end is exclusive."""

_ELLIPSIS = re.compile(r"\s*(?:\.{3,}|…|\[(?:\.{3}|…)\])\s*")
_OUTER_MARKS = " \t\r\n\"'`“”„‚‘’«»‹›"
_MARKDOWN = r"[*_`~|#]*"
_ALIKE = tuple(f"[{marks}]" for marks in ('"“”„«»‟″', "'‘’‚`´′‹›", "\\-‐‑‒–—−"))
_MAX_LENGTH = 4_000


@lru_cache(maxsize=256)
def find_quote(quote: str, text: str) -> Span | None:
    """Return the span of `text` that a quote names, or None if the text does not have these words.

    The words must be those of the text, in its order. Case, blanks, kinds of quotation marks and dashes, and Markdown
    between words may differ; an ellipsis stands for words that were left out.
    """
    words = quote.strip()
    start = text.find(words) if words else -1
    if start >= 0:
        return start, start + len(words)
    parts = [part for part in _ELLIPSIS.split(words.strip(_OUTER_MARKS)) if part.strip(_OUTER_MARKS)]
    if not parts or len(words) > _MAX_LENGTH:
        return None
    spans: list[Span] = []
    for part in parts:
        match = re.compile(_pattern(part), re.IGNORECASE).search(text, spans[-1][1] if spans else 0)
        if match is None:
            return None
        spans.append(match.span())
    return spans[0][0], spans[-1][1]


def _pattern(words: str) -> str:
    """Return a pattern of the words, each character matched by all that look like it."""
    gap = rf"{_MARKDOWN}\s+(?:[-+>•]\s+)?{_MARKDOWN}"
    return gap.join(_MARKDOWN.join(map(_character_pattern, _pieces(word))) for word in words.split())


def _pieces(word: str) -> list[str]:
    """Return the runs of letters and digits in a word, and its other characters but Markdown, each by itself."""
    return [piece for piece in re.findall(r"\w+|[^\w\s]", word.replace("_", "")) if piece not in "*`~|#"]


def _character_pattern(piece: str) -> str:
    return next((alike for alike in _ALIKE if re.fullmatch(alike, piece)), re.escape(piece))
