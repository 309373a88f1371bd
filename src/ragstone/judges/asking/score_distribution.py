"""Probabilities read from a model's token log-probabilities: of a score (G-Eval), and of each verdict.

    distribution(s) = probability that the number at the score's position is s
    probability(v)  = probability of the labels that stand for v, among the labels that the prompt offers

G-Eval: arXiv:2303.16634, section 2 (scoring function). Positions are looked up in the joined tokens, not in the
answer's text: servers strip code fences and blanks from the text, and tokens may end inside a character. Drafts come
before the answer, so the last match counts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import exp

from ragstone.providers.base import Token

_SCORE = re.compile(r'"score"\s*:\s*"?(\d+)')
_DIGITS = re.compile(r"\d+")


def distribution(tokens: Sequence[Token], low: int, high: int) -> dict[int, float] | None:
    """Return the probability of each score from `low` (not negative) to `high`; None if the tokens do not show it.

    Only whole numbers in the range count. A number may be one token ("10") or several ("1", "0"): after the first digit
    of a number, the alternatives of the next token share that digit's probability. The probabilities sum to 1.
    """
    matches = list(_SCORE.finditer("".join(token.text for token in tokens)))
    if not matches or low < 0:
        return None
    index, prefix = _token_at(tokens, matches[-1].start(1))
    if index is None:
        return None
    masses: dict[int, float] = {}
    for number, mass in _numbers_at(tokens, index, prefix):
        if low <= number <= high:
            masses[number] = masses.get(number, 0.0) + mass
    total = sum(masses.values())
    return {number: masses[number] / total for number in sorted(masses)} if total > 0 else None


def verdict_probabilities(
    tokens: Sequence[Token], labels: Mapping[str, str], value: str, count: int, name: str = "verdict"
) -> list[float | None]:
    """Return the probability of `value` for each of the last `count` verdicts in the tokens; None where it is unknown.

    `labels` are those that the prompt offers, each with the value it stands for; `name` is the property of a verdict.
    """
    pattern = rf'"{name}"\s*:\s*"'
    matches = list(re.finditer(pattern, "".join(token.text for token in tokens)))[-count:] if count else []
    if len(matches) < count:
        return [None] * count
    return [_label_probability(tokens, match.end(), labels, value) for match in matches]


def expectation(probabilities: dict[int, float]) -> float:
    """Return the mean of a distribution."""
    return sum(score * mass for score, mass in probabilities.items())


def _label_probability(
    tokens: Sequence[Token], offset: int, labels: Mapping[str, str], value: str
) -> float | None:
    index, prefix = _token_at(tokens, offset)
    if index is None:
        return None
    value_mass = total = 0.0
    for text, logprob in _alternatives(tokens[index]):
        start = text.removeprefix(prefix).lstrip(' "').partition('"')[0]
        matching = [label for label in labels if start and (label.startswith(start) or start == label)]
        if not matching:
            continue
        mass = exp(min(0.0, logprob))
        total += mass
        value_mass += mass * sum(labels[label] == value for label in matching) / len(matching)
    return value_mass / total if total > 0 else None


def _token_at(tokens: Sequence[Token], offset: int) -> tuple[int | None, str]:
    """Return the index of the token that holds the character at `offset`, and its text before that character."""
    position = 0
    for index, token in enumerate(tokens):
        if position <= offset < position + len(token.text):
            return index, token.text[: offset - position]
        position += len(token.text)
    return None, ""


def _numbers_at(tokens: Sequence[Token], index: int, prefix: str) -> Iterator[tuple[int, float]]:
    chosen = tokens[index].text[len(prefix) :]
    for text, logprob in _alternatives(tokens[index]):
        digits = _leading_digits(text, prefix)
        if digits is None:
            continue
        mass = exp(min(0.0, logprob))
        if digits == chosen and index + 1 < len(tokens):  # the next token may continue the number
            yield from _continuations(digits, mass, tokens[index + 1])
        else:
            yield int(digits), mass


def _continuations(digits: str, mass: float, following: Token) -> Iterator[tuple[int, float]]:
    """Split the mass of `digits` among the continuations: more digits, or the end of the number."""
    remaining = mass
    for text, logprob in _alternatives(following):
        match = _DIGITS.match(text)
        if match:
            part = mass * exp(min(0.0, logprob))
            remaining -= part
            yield int(digits + match[0]), part
    yield int(digits), max(remaining, 0.0)


def _alternatives(token: Token) -> Iterator[tuple[str, float]]:
    yield from token.top or ((token.text, token.logprob),)


def _leading_digits(text: str, prefix: str) -> str | None:
    """Return the digits with which a token continues after `lead`, None where it is not a number."""
    body = text[len(prefix) :] if text.startswith(prefix) else text.lstrip(' "')
    match = _DIGITS.match(body)
    return match[0] if match else None
