import pytest

from ragstone.prompts import ExtractClaims
from ragstone.prompts.base.schema import most_entries


def test_a_list_may_have_an_entry_for_every_two_words_of_its_text() -> None:
    assert most_entries(["word " * 40]) == 32
    assert most_entries(["word " * 2000]) is None, "no bound beyond what grammars hold"


@pytest.mark.parametrize(
    "sentence", ["図書館は月曜日に休館します。", "ห้องสมุดปิดวันจันทร์ "], ids=["Japanese", "Thai"]
)
def test_a_language_without_spaces_is_not_cut_short(sentence: str) -> None:
    prompt = ExtractClaims(text=sentence * 30)
    most = prompt.schema()["properties"]["claims"].get("maxItems")
    assert most is None or most >= 60, "two claims a sentence have room"
