"""A reply is written as a `StoredReply` reads it, and as pydantic would write one."""

import json

from tests.testing.for_each import for_each

from ragstone.judges import Reply
from ragstone.judges.asking.stored_reply import StoredReply, read_stored_reply, reply_json, with_evidence
from ragstone.prompts import (
    Answer,
    Claims,
    Decision,
    Decisions,
    ExtractClaims,
    FillForm,
    FormRating,
    Grounding,
    JudgeClaims,
    JudgePassages,
    PassageStatement,
    PassageStatements,
    Prompt,
)
from ragstone.result import NO_USAGE, Usage

DECISIONS = Decisions(verdicts=(Decision(item=1, reason='é \u2028 "x"', verdict="yes"),))
REPLIES = [
    Reply(Claims(claims=("a", "b"))),
    Reply(Claims(claims=()), Usage(calls=2, input_tokens=7, output_tokens=3, cached_tokens=1), cost=0),
    Reply(DECISIONS, NO_USAGE, cost=1e-7, response='{"verdicts": []}', about={"jury": [1, {"a": None}]}),
    Reply(
        with_evidence(DECISIONS, [{"probability": 0.25}]),
        Usage(calls=1, cache_write_tokens=9),
        cost=float("inf"),
    ),
    Reply(FormRating(reason="r", score=3, distribution={3: 0.5, 4: 0.5}, weighed_by="jurors")),
]


def extras_of(reply: Reply[Answer]) -> dict[str, object]:
    found: dict[str, object] = json.loads(reply_json(reply))["beside"]
    return found


@for_each("reply", REPLIES, ids=lambda reply: type(reply.answer).__name__)
def test_reply_json_equals_the_json_of_pydantic(reply: Reply[Answer]) -> None:
    stored = StoredReply(
        response=reply.response or reply.answer.model_dump_json(),
        extras=extras_of(reply),
        usage=reply.usage,
        cost=reply.cost,
        about=dict(reply.about),
    )
    assert reply_json(reply) == stored.model_dump_json().replace('"extras":', '"beside":', 1)


def test_extras_contain_only_unsent_fields_that_differ() -> None:
    assert extras_of(REPLIES[0]) == {}
    assert extras_of(REPLIES[3]) == {"evidence": [{"probability": 0.25}]}
    assert extras_of(REPLIES[4]) == {"distribution": {"3": 0.5, "4": 0.5}, "weighed_by": "jurors"}


def test_a_reply_is_read_as_it_was_written() -> None:
    prompt = ExtractClaims(text="a b")
    reply = Reply(Claims(claims=("a", "b")), Usage(calls=1, input_tokens=4), cost=0.5, about={"votes": 3})
    read = read_stored_reply(reply_json(reply), prompt)
    assert read is not None
    assert (read.answer, read.usage, read.cost, read.about) == (reply.answer, reply.usage, 0.5, {"votes": 3})
    assert read.recorded
    form = FillForm.__name__
    assert read_stored_reply(reply_json(REPLIES[4]), prompt) is None, (
        f"the answer to a {form} is no list of claims"
    )


GROUNDING = Grounding(passage=2, span=(3, 9), probability=0.5, judge="local", contradiction_unknown=True)


@for_each(
    "prompt, answer",
    [
        (
            JudgeClaims(evidence_texts=("p", "q"), claims=("c",)),
            Decisions(verdicts=(Decision(item=1, reason="r", verdict="idk", evidence=GROUNDING),)),
        ),
        (
            JudgePassages(input="q", passages=("First.", "Second.")),
            PassageStatements(
                verdicts=tuple(
                    PassageStatement(passage=n, statement=text, reason="r", verdict="yes", evidence=GROUNDING)
                    for n, text in enumerate(("First.", "Second."), 1)
                )
            ),
        ),
    ],
)
def test_what_a_judge_knows_of_a_verdict_outlives_the_run(prompt: Prompt[Answer], answer: Answer) -> None:
    """A killed run that is resumed by two judges names the same passage, place and judge of each verdict."""
    read = read_stored_reply(reply_json(Reply(answer)), prompt)
    assert read is not None
    assert read.answer == answer
