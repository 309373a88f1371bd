from tests.testing.for_each import for_each

from ragstone.judges.local.relevance import (
    answer_relevance,
    expected_answer_kind,
    passage_relevance,
    question_parts,
    relevance_of_statements,
    relevance_within_passage,
)
from ragstone.text.tokens import tokens

QUESTION = "How long is the Orrin Bridge?"


def test_a_text_that_answers_is_relevant_and_one_about_something_else_is_not() -> None:
    about, other = passage_relevance(
        QUESTION, ["The Orrin Bridge is 330 metres long.", "Apples keep for six weeks."]
    )
    assert (about.verdict, other.verdict) == ("yes", "no")
    assert about.probability > other.probability


def test_each_text_is_judged_alone() -> None:
    texts = ["The Orrin Bridge is 330 metres long.", "", "Apples keep.", "桥"]
    assert passage_relevance(QUESTION, texts) == [passage_relevance(QUESTION, [text])[0] for text in texts]


def test_passage_in_another_script_is_undecided() -> None:
    [found] = passage_relevance(QUESTION, ["这座桥长三百三十米。"])
    assert found.verdict == "undecided"
    assert "Latin script" in found.reason


def test_text_in_an_unsupported_language_is_undecided() -> None:
    text = "Il ponte è lungo trecento metri e non è stato costruito da Ann Lee."
    for found in (
        answer_relevance(QUESTION, text),
        passage_relevance(QUESTION, [text])[0],
    ):
        assert (found.verdict, found.probability) == ("undecided", 0.0)
        assert "seems to be Italian" in found.reason


@for_each(
    "question, kind",
    [
        ("How many people live there?", "number"),
        ("When was it built?", "date"),
        ("Who designed it?", "name"),
        ("Why did it fall?", None),
    ],
)
def test_a_question_wants_a_kind_of_answer(question: str, kind: str | None) -> None:
    assert expected_answer_kind(tokens(question)[0]) == kind


TWO = "Can I keep a dog in the flat, and does the landlord pay for a broken window?"


def test_a_question_that_asks_two_things_has_two_parts() -> None:
    assert [[token.norm for token in part][:3] for part in question_parts(tokens(TWO)[0])] == [
        ["can", "i", "keep"],
        ["and", "does", "the"],
    ]
    assert question_parts(tokens("Who painted the ceiling and the walls?")[0]) == []
    assert question_parts(tokens("When did the railway reach Brede, and why?")[0]) == []


def test_a_text_that_answers_one_part_of_two_helps() -> None:
    dog, window, other = passage_relevance(
        TWO,
        [
            "A dog may be kept in the flat.",
            "The landlord pays for a broken window.",
            "Apples keep for six weeks.",
        ],
    )
    assert dog.verdict == window.verdict == "yes"
    assert other.verdict == "no"


def test_made_questions_of_two_parts_are_helped_by_an_answer_to_either() -> None:
    wants = [
        ("keep", "dog", "flat"),
        ("hang", "washing", "balcony"),
        ("park", "trailer", "yard"),
        ("store", "firewood", "cellar"),
    ]
    pays = [("repair", "broken", "window"), ("clean", "blocked", "chimney"), ("replace", "worn", "carpet")]
    for verb, thing, place in wants:
        for act, state, part in pays:
            question = (
                f"Can tenants {verb} a {thing} in the {place}, and does the owner {act} a {state} {part}?"
            )
            texts = [
                f"Tenants may {verb} a {thing} in the {place}.",
                f"The owner will {act} a {state} {part}.",
                "Apples taste best in October.",
            ]
            assert [found.verdict for found in passage_relevance(question, texts)] == ["yes", "yes", "no"], (
                question
            )


SHIP = "Why were the timbers of the ship kept in liquid wax, and for how long?"
SHIPS_LIFE = [
    "The ship carried herring between the islands for thirty years.",
    "She was built by Hanne Voss in 1871.",
    "A storm drove her onto the sandbank in 1902.",
    "A visit to the ship is well worth the time.",
]


def test_an_answer_on_the_same_subject_that_answers_something_else_is_irrelevant() -> None:
    found = relevance_of_statements(SHIP, SHIPS_LIFE)
    assert [one.verdict for one in found] == ["no"] * 4


def test_statement_supporting_a_relevant_answer_is_not_irrelevant() -> None:
    texts = [
        "Yes, you may keep a dog in the flat.",
        "It must be on a lead in the stairs.",
        "Apples keep for six weeks.",
    ]
    found = relevance_of_statements("Can I keep a dog in the flat?", texts)
    assert found[0].verdict == "yes"
    assert found[1].verdict != "no"
    assert found[2].verdict == "no"


def test_single_statement_is_judged_as_the_answer() -> None:
    assert relevance_of_statements(QUESTION, ["330 metres."]) == [answer_relevance(QUESTION, "330 metres.")]


def test_statements_of_an_irrelevant_passage_are_irrelevant() -> None:
    question = "What does it cost to return a book a week late?"
    texts = [
        "The library in Mill Street was built in 1911 by a returned emigrant.",
        "Late in the evening its reading room is lit by forty lamps.",
    ]
    assert {one.verdict for one in relevance_within_passage(question, texts, " ".join(texts))} == {"no"}


def test_only_answering_statements_within_a_passage_are_relevant() -> None:
    question = "What does it cost to return a book a week late?"
    texts = ["Late returns cost 20 cents a day for each book.", "The reading room has forty lamps."]
    fee, lamps = relevance_within_passage(question, texts, " ".join(texts))
    assert (fee.verdict, lamps.verdict) == ("yes", "no")


def test_statement_in_another_script_is_undecided() -> None:
    found = relevance_of_statements(
        QUESTION, ["The Orrin Bridge is 330 metres long.", "这座桥长三百三十米。"]
    )
    assert found[1].verdict == "undecided"
    assert "Latin script" in found[1].reason
