"""Edits that make a sentence false: another number, another name of its passage, a negation, an opposite."""

import random
from collections.abc import Callable

from ragstone.judges.local.matching.alignment import is_content_word
from ragstone.text.lexicon import is_negation
from ragstone.text.tokens import WordToken, tokens

_AUXILIARIES = frozenset(
    (
        "is",
        "are",
        "was",
        "were",
        "has",
        "had",
        "have",
        "will",
        "would",
        "can",
        "could",
        "may",
        "should",
        "does",
        "did",
    )
)
Edit = Callable[[str, list[WordToken], str, random.Random], str | None]


def number(text: str, sentence_tokens: list[WordToken], _: str, rng: random.Random) -> str | None:
    """Change one number by a small or large amount, and keep its format."""
    candidates = [token for token in sentence_tokens if token.word.replace(",", "").isdigit()]
    if not candidates:
        return None
    token = rng.choice(candidates)
    value = int(token.word.replace(",", ""))
    step = rng.choice([1, 2, 3, 10, max(1, value // 10), max(2, value // 2)])
    changed = value + step if rng.random() < 0.5 or value <= step else value - step
    return _replaced(text, token, f"{changed:,}" if "," in token.word else str(changed))


def name(text: str, sentence_tokens: list[WordToken], passage: str, rng: random.Random) -> str | None:
    """Replace a name by another name of the same passage.

    A name is a word that is capitalised inside sentences and never occurs in lower case.
    """
    passage_tokens = [token for sentence in tokens(passage) for token in sentence]
    lowercase_norms = {token.norm for token in passage_tokens if not token.is_capitalised}
    sentence_norms = {token.norm for token in sentence_tokens}
    names = [token for token in sentence_tokens if _is_name(token, lowercase_norms)]
    other_names = sorted(
        {
            token.word
            for token in passage_tokens
            if _is_name(token, lowercase_norms) and token.norm not in sentence_norms
        }
    )
    return _replaced(text, rng.choice(names), rng.choice(other_names)) if names and other_names else None


def _is_name(token: WordToken, lowercase_norms: set[str]) -> bool:
    return (
        token.is_capitalised
        and not token.starts_sentence
        and is_content_word(token)
        and not token.is_number
        and len(token.word) > len("Al")
        and "'" not in token.norm
        and token.norm not in lowercase_norms
    )


def negation(text: str, sentence_tokens: list[WordToken], _: str, rng: random.Random) -> str | None:
    """Add "not" after an auxiliary, or remove an existing one."""
    negations = [token for token in sentence_tokens if token.norm in {"not", "never"}]
    if negations:
        token = negations[0]
        return text[: token.start].rstrip() + text[token.end :]
    candidates = [
        token for token in sentence_tokens[1:] if token.norm in _AUXILIARIES and not is_negation(token.norm)
    ]
    if not candidates:
        return None
    token = rng.choice(candidates[:2])
    return f"{text[: token.end]} not{text[token.end :]}"


def opposite(text: str, sentence_tokens: list[WordToken], _: str, rng: random.Random) -> str | None:
    """Replace a word by its opposite."""
    candidates = [token for token in sentence_tokens if token.norm in _OPPOSITES and not token.is_capitalised]
    if not candidates:
        return None
    token = rng.choice(candidates)
    return _replaced(text, token, rng.choice(_OPPOSITES[token.norm]))


_OPPOSITE_PAIRS = """
before/after after/before more/less less/more increased/decreased decreased/increased rose/fell fell/rose
won/lost lost/won high/low low/high higher/lower lower/higher first/last early/late late/early old/new new/old
largest/smallest smallest/largest accepted/rejected rejected/accepted good/bad bad/good up/down down/up
open/closed closed/open north/south south/north east/west west/east male/female female/male many/few few/many
always/never never/always best/worst worst/best alive/dead dead/alive increase/decrease decrease/increase
husband/wife wife/husband son/daughter daughter/son father/mother mother/father brother/sister sister/brother
large/small small/large long/short short/long strong/weak weak/strong major/minor minor/major true/false
inside/outside above/below below/above private/public public/private possible/impossible easy/difficult
all/some most/few all/few support/oppose supported/opposed approved/rejected positive/negative
married/divorced
"""
_OPPOSITES = {word: [other] for word, _, other in (pair.partition("/") for pair in _OPPOSITE_PAIRS.split())}


def _replaced(text: str, token: WordToken, word: str) -> str:
    return text[: token.start] + word + text[token.end :]
