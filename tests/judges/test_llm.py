from dataclasses import dataclass, field
from math import log

import pytest

from ragstone.errors import BadOption
from ragstone.judges import LLMJudge
from ragstone.judges.asking.stored_reply import read_stored_reply, reply_json
from ragstone.prompts import Decisions, ExtractClaims, FillForm, JudgeClaims, ReviewCase
from ragstone.providers import Completion, Request, Token
from ragstone.result import Usage

pytestmark = pytest.mark.anyio

FORM = FillForm(steps=("look",), case_fields=(("actual_output", "text"),))


@dataclass
class Model:
    """A provider of the user's own: twenty lines are enough."""

    answer: str
    tokens: tuple[Token, ...] = ()
    supports_structured_outputs: bool = True
    supports_log_probs: bool = True
    supports_multimodal: bool = False
    name: str = "mine"
    model: str = "gpt-4o-mini"
    requests: list[Request] = field(default_factory=list)

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        usage = Usage(calls=1, input_tokens=1_000_000)
        return Completion(text=self.answer, usage=usage, model=self.model, tokens=self.tokens)


async def test_name_cost_and_request() -> None:
    model = Model('{"claims": ["a"]}')
    judge = LLMJudge(provider=model)
    reply = await judge.ask(ExtractClaims(text="t"))
    assert judge.name == "mine:gpt-4o-mini"
    assert reply.cost == pytest.approx(0.15)
    (request,) = model.requests
    assert request.temperature == 0.0
    assert request.top_logprobs == 0
    assert request.schema["properties"].keys() == {"claims"}
    assert "| t" in request.user
    assert "schema" not in request.user


async def test_schema_is_in_the_message_without_structured_outputs() -> None:
    model = Model('{"claims": []}', supports_structured_outputs=False)
    await LLMJudge(provider=model).ask(ExtractClaims(text="t"))
    assert '"additionalProperties":false' in model.requests[0].user


async def test_log_probs_are_requested_for_ratings_if_supported() -> None:
    tokens = (
        Token('{"reason":"r","score":', 0.0),
        Token("8", log(0.6), (("8", log(0.6)), ("6", log(0.4)))),
        Token("}", 0.0),
    )
    model = Model('{"reason":"r","score":8}', tokens)
    reply = await LLMJudge(provider=model).ask(FORM)
    assert model.requests[0].top_logprobs == 20
    assert reply.answer.distribution == pytest.approx({6: 0.4, 8: 0.6})
    silent = Model('{"reason":"r","score":8}', supports_log_probs=False)
    assert (await LLMJudge(provider=silent).ask(FORM)).answer.distribution is None
    assert silent.requests[0].top_logprobs == 0


async def test_a_sample_has_temperature_one() -> None:
    model = Model('{"reason":"r","score":8}', supports_log_probs=False)
    await LLMJudge(provider=model).ask(FillForm(steps=("look",), case_fields=(), sampled=True))
    assert model.requests[0].temperature == 1.0


@dataclass(frozen=True, kw_only=True)
class MyJudgeClaims(JudgeClaims):
    """The same question in other words."""

    instruction = "Bewerte jede Behauptung."


async def test_replaced_prompt_is_sent_and_changes_the_wording() -> None:
    model = Model(Decisions.of("yes").model_dump_json())
    judge = LLMJudge(provider=model, replacements={JudgeClaims: MyJudgeClaims})
    await judge.ask(JudgeClaims(evidence_texts=("e",), claims=("c",)))
    assert model.requests[0].user.endswith("Bewerte jede Behauptung.")
    assert judge.wording(JudgeClaims) != LLMJudge(provider=model).wording(JudgeClaims)
    assert judge.wording(ExtractClaims) == ExtractClaims.digest()


async def test_custom_prices_give_a_cost() -> None:
    model = Model('{"claims": []}', model="house-model")
    assert (await LLMJudge(provider=model).ask(ExtractClaims(text="t"))).cost is None
    priced = LLMJudge(provider=model, prices={"house-model": (2.0, 1.0, 3.0)})
    assert (await priced.ask(ExtractClaims(text="t"))).cost == pytest.approx(2.0)


def test_zero_attempts_are_refused() -> None:
    with pytest.raises(BadOption, match="attempts=0"):
        LLMJudge(provider=Model(""), attempts=0)


async def test_review_keeps_the_probability_of_its_labels() -> None:
    said = (
        '{"unanswered":[],"faults":[],"deciding":[],"answer":"acceptable","context":"sufficient","rank":null}'
    )
    start = said.index("acceptable")
    chosen = Token("acceptable", log(0.8), (("acceptable", log(0.8)), ("not", log(0.2))))
    tokens = (Token(said[:start], 0.0), chosen, Token(said[start + len(chosen.text) :], 0.0))
    model = Model(said, tokens=tokens)
    reply = await LLMJudge(provider=model).ask(ReviewCase(input="q", passages=("p",), actual_output="a"))
    assert model.requests[0].top_logprobs == 5
    assert reply.answer.acceptable_probability == pytest.approx(0.8)
    stored = read_stored_reply(reply_json(reply), ReviewCase(input="q", passages=("p",), actual_output="a"))
    assert stored is not None
    assert stored.answer == reply.answer
