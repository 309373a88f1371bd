import json
from typing import Any

import pytest

from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.prompts import AttributeStatements, JudgePassages

PASSAGES = ("It opened in 1902. It is red.", "", "Trams run until midnight.")
RELEVANCE = JudgePassages(passages=PASSAGES, input="When?")
RECALL = AttributeStatements(
    passages=PASSAGES, input="When?", expected_output="It opened in 1902. Trams are red."
)


def on_the_wire(*labels: str, **more: Any) -> dict[str, Any]:
    return {
        "verdicts": [{"item": n, **more, "reason": "r", "verdict": word} for n, word in enumerate(labels, 1)]
    }


def test_sentences_are_numbered_through_and_named_with_their_passage() -> None:
    assert RELEVANCE.render().user.startswith(
        "sentences of passage 1:\n1| It opened in 1902.\n2| It is red.\nsentences of passage 2:\n3| \n"
        "sentences of passage 3:\n4| Trams run until midnight.\n\ninput:\n| When?"
    )
    found = RELEVANCE.parse(
        json.dumps(on_the_wire("relevant", "irrelevant", "irrelevant", "relevant"))
    ).verdicts
    assert [(one.passage, one.statement, one.verdict) for one in found] == [
        (1, "It opened in 1902.", "yes"),
        (1, "It is red.", "no"),
        (2, "(empty)", "no"),
        (3, "Trams run until midnight.", "yes"),
    ]


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


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (on_the_wire("supported"), "1 verdicts for 2 sentences; missing: 2"),
        ({"verdicts": on_the_wire("supported", "unsupported")["verdicts"][::-1]}, "out of order"),
        (on_the_wire("supported", "supported", passage=4), "There is no passage 4"),
    ],
)
def test_a_broken_contract_is_told_and_asked_again(answer: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        RECALL.parse(json.dumps(answer))


@pytest.mark.anyio
async def test_a_wrong_number_of_verdicts_does_not_mean_that_the_server_ignores_schemas() -> None:
    judge = ScriptedJudge().respond(
        RECALL.__class__, [on_the_wire("supported"), on_the_wire("supported", "supported")]
    )
    await judge.ask(RECALL)
    assert "missing: 2" in judge.prompts[1]
    with pytest.raises(UnreadableAnswer, match="1 verdicts for 2 sentences"):
        await ScriptedJudge().respond(RECALL.__class__, on_the_wire("supported")).ask(RECALL)


def test_an_answer_with_statements_of_its_own_is_read() -> None:
    """The embedded judge splits texts itself, and so do scripts."""
    own = {
        "verdicts": [{"statement": "S", "passage": n, "reason": None, "verdict": "yes"} for n in (1, 2, 3)]
    }
    assert [one.statement for one in RELEVANCE.parse(json.dumps(own), lenient=True).verdicts] == ["S"] * 3
    again = RELEVANCE.parse(RELEVANCE.parse(json.dumps(own), lenient=True).model_dump_json(), lenient=True)
    assert len(again.verdicts) == 3
