from math import log

import pytest
from tests.testing.for_each import for_each

from ragstone.judges.asking.score_distribution import distribution, expectation, verdict_probabilities
from ragstone.providers import Token


def token(text: str, **top: float) -> Token:
    """A token with alternatives; their names' leading underscore stands for none."""
    return Token(text, 0.0, tuple((name.removeprefix("_"), log(p)) for name, p in top.items()))


def answer(*score: Token, after: str = "}") -> list[Token]:
    return [Token('{"reason":"r 7","score":', 0.0), *score, Token(after, 0.0)]


def test_expected_score_over_single_tokens() -> None:
    tokens = answer(token("8", _8=0.6, _7=0.3, _9=0.1))
    masses = distribution(tokens, 0, 10)
    assert masses == pytest.approx({7: 0.3, 8: 0.6, 9: 0.1})
    assert expectation(masses or {}) == pytest.approx(7.8)


def test_scores_outside_the_range_do_not_count() -> None:
    tokens = answer(token("8", _8=0.6, _100=0.3))
    assert distribution(tokens, 0, 10) == pytest.approx({8: 1.0})


def test_words_and_punctuation_do_not_count() -> None:
    tokens = answer(token("8", _8=0.5, _eight=0.2, **{"_ ": 0.1, '_"': 0.1}))
    assert distribution(tokens, 0, 10) == pytest.approx({8: 1.0})


def test_ten_as_one_token() -> None:
    tokens = answer(token("10", _10=0.5, _9=0.5))
    assert distribution(tokens, 0, 10) == pytest.approx({9: 0.5, 10: 0.5})


def test_ten_as_two_tokens_shares_out_the_mass_of_its_first_digit() -> None:
    tokens = answer(token("1", _1=0.8, _9=0.2), token("0", _0=0.75, **{"_}": 0.25}))
    assert distribution(tokens, 0, 10) == pytest.approx({1: 0.2, 9: 0.2, 10: 0.6})


def test_one_followed_by_a_brace_is_not_ten() -> None:
    tokens = answer(token("1", _1=0.8, _2=0.2), after="}")
    assert distribution(tokens, 0, 10) == pytest.approx({1: 0.8, 2: 0.2})


def test_a_blank_belongs_to_the_token() -> None:
    tokens = [Token('{"reason":"r","score":', 0.0), token(" 8", **{"_ 8": 0.5, "_ 6": 0.5}), Token("}", 0.0)]
    assert distribution(tokens, 0, 10) == pytest.approx({6: 0.5, 8: 0.5})


def test_the_last_score_counts_not_one_inside_the_reason() -> None:
    tokens = [Token('{"reason":"gave \\"score\\": 3","score": ', 0.0), token("9", _9=1.0), Token("}", 0.0)]
    assert distribution(tokens, 0, 10) == pytest.approx({9: 1.0})


@for_each("low, high", [(-5, 5), (20, 30)])
def test_distribution_is_none_without_usable_score_tokens(low: int, high: int) -> None:
    tokens = answer(token("8", _8=1.0))
    assert distribution(tokens, low, high) is None
    assert distribution([Token("{}", 0.0)], 0, 10) is None


def test_a_code_fence_that_the_server_strips_from_the_text_is_still_in_the_tokens() -> None:
    tokens = [Token("```json\n", 0.0), *answer(token("7", _7=0.9, _6=0.1)), Token("\n```", 0.0)]
    assert distribution(tokens, 0, 10) == pytest.approx({6: 0.1, 7: 0.9})


@for_each("parts", [("\ufffd", "\ufffd"), ("\\xf0\\x9f", "\\x98\\x80"), ("", "")])
def test_multi_token_characters_do_not_shift_the_score_position(parts: tuple[str, str]) -> None:
    head = [Token('{"reason":"fine ', 0.0), *(Token(part, 0.0) for part in parts), Token('","score":', 0.0)]
    tokens = [*head, token("7", _7=0.9, _8=0.1), Token("}", 0.0)]
    masses = distribution(tokens, 0, 9)
    assert masses == pytest.approx({7: 0.9, 8: 0.1})


def test_probability_above_one_counts_as_one() -> None:
    tokens = answer(Token("8", 1000.0, (("8", 1000.0), ("7", log(0.5)))))
    assert distribution(tokens, 0, 10) == pytest.approx({7: 1 / 3, 8: 2 / 3})


LABELS = {"supported": "yes", "contradicted": "no", "not_mentioned": "idk"}


def verdicts(*tokens: Token) -> list[Token]:
    listed = [
        part
        for item in tokens
        for part in (Token('{"reason":"r","verdict": "', 0.0), item, Token('"},', 0.0))
    ]
    return [Token('{"verdicts":[', 0.0), *listed, Token("]}", 0.0)]


def test_the_probability_of_a_verdict_is_that_of_its_label() -> None:
    tokens = verdicts(
        token("supported", _supported=0.9, _contradicted=0.06, _not=0.03, _never=0.01),
        token("not", _not=0.6, _supp=0.3, _contr=0.1),
    )
    found = verdict_probabilities(tokens, LABELS, "yes", 2)
    assert found == pytest.approx([0.9 / 0.99, 0.3])
    assert verdict_probabilities(tokens, LABELS, "idk", 2) == pytest.approx([0.03 / 0.99, 0.6])


def test_a_draft_before_the_answer_does_not_count() -> None:
    draft = verdicts(token("supported", _supported=1.0))
    tokens = [*draft, *verdicts(token("contradicted", _contradicted=0.8, _supported=0.2))]
    assert verdict_probabilities(tokens, LABELS, "yes", 1) == pytest.approx([0.2])


def test_missing_verdict_tokens_give_no_probability() -> None:
    assert verdict_probabilities(verdicts(token("supported")), LABELS, "yes", 2) == [None, None]
    assert verdict_probabilities([], LABELS, "yes", 0) == []


def test_probability_is_shared_by_labels_with_a_common_prefix() -> None:
    words = {"yes": "yes", "no": "no", "not_mentioned": "idk"}
    tokens = verdicts(token("no", _no=0.5, _yes=0.5))
    assert verdict_probabilities(tokens, words, "no", 1) == pytest.approx([0.25])


def test_probability_of_a_label_in_another_property() -> None:
    words = {label: label for label in ("acceptable", "not_acceptable", "cannot_tell")}
    review = [
        Token('{"faults":[],"answer": "', 0.0),
        token("acceptable", _acceptable=0.6, _not=0.3, _cannot=0.1),
        Token('","context": "', 0.0),
        token("sufficient", _sufficient=1.0),
        Token('"}', 0.0),
    ]
    assert verdict_probabilities(review, words, "acceptable", 1, name="answer") == pytest.approx([0.6])
