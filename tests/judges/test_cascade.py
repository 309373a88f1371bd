import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from tests.metrics.words import decisions
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every

from ragstone import TestCase, evaluate
from ragstone.errors import BadOption, CannotJudge, ProviderError
from ragstone.judges import CascadeJudge, Judge, LLMJudge, Reply, ScriptedJudge, get_judge
from ragstone.metrics import Faithfulness, GEval
from ragstone.prompts import (
    Answer,
    AttributeStatements,
    ClaimLocation,
    ClaimLocations,
    Decisions,
    FillForm,
    JudgeCitedSentences,
    JudgeClaims,
    LocateClaims,
    Prompt,
    RatePassage,
    Rating,
)
from ragstone.providers import OpenAI
from ragstone.result import Usage

CASE = TestCase(
    input="q", actual_output="One. Two. Three.", expected_output="e", retrieval_context=["p", "q"]
)
CLAIMS = ("c1", "c2", "c3", "c4")


class Unsure(Judge):
    """Answers with the given answers by kind of prompt, and cannot answer others."""

    works_offline = True

    def __init__(self, *answers: Answer) -> None:
        self.answers = answers

    def can_answer(self, prompt: type[Prompt[Any]]) -> bool:
        return any(isinstance(answer, prompt.answer) for answer in self.answers)

    async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
        for answer in self.answers:
            if isinstance(answer, prompt.answer):
                return Reply(answer, Usage(calls=1), cost=0.0)
        raise CannotJudge("not this one")


class Other(Unsure):
    pass


class Paid(ScriptedJudge):
    works_offline = False


def ask(judges: Sequence[Judge], prompt: Prompt[Any]) -> Reply[Any]:
    return asyncio.run(CascadeJudge(judges=judges).ask(prompt))


def test_the_next_judge_is_asked_for_undecided_items_alone() -> None:
    first = Unsure(Decisions.of("yes", "undecided", "no", "undecided"))
    second = Paid(name="paid").respond(JudgeClaims, decisions("no", "yes"))
    reply = ask([first, second], JudgeClaims(evidence_texts=("p",), claims=CLAIMS))
    assert [decision.verdict for decision in reply.answer.verdicts] == ["yes", "no", "no", "yes"]
    assert [decision.evidence.judge for decision in reply.answer.verdicts] == [
        "Unsure", "paid", "Unsure", "paid",
    ]  # fmt: skip
    assert reply.about["judges"] == {"Unsure": 2, "paid": 2}
    assert reply.usage.calls == 1
    (sent,) = second.prompts
    assert "c2" in sent
    assert "c4" in sent
    assert "c1" not in sent
    assert "c3" not in sent


def test_a_decided_answer_asks_nobody_else() -> None:
    second = Paid(name="paid")
    reply = ask(
        [Unsure(Decisions.of("yes", "no")), second], JudgeClaims(evidence_texts=("p",), claims=CLAIMS[:2])
    )
    assert second.prompts == []
    assert reply.usage.calls == 0
    assert reply.about["judges"] == {"Unsure": 2}


def test_parallel_columns_follow_their_items() -> None:
    prompt = JudgeCitedSentences(
        passages=("p", "q"), sentences=("one [1]", "two [2]", "three [1]"), cited=((1,), (2,), (1,))
    )
    part = prompt.part([1])
    assert (part.sentences, part.cited, part.passages) == (("two [2]",), ((2,),), ("p", "q"))


def test_locations_and_ratings_are_passed_on() -> None:
    located = ClaimLocations(
        verdicts=(ClaimLocation(passages=(1,)), ClaimLocation(passages=(), undecided=(2,)))
    )
    second = Paid(name="paid").respond(
        LocateClaims, {"verdicts": [{"reason": "r", "passages": [2]}]}
    ).respond(RatePassage, {"reason": "r", "score": 2})  # fmt: skip
    reply = ask([Unsure(located), second], LocateClaims(passages=("p", "q"), claims=CLAIMS[:2]))
    assert [location.passages for location in reply.answer.verdicts] == [(1,), (2,)]
    unsure = Unsure(Rating(reason="?", score=1, undecided=True))
    rated = ask([unsure, second], RatePassage(input="q", passage="p"))
    assert (rated.answer.score, rated.answer.undecided) == (2, False)


def test_statements_found_by_the_first_are_judged_by_the_next() -> None:
    judge = get_judge("local")
    unsure = Unsure()

    class Doubtful(Judge):
        works_offline = True
        name = "doubtful"  # pyright: ignore[reportAssignmentType]

        async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
            reply: Reply[Any] = await judge.ask(prompt)
            items = [item.model_copy(update={"verdict": "undecided"}) for item in reply.answer.verdicts]
            return Reply(reply.answer.model_copy(update={"verdicts": tuple(items)}))

    second = Paid(name="paid").respond(JudgeClaims, decisions("yes"))
    prompt = AttributeStatements(input="q", expected_output="The bridge is long.", passages=("p",))
    reply = ask([unsure, Doubtful(), second], prompt)
    (item,) = reply.answer.verdicts
    assert (item.statement, item.verdict, item.evidence.judge) == ("The bridge is long.", "yes", "paid")


def test_what_the_first_cannot_answer_goes_to_the_next_whole() -> None:
    second = Paid(name="paid").respond(FillForm, {"reason": "fine", "score": 8})
    metric = GEval(name="Tone", criteria="Is it kind?", evaluation_steps=["Read it."])
    result = metric.measure(CASE, judge=CascadeJudge(judges=[get_judge("local"), second]))
    assert result.error is None
    assert result.metadata["judges"] == {"paid": 1}


def test_what_nobody_decides_stays_undecided() -> None:
    first, second = Unsure(Decisions.of("undecided", "yes")), Other(Decisions.of("undecided"))
    reply = ask([first, second], JudgeClaims(evidence_texts=("p",), claims=CLAIMS[:2]))
    assert [decision.verdict for decision in reply.answer.verdicts] == ["undecided", "yes"]
    assert reply.about["judges"] == {"Unsure": 1, "Other": 0}


def test_a_row_of_one_or_of_the_same_judge_is_refused() -> None:
    with pytest.raises(BadOption, match="the same judge twice"):
        CascadeJudge(judges=[Unsure(), Unsure()])
    with pytest.raises(BadOption, match="two judges or more"):
        CascadeJudge(judges=[get_judge("local")])


def test_what_a_failing_judge_and_those_before_it_took_is_counted() -> None:
    first = Paid(name="first").respond(JudgeClaims, decisions("yes", "no"))

    class Unsettled(Paid):
        async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
            reply: Reply[Any] = await first.ask(prompt)
            return Reply(Decisions.of("undecided", "yes"), reply.usage, cost=0.5)

    failure = ProviderError("down")
    failure.spent, failure.cost = Usage(calls=2), 0.25
    second = Paid(name="second").respond(JudgeClaims, failure)
    with pytest.raises(ProviderError) as raised:
        ask([Unsettled(name="unsettled"), second], JudgeClaims(evidence_texts=("p",), claims=CLAIMS[:2]))
    assert isinstance(raised.value.spent, Usage)
    assert raised.value.spent.calls == 3
    assert raised.value.cost == pytest.approx(0.75)


def test_no_judge_for_a_kind_of_prompt_is_an_error() -> None:
    with pytest.raises(CannotJudge):
        ask([Unsure(), get_judge("local")], FillForm(criteria="c", steps=("s",), case_fields=()))


def test_a_run_pays_for_undecided_claims_only_and_resumes_by_name(tmp_path: Any) -> None:
    cases = [
        TestCase(
            input="How long is the bridge?",
            actual_output="The Orrin Bridge is 330 metres long. It hums on windy nights like an old cello.",
            retrieval_context=["The Orrin Bridge is 330 metres long and has six piers."],
            id=str(number),
        )
        for number in range(3)
    ]
    script = Script(verdicts=every("yes"))
    with serving(OpenAIServer(script)) as server:
        paid = LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url))
        judge = CascadeJudge(judges=[get_judge("local"), paid])
        store = tmp_path / "runs.sqlite3"
        report = evaluate(cases, [Faithfulness()], judge=judge, store=store, cache=tmp_path / "cache.sqlite3")
        asked = len(server.requests)
        again = evaluate(cases, [Faithfulness()], judge=judge, cache=tmp_path / "cache.sqlite3")
        assert len(server.requests) == asked
    assert report.run.plan.judge == "local,openai:gpt-4o-mini"
    assert [result.error for results in report.results for result in results] == [None] * 3
    assert asked <= 3
    decided = report.results[0][0].metadata["judges"]
    assert set(decided) <= {"local", "openai:gpt-4o-mini"}
    assert again.results[0][0].score == report.results[0][0].score


def test_a_spec_with_commas_names_judges_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    judge = get_judge("local, gpt-4o-mini")
    assert isinstance(judge, CascadeJudge)
    assert judge.name == "local,openai:gpt-4o-mini"
    assert judge.can_answer(FillForm)
    assert get_judge(judge.name).name == judge.name
