"""Split a sentence into its clauses: each makes a claim that can be wrong on its own.

A small encoder checks one fact more reliably than a sentence that joins several. A sentence is split at punctuation
and at conjunctions, in the four languages that the judge reads. The split is approximate: a clause may lack its
subject, if an earlier clause names it. Everything here is linear in the length of the sentence.
"""

import re
from collections.abc import Iterator

MIN_CLAUSE_WORDS = 3
"""Minimum number of words in a clause; a shorter fragment is merged into the one before it."""
MAX_CLAUSES = 8
"""Maximum number of clauses; a sentence with more is a list or a table, and each clause costs a run of the encoder."""
_CONJUNCTIONS = (
    "and|but|while|whereas|und|aber|während|et|mais|tandis que|alors que|y|pero|mientras que|mientras"
)
_AFTER_PUNCTUATION = (
    rf"(?:(?:{_CONJUNCTIONS}|or|yet|so|although|though|which|who|oder|sowie|ou|qui|e|o|sino|que)\s++)?"
)
_BOUNDARY = re.compile(
    rf"(?:[,;:]|(?<!\s)\s++[\u2013\u2014-])\s++{_AFTER_PUNCTUATION}|(?<!\s)\s++(?:{_CONJUNCTIONS})\s++"
)
"""Quantifiers are possessive and tried only at the start of a run of blanks: linear even for a text of only blanks."""
_CONDITION_WORDS = (
    "if|unless|when|whenever|whoever|anyone|where|wherever|until|before|after|once|because|since|as|provided|that|than|"
    "only|without|except|"
    "wenn|falls|wer|sobald|bis|bevor|nachdem|weil|da|dass|als|ohne|außer|nur|"
    "si|quand|lorsque|dès|avant|après|parce|puisque|sauf|sans|"
    "cuando|hasta|antes|después|porque|salvo|sin|solo"
)
_NEGATION_WORDS = "not|nicht|non|pas|no"
_PREPOSITIONS = (
    "in|on|at|for|from|to|by|of|with|within|during|over|under|according|up|out|among|between|instead|besides|despite|"
    "im|auf|bei|beim|für|von|vom|zu|zum|zur|mit|laut|seit|nach|vor|trotz|statt|"
    "dans|en|au|aux|à|pour|de|du|des|depuis|selon|avec|pendant|malgré|sur|par|"
    "al|para|por|desde|según|con|durante"
)


def _prefix_pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})\b", re.IGNORECASE)


_CONDITIONAL = _prefix_pattern(_CONDITION_WORDS)
"""Start of a condition for another fragment: neither of the two can be judged alone."""
_DEPENDENT = _prefix_pattern(f"{_CONDITION_WORDS}|{_NEGATION_WORDS}")
"""Start of a fragment that has no meaning without the one before it."""
_INTRODUCTORY = _prefix_pattern(_PREPOSITIONS)
"""Start of a fragment that may only state where or when the next one holds."""


def split_clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence, each as a separate sentence; only the sentence itself if it has one clause.

    A sentence that begins with a condition is not split, nor is one of more than `MAX_CLAUSES` clauses.
    """
    if _CONDITIONAL.match(sentence):
        return [sentence]
    fragments = list(_merge_fragments(_split_at_boundaries(sentence)))
    if not 1 < len(fragments) <= MAX_CLAUSES:
        return [sentence]
    return [fragment[0].upper() + fragment[1:] + "." for fragment in fragments]


def _split_at_boundaries(sentence: str) -> Iterator[tuple[str, str]]:
    separator, start = "", 0
    for match in _BOUNDARY.finditer(sentence):
        yield separator, sentence[start : match.start()]
        separator, start = match[0], match.end()
    yield separator, sentence[start:].rstrip(" .!")


def _merge_fragments(fragments: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Yield the clauses: each is a fragment, joined with those after it that are not separate clauses."""
    _, first = next(fragments)
    clause, clause_length = [first], len(first.split())
    introductory = _INTRODUCTORY.match(first)
    for separator, fragment in fragments:
        fragment_length = len(fragment.split())
        if (
            introductory
            or min(clause_length, fragment_length) < MIN_CLAUSE_WORDS
            or _DEPENDENT.match(fragment)
        ):
            clause += (separator, fragment)
            clause_length, introductory = clause_length + fragment_length, None
        else:
            yield "".join(clause)
            clause, clause_length = [fragment], fragment_length
    yield "".join(clause)
