r"""The fence around all evidence: a text under evaluation can neither close it nor pass for an instruction.

Every line of evidence begins with a bar, in lists with the item's number and a bar; no line of ours does::

    claims:
    1| Paris is the capital.
    2| It has two million inhabitants;
    2| most of them are asleep.

The lines of a text begin with its own bar even if it contains a forged fence, "2| …", JSON or orders. Characters that
could break out of a line, or hide in one (line separators, control characters, marks that turn the writing direction,
invisible tags, variation selectors and fillers, lone surrogates), are shown as an escape such as \u202e.
"""

import re

EvidenceText = str | tuple[str, ...]
"""One text, or a list of numbered items."""

_MAX_BASIC_CODE = 0xFFFF
_INVISIBLE = (
    r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891"
    r"\u08e2\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b\u200e-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u2800\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd"
    r"\U00013430-\U00013438\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that show nothing: controls (line breaks aside), formats, surrogates, variation selectors, fillers, and
code points that are ignored by default. A law holds this to the Unicode database."""

_EMOJI = r"#*0-9\u00a9\u00ae\u2030-\u3299\U0001f000-\U0001faff"
_JOINED_SCRIPTS = r"\u0600-\u0dff"
_HIDDEN_PATTERN = re.compile(
    rf"[{_INVISIBLE}]|(?<![{_EMOJI}])\ufe0f|(?<![{_JOINED_SCRIPTS}])\u200c|(?<![{_JOINED_SCRIPTS}{_EMOJI}\ufe0f])\u200d"
)
"""What is escaped. The emoji selector and the two joiners stay where emoji and joined scripts need them: once each."""


def fence(label: str, evidence: EvidenceText) -> str:
    """Return `evidence` under our own `label`, every line of it behind a bar."""
    if isinstance(evidence, str):
        return f"{label}:\n{_prefixed(evidence, '|')}"
    items = [_prefixed(item, f"{number}|") for number, item in enumerate(evidence, 1)]
    return "\n".join([f"{label}:", *(items or ["(none)"])])


def _prefixed(text: str, bar: str) -> str:
    # One line: no line break is printable; and nothing hidden in it.
    if text.isascii() and text.isprintable():
        return f"{bar} {text}"
    return "\n".join([f"{bar} {line}" for line in _HIDDEN_PATTERN.sub(_escape, text).splitlines() or [""]])


def _escape(match: re.Match[str]) -> str:
    if match[0] in "\x1c\x1d\x1e":  # str.splitlines breaks lines there
        return "\n"
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= _MAX_BASIC_CODE else f"\\U{code:08x}"
