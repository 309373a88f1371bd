"""Cut a sentence into its clauses: each says something that can be wrong alone.

A small encoder finds it hard to check a sentence that joins several facts; each of them alone is easier. A sentence is
cut at punctuation and at conjunctions, in the four languages that the judge reads. The cut is a rough one: a clause may
lack its subject, which was named before. Everything here is linear in the length of the sentence.
"""

import re
from collections.abc import Iterator

SHORTEST = 3
"""Fewest words of a clause; a shorter part belongs to the one before it."""
MOST = 8
"""Most clauses of a sentence; a sentence with more is a list or a table, and each clause costs a run of the encoder."""
_CONJUNCTIONS = (
    "and|but|while|whereas|und|aber|während|et|mais|tandis que|alors que|y|pero|mientras que|mientras"
)
_AFTER_A_MARK = (
    rf"(?:(?:{_CONJUNCTIONS}|or|yet|so|although|though|which|who|oder|sowie|ou|qui|e|o|sino|que)\s++)?"
)
_BOUNDARY = re.compile(
    rf"(?:[,;:]|(?<!\s)\s++[\u2013\u2014-])\s++{_AFTER_A_MARK}|(?<!\s)\s++(?:{_CONJUNCTIONS})\s++"
)
"""Possessive quantifiers, tried only at the start of a run of blanks: linear even for a text of blanks only."""
_CONDITION = (
    "if|unless|when|whenever|whoever|anyone|where|wherever|until|before|after|once|because|since|as|provided|that|than|"
    "only|without|except|"
    "wenn|falls|wer|sobald|bis|bevor|nachdem|weil|da|dass|als|ohne|außer|nur|"
    "si|quand|lorsque|dès|avant|après|parce|puisque|sauf|sans|"
    "cuando|hasta|antes|después|porque|salvo|sin|solo"
)
_DENIAL = "not|nicht|non|pas|no"
_PREPOSITIONS = (
    "in|on|at|for|from|to|by|of|with|within|during|over|under|according|up|out|among|between|instead|besides|despite|"
    "im|auf|bei|beim|für|von|vom|zu|zum|zur|mit|laut|seit|nach|vor|trotz|statt|"
    "dans|en|au|aux|à|pour|de|du|des|depuis|selon|avec|pendant|malgré|sur|par|"
    "al|para|por|desde|según|con|durante"
)


def _opens(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})\b", re.IGNORECASE)


_CONDITIONAL = _opens(_CONDITION)
"""A condition for the other part: neither part can be judged alone."""
_DEPENDENT = _opens(f"{_CONDITION}|{_DENIAL}")
"""A part that means nothing without the one before it."""
_INTRODUCTORY = _opens(_PREPOSITIONS)
"""A part that may only say where or when the next one holds."""


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence, each as a sentence of its own; the sentence alone where it has only one.

    A sentence that begins with a condition is not cut, nor one of more than `MOST` clauses.
    """
    if _CONDITIONAL.match(sentence):
        return [sentence]
    parts = list(_merged(_parts(sentence)))
    if not 1 < len(parts) <= MOST:
        return [sentence]
    return [part[0].upper() + part[1:] + "." for part in parts]


def _parts(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the text between two boundaries, with the boundary before it."""
    before, at = "", 0
    for found in _BOUNDARY.finditer(sentence):
        yield before, sentence[at : found.start()]
        before, at = found[0], found.end()
    yield before, sentence[at:].rstrip(" .!")


def _merged(parts: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Yield the parts, each together with those after it that are not clauses of their own."""
    _, first = next(parts)
    merged, words = [first], len(first.split())
    introduces = _INTRODUCTORY.match(first)
    for before, part in parts:
        added = len(part.split())
        if introduces or min(words, added) < SHORTEST or _DEPENDENT.match(part):
            merged += (before, part)
            words, introduces = words + added, None
        else:
            yield "".join(merged)
            merged, words = [part], added
    yield "".join(merged)
