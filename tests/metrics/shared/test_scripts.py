import pytest
import sacrebleu
from tests.testing.for_each import for_each

from ragstone.metrics import Bleu, Rouge
from ragstone.metrics.shared.scripts import bleu_tokenizer, words

NEAR = ("灯塔高四十米, 建于一九〇一年。", "灯塔高四十米, 建于一九〇二年。")


def test_bleu_of_chinese_is_that_of_sacrebleu_with_its_tokenizer() -> None:
    theirs = sacrebleu.sentence_bleu(NEAR[0], [NEAR[1]], tokenize="zh").score / 100
    assert Bleu().score(*NEAR).value == pytest.approx(theirs)
    assert theirs > 0.7


@for_each("text", ["灯塔高四十米。", "灯は四十メートル", "ประภาคารสูง", "👍", "The lamp is tall", "Ja"])
def test_equal_texts_of_any_script_score_one(text: str) -> None:
    assert Bleu().score(text, text).value == pytest.approx(1.0)
    assert Rouge().score(text, text).value == pytest.approx(1.0)


def test_rouge_of_near_equal_chinese_answers() -> None:
    assert 0.8 < Rouge().score(*NEAR).value < 1


def test_words_are_runs_of_letters_or_single_characters() -> None:
    assert words("Zürich 2: 灯塔 👍👍!") == ["Zürich", "2", "灯", "塔", "👍", "👍"]
    assert [bleu_tokenizer(text) for text in ("Tower", "灯塔", "灯は", "ก")] == ["13a", "zh", "char", "char"]
