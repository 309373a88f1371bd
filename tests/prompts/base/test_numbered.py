import json
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.prompts import AttributeStatements, ExtractTruths, JudgePassages, JudgeUsefulness
from ragstone.prompts.base.numbered import MOST_SENTENCES, first_words, number_sentences

PASSAGES = ("It opened in 1902, on a Monday. It is red.", "", "Trams run until midnight.")
EXPECTED = "It opened in 1902. Trams are red."
RELEVANCE = JudgePassages(passages=PASSAGES, input="When?")
RECALL = AttributeStatements(passages=PASSAGES, input="When?", expected_output=EXPECTED)


def on_the_wire(*labels: str, **more: Any) -> dict[str, Any]:
    return {
        "verdicts": [{"item": n, **more, "reason": "r", "verdict": word} for n, word in enumerate(labels, 1)]
    }


def own_statements(*passages: int) -> dict[str, Any]:
    one = {"statement": "S", "reason": None, "verdict": "yes"}
    return {"verdicts": [{**one, "passage": number} for number in passages]}


def test_sentences_are_numbered_through_and_named_with_their_passage() -> None:
    assert RELEVANCE.render().user.split("\n\n")[-2] == (
        "sentences (first words):\n1| passage 1: It opened in\n2| It is red.\n3| passage 2: \n"
        "4| passage 3: Trams run until"
    )
    words = ("relevant", "irrelevant", "irrelevant", "relevant")
    found = RELEVANCE.parse(json.dumps(on_the_wire(*words))).verdicts
    assert [(one.passage, one.statement, one.verdict) for one in found] == [
        (1, "It opened in 1902, on a Monday.", "yes"),
        (1, "It is red.", "no"),
        (2, "(empty)", "no"),
        (3, "Trams run until midnight.", "yes"),
    ]


def test_message_shares_its_beginning_with_prompts_of_the_case() -> None:
    truths = ExtractTruths(passages=PASSAGES)
    assert RELEVANCE.render().user.startswith(truths.render().user.removesuffix(truths.task()))
    useful = JudgeUsefulness(passages=PASSAGES, input="When?", expected_output=EXPECTED)
    assert RECALL.render().user.startswith(useful.render().user.removesuffix(useful.task()))


def test_the_schema_knows_how_many_verdicts_there_are() -> None:
    for prompt, count in ((RELEVANCE, 4), (RECALL, 2)):
        entries = prompt.schema()["properties"]["verdicts"]
        assert (entries["minItems"], entries["maxItems"]) == (count, count)
        assert entries["items"]["properties"]["item"]["enum"] == list(range(1, count + 1))
        assert "statement" not in json.dumps(entries)


def test_a_verdict_on_a_sentence_names_its_passage() -> None:
    text = json.dumps(on_the_wire("supported", "unsupported", passage=1))
    found = [one.as_verdict() for one in RECALL.parse(text).verdicts]
    assert [(one.statement, one.verdict, one.passage) for one in found] == [
        ("It opened in 1902.", "yes", 1),
        ("Trams are red.", "no", None),
    ]


@for_each(
    "answer, problem",
    [
        ({"verdicts": []}, "0 verdicts for 2 sentences; missing: 1, 2"),
        (on_the_wire("supported"), "1 verdicts for 2 sentences; missing: 2"),
        ({"verdicts": on_the_wire("supported", "unsupported")["verdicts"][::-1]}, "out of order"),
        (on_the_wire("supported", "supported", passage=4), "There is no passage 4"),
    ],
)
def test_invalid_verdicts_raise_value_error_with_the_problem(answer: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        RECALL.parse(json.dumps(answer))


@pytest.mark.anyio
async def test_missing_verdict_is_asked_for_again() -> None:
    """It has the right shape, so the server is not taken for one that ignores schemas."""
    RECALL.read(json.dumps(on_the_wire("supported")))
    judge = ScriptedJudge().respond(
        AttributeStatements, [on_the_wire("supported"), on_the_wire("supported", "supported")]
    )
    reply = await judge.ask(RECALL)
    assert [one.statement for one in reply.answer.verdicts] == ["It opened in 1902.", "Trams are red."]
    assert "missing: 2" in judge.prompts[1]
    with pytest.raises(UnreadableAnswer, match="1 verdicts for 2 sentences"):
        await ScriptedJudge().respond(AttributeStatements, on_the_wire("supported")).ask(RECALL)


def test_an_answer_with_statements_of_its_own_is_read() -> None:
    """The embedded judge splits texts itself, and so do scripts and older records."""
    text = json.dumps(own_statements(1, 2, 3))
    first = RELEVANCE.parse(text, lenient=True)
    assert [(one.passage, one.statement) for one in first.verdicts] == [(1, "S"), (2, "S"), (3, "S")]
    assert RELEVANCE.parse(first.model_dump_json(), lenient=True) == first
    assert len(RECALL.parse(json.dumps(own_statements(1, 1, 3)), lenient=True).verdicts) == 3
    with pytest.raises(ValueError, match="No statement of passage 2"):
        RELEVANCE.parse(json.dumps(own_statements(1, 3)), lenient=True)


def test_parsed_answer_round_trips_through_its_json() -> None:
    found = RECALL.parse(json.dumps(on_the_wire("supported", "unsupported", passage=1)))
    assert RECALL.parse(found.model_dump_json(), lenient=True) == found


def test_too_many_sentences_are_merged_with_their_neighbours() -> None:
    assert [tuple(one) for one in number_sentences(["It is one. It is two.", "", "— Three. … !"])] == [
        (1, "It is one."),
        (1, "It is two."),
        (2, ""),
        (3, "— Three."),
    ]
    many = number_sentences(["It is. " * 300, "That is all."])
    assert len(many) <= MOST_SENTENCES
    assert " ".join(one.text for one in many if one.part == 1) == ("It is. " * 300).strip()
    assert many[-1] == (2, "That is all.")


@for_each(
    "text, shown",
    [
        ("It is red.", "It is red."),
        ("It opened in 1902, on a Monday.", "It opened in"),
        ("Two\n lines\u2028here, and", "Two lines here,"),
        ("Donaudampfschiffahrtsgesellschaft fährt.", "Donaudampfschiff"),
        ("No. Made-to-order items stay.", "No. Made-to-orde"),
        ("図書館は月曜日に休館しますので、火曜日に", "図書館は月曜日に休館しますので、"),
        ("", ""),
    ],
)
def test_a_sentence_is_named_by_its_first_words(text: str, shown: str) -> None:
    assert first_words([text]) == (shown,)


def test_sentences_that_begin_alike_are_told_apart() -> None:
    texts = ["It opened in 1902, in May.", "It opened in 1903.", "It opened in", "It is red.", "It is red."]
    names = first_words(texts)
    assert len(set(names)) == len(set(texts))
    assert names[3] == "It is red."
    assert all(text.startswith(name) for text, name in zip(texts, names, strict=True))


def test_reply_shares_its_number_with_the_sentence_after_it() -> None:
    assert [
        one.text for one in number_sentences(["Yes. It opened in 1902. No.", "1. Dial 5.\n2. Wait."])
    ] == [
        "Yes. It opened in 1902.",
        "No.",
        "1. Dial 5.",
        "2. Wait.",
    ]
    assert len(number_sentences(["図書館は。月曜日に休館。", "- Passport.\n- Photo."])) == 4


def test_table_row_and_list_item_of_a_passage_are_sentences_with_header_and_lead_in() -> None:
    table = "| Animal | Fee |\n|---|---|\n| Rabbit | 11 euros |\n| Cat | 12 euros |"
    items = "Bring:\n- a passport\n- a photo"
    found = JudgePassages(passages=(table, items), input="What does it cost?").sentences
    assert [(one.part, one.text) for one in found] == [
        (1, "Animal Rabbit: Fee 11 euros."),
        (1, "Animal Cat: Fee 12 euros."),
        (2, "Bring: a passport."),
        (2, "Bring: a photo."),
    ]
