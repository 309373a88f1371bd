import pytest

from ragstone.judges.local._text import tokens
from ragstone.judges.local.relevance import relevance, wanted

QUESTION = "How long is the Orrin Bridge?"


def test_a_text_that_answers_is_relevant_and_one_about_something_else_is_not() -> None:
    about, other = relevance(QUESTION, ["The Orrin Bridge is 330 metres long.", "Apples keep for six weeks."])
    assert (about.verdict, other.verdict) == ("yes", "no")
    assert about.score > other.score


def test_each_text_is_judged_alone() -> None:
    texts = ["The Orrin Bridge is 330 metres long.", "", "Apples keep.", "桥"]
    assert relevance(QUESTION, texts) == [relevance(QUESTION, [text])[0] for text in texts]


def test_other_scripts_are_not_guessed_at() -> None:
    [found] = relevance(QUESTION, ["这座桥长三百三十米。"])
    assert found.verdict == "idk"
    assert "Latin script" in found.reason


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many people live there?", "number"),
        ("When was it built?", "date"),
        ("Who designed it?", "name"),
        ("Why did it fall?", None),
    ],
)
def test_a_question_wants_a_kind_of_answer(question: str, kind: str | None) -> None:
    assert wanted(tokens(question)[0]) == kind
