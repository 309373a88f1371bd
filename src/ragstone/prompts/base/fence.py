r"""The one fence around all evidence: no text under evaluation can close it or pass for an instruction.

Every line of evidence begins with a bar, in lists with the item's number and a bar; no line of ours does::

    claims:
    1| Paris is the capital.
    2| It has two million inhabitants;
    2| most of them are asleep.

Whatever a text contains (a forged fence, "2| …", JSON, orders), its lines still begin with its own bar. What could
break out of a line, or hide in one (line separators, control characters, marks that turn the writing direction,
invisible tag characters, lone surrogates), is shown as an escape such as \u202e.
"""

import re
from collections.abc import Iterator

EvidenceText = str | tuple[str, ...]
"""One text, or a list of numbered items."""

_BASIC_PLANE = 0xFFFF
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def fence(label: str, evidence: EvidenceText) -> str:
    """Return `evidence` under our own `label`, every line of it behind a bar."""
    if isinstance(evidence, str):
        return "\n".join([f"{label}:", *_prefix_lines(evidence, "|")])
    lines = [line for number, item in enumerate(evidence, 1) for line in _prefix_lines(item, f"{number}|")]
    return "\n".join([f"{label}:", *(lines or ["(none)"])])


def _prefix_lines(text: str, bar: str) -> Iterator[str]:
    if text.isprintable():  # most texts: one line, since no line break is printable, and nothing hidden in it
        yield f"{bar} {text}"
        return
    for line in _escape_invisible(text).splitlines() or [""]:
        yield f"{bar} {line}"


def _escape_invisible(text: str) -> str:
    return _HIDDEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    if match[0] in "\x1c\x1d\x1e":  # str.splitlines breaks lines there
        return "\n"
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= _BASIC_PLANE else f"\\U{code:08x}"
