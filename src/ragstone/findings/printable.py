"""Escape text under evaluation: every control or invisible character becomes a visible sign.

Control characters can control a terminal, direction overrides change the order in which text is read, lone surrogates
cannot be encoded, and XML forbids some of them. Each becomes a visible sign. Letters of every script, accents, emoji,
the two joiners that Persian and emoji need, and characters that only mark possible line breaks are unchanged.
"""

import re
from unicodedata import category

_CONTROL_PICTURES = 0x2400
_DELETE, _DELETE_PICTURE = 0x7F, "\N{SYMBOL FOR DELETE}"
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_BREAK_MARKS = "\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\N{WORD JOINER}\N{ZERO WIDTH NO-BREAK SPACE}"
_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_PLAIN_ASCII = re.compile(r"[ -~\n\t]*")
_NONCHARACTER_MASK = 0xFFFE
_SPECIAL_CHARACTERS = re.compile(r"([\\`*_\[\]<>&|~$])")
_INVISIBLE_BREAK = "\N{ZERO WIDTH SPACE}"


def printable(text: str) -> str:
    """Return `text` with every control, format and unwritable character as a visible sign; line ends and tabs stay."""
    if _PLAIN_ASCII.fullmatch(text):
        return text
    return "".join(map(_visible, text.replace("\r\n", "\n")))


def one_line(text: str, limit: int | None = None) -> str:
    """Return `text` printable and on one line, cut to `limit` characters with an ellipsis."""
    if limit is not None:
        text = text[: 8 * limit]  # the rest is not shown, and the text may be huge
    flat = printable(" ".join(text.split()))
    return flat if limit is None or len(flat) <= limit else f"{flat[: limit - 1].rstrip()}…"


def ending(text: str, limit: int) -> str:
    """Return the last `limit` characters of a text on one line: an error says what happened at its end."""
    flat = one_line(text[-8 * limit :])
    return flat if len(flat) <= limit else f"…{flat[len(flat) - limit + 1 :].lstrip()}"


def escape(text: str, limit: int | None = None) -> str:
    """Return a text on one line for Markdown, escaped so that it is displayed literally."""
    safe = _SPECIAL_CHARACTERS.sub(r"\\\1", one_line(text, limit))
    safe = safe.replace("://", r"\://").replace("www.", r"www\.")
    return re.sub(r"@|#(?=\w)", lambda match: match[0] + _INVISIBLE_BREAK, safe)


def _visible(character: str) -> str:
    code = ord(character)
    if character in "\n\t" or character in _JOINERS or character in _BREAK_MARKS:
        return character
    if code < ord(" "):
        return chr(_CONTROL_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    if category(character) in _INVISIBLE_CATEGORIES or code & _NONCHARACTER_MASK == _NONCHARACTER_MASK:
        return f"⟨U+{code:04X}⟩"
    return character
