"""Escape text under evaluation: every control or invisible character becomes a visible sign.

Control characters can control a terminal, direction overrides change the order in which text is read, lone surrogates
cannot be encoded, and XML forbids some of them. Each becomes a visible sign. Letters of every script, accents, emoji,
the two joiners that Persian and emoji need, and characters that only mark possible line breaks are unchanged.
"""

import re
from unicodedata import category

_PICTURES = 0x2400
_DELETE, _PICTURE_OF_DELETE = 0x7F, "\N{SYMBOL FOR DELETE}"
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_BREAKS = "\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\N{WORD JOINER}\N{ZERO WIDTH NO-BREAK SPACE}"
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_PLAIN = re.compile(r"[ -~\n\t]*")
_NONCHARACTER = 0xFFFE


def printable(text: str) -> str:
    """Return `text` with every control, format and unwritable character as a visible sign; line ends and tabs stay."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_sign, text.replace("\r\n", "\n")))


def one_line(text: str, limit: int | None = None) -> str:
    """Return `text` printable and on one line, cut to `limit` characters with an ellipsis."""
    if limit is not None:
        text = text[: 8 * limit]  # the rest is not shown, and the text may be huge
    flat = printable(" ".join(text.split()))
    return flat if limit is None or len(flat) <= limit else f"{flat[: limit - 1].rstrip()}…"


def _sign(character: str) -> str:
    code = ord(character)
    if character in "\n\t" or character in _JOINERS or character in _BREAKS:
        return character
    if code < ord(" "):
        return chr(_PICTURES + code)
    if code == _DELETE:
        return _PICTURE_OF_DELETE
    if category(character) in _INVISIBLE or code & _NONCHARACTER == _NONCHARACTER:
        return f"⟨U+{code:04X}⟩"
    return character
