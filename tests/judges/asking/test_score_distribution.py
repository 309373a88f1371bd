from math import log

import pytest

from ragstone.judges.asking.score_distribution import distribution, expectation
from ragstone.providers import Token


def token(text: str, **top: float) -> Token:
    """A token with alternatives; their names' leading underscore stands for none."""
    return Token(text, 0.0, tuple((name.removeprefix("_"), log(p)) for name, p in top.items()))


def answer(*score: Token, after: str = "}") -> tuple[str, list[Token]]:
    tokens = [Token('{"reason":"r 7","score":', 0.0), *score, Token(after, 0.0)]
    return "".join(item.text for item in tokens), tokens


def test_expected_score_over_single_tokens() -> None:
    text, tokens = answer(token("8", _8=0.6, _7=0.3, _9=0.1))
    masses = distribution(text, tokens, 0, 10)
    assert masses == pytest.approx({7: 0.3, 8: 0.6, 9: 0.1})
    assert expectation(masses or {}) == pytest.approx(7.8)


def test_scores_outside_the_range_do_not_count() -> None:
    text, tokens = answer(token("8", _8=0.6, _100=0.3))
    assert distribution(text, tokens, 0, 10) == pytest.approx({8: 1.0})


def test_words_and_punctuation_do_not_count() -> None:
    text, tokens = answer(token("8", _8=0.5, _eight=0.2, **{"_ ": 0.1, '_"': 0.1}))
    assert distribution(text, tokens, 0, 10) == pytest.approx({8: 1.0})


def test_ten_as_one_token() -> None:
    text, tokens = answer(token("10", _10=0.5, _9=0.5))
    assert distribution(text, tokens, 0, 10) == pytest.approx({9: 0.5, 10: 0.5})


def test_ten_as_two_tokens_shares_out_the_mass_of_its_first_digit() -> None:
    text, tokens = answer(token("1", _1=0.8, _9=0.2), token("0", _0=0.75, **{"_}": 0.25}))
    assert distribution(text, tokens, 0, 10) == pytest.approx({1: 0.2, 9: 0.2, 10: 0.6})


def test_a_written_one_that_ends_there() -> None:
    text, tokens = answer(token("1", _1=0.8, _2=0.2), after="}")
    assert distribution(text, tokens, 0, 10) == pytest.approx({1: 0.8, 2: 0.2})


def test_a_blank_belongs_to_the_token() -> None:
    tokens = [Token('{"reason":"r","score":', 0.0), token(" 8", **{"_ 8": 0.5, "_ 6": 0.5}), Token("}", 0.0)]
    text = "".join(item.text for item in tokens)
    assert distribution(text, tokens, 0, 10) == pytest.approx({6: 0.5, 8: 0.5})


def test_the_last_score_counts_not_one_inside_the_reason() -> None:
    tokens = [Token('{"reason":"gave \\"score\\": 3","score": ', 0.0), token("9", _9=1.0), Token("}", 0.0)]
    assert distribution("".join(item.text for item in tokens), tokens, 0, 10) == pytest.approx({9: 1.0})


@pytest.mark.parametrize(("low", "high"), [(-5, 5), (20, 30)])
def test_where_tokens_do_not_tell(low: int, high: int) -> None:
    text, tokens = answer(token("8", _8=1.0))
    assert distribution(text, tokens, low, high) is None
    assert distribution("{}", tokens, 0, 10) is None
