"""The baseline that any judge must beat: the share of the claim's words that occur in the context."""

import re

_WORD = re.compile(r"\w+")
_STOP_WORDS = """
a an the this that these those and or but if then than as at by for from in into of off on onto out over to up
with i me my we us our you your he him his she her it its they them their who whom which what when where why
how is are was were be been being am do does did have has had will would shall should can could may might must
not no nor so too very just also there here s t d m re ve ll
"""
_STOP = frozenset(_STOP_WORDS.split())


def overlap(text: str, context: str) -> float:
    """Return the share of a text's distinct content words that occur in the context, without stemming or weights."""
    words = {word for word in _WORD.findall(text.lower()) if word not in _STOP}
    return len(words & set(_WORD.findall(context.lower()))) / len(words) if words else 0.0
