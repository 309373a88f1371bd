"""A conversation as one text: each turn on a line of its own, after its role."""

from collections.abc import Iterable

_USER, _ASSISTANT = "user: ", "assistant: "


def transcript(turns: Iterable[object]) -> str:
    """Return turns, whose text begins with their role, as one text."""
    return "\n".join(map(str, turns))


def last_message(text: str) -> str:
    """Return what the user said last in a transcript; any other text as it is."""
    if not text.startswith((_USER, _ASSISTANT)):
        return text
    return f"\n{text}".rpartition(f"\n{_USER}")[2] or text
