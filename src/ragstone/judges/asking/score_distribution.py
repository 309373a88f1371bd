"""The expected score over a model's token probabilities (G-Eval, arXiv:2303.16634, section 2: scoring function).

    distribution(s) = probability that the number at the score's position is s

Only whole numbers inside the range count. A number may be one token ("10") or several ("1", "0"): where the model wrote
a number of two tokens, what could have followed its first digit shares out that digit's probability.
"""

import re
from collections.abc import Iterator, Sequence
from math import exp

from ragstone.providers.base import Token

_SCORE = re.compile(r'"score"\s*:\s*"?(\d+)')
_DIGITS = re.compile(r"\d+")


def distribution(text: str, tokens: Sequence[Token], low: int, high: int) -> dict[int, float] | None:
    """Return the probability of each score from `low` to `high`, or None where the tokens do not tell it.

    Args:
        text: the answer as JSON text.
        tokens: the same text, token by token, with alternatives.
        low: lowest score, not negative.
        high: highest score.

    Returns:
        Probabilities that sum to 1.
    """
    matches = list(_SCORE.finditer(text))
    if not matches or low < 0:
        return None
    index, lead = _token_at(tokens, matches[-1].start(1))
    if index is None:
        return None
    masses: dict[int, float] = {}
    for number, mass in _numbers(tokens, index, lead):
        if low <= number <= high:
            masses[number] = masses.get(number, 0.0) + mass
    total = sum(masses.values())
    return {number: masses[number] / total for number in sorted(masses)} if total > 0 else None


def expectation(probabilities: dict[int, float]) -> float:
    """Return the mean of a distribution."""
    return sum(score * mass for score, mass in probabilities.items())


def _token_at(tokens: Sequence[Token], offset: int) -> tuple[int | None, str]:
    """Return the index of the token that holds the character at `offset`, and its text before that character."""
    position = 0
    for index, token in enumerate(tokens):
        if position <= offset < position + len(token.text):
            return index, token.text[: offset - position]
        position += len(token.text)
    return None, ""


def _numbers(tokens: Sequence[Token], index: int, lead: str) -> Iterator[tuple[int, float]]:
    written = tokens[index].text[len(lead) :]
    for text, logprob in _alternatives(tokens[index]):
        digits = _leading_digits(text, lead)
        if digits is None:
            continue
        if digits == written and index + 1 < len(
            tokens
        ):  # open at its end: the next token may go on with the number
            yield from _continued(digits, exp(logprob), tokens[index + 1])
        else:
            yield int(digits), exp(logprob)


def _continued(digits: str, mass: float, following: Token) -> Iterator[tuple[int, float]]:
    """Share out the mass of `digits` over what follows it: more digits, or the end of the number."""
    rest = mass
    for text, logprob in _alternatives(following):
        more = _DIGITS.match(text)
        if more:
            part = mass * exp(logprob)
            rest -= part
            yield int(digits + more[0]), part
    yield int(digits), max(rest, 0.0)


def _alternatives(token: Token) -> Iterator[tuple[str, float]]:
    yield from token.top or ((token.text, token.logprob),)


def _leading_digits(text: str, lead: str) -> str | None:
    """Return the digits with which a token goes on after `lead`, None where it is no number."""
    body = text[len(lead) :] if text.startswith(lead) else text.lstrip(' "')
    match = _DIGITS.match(body)
    return match[0] if match else None
