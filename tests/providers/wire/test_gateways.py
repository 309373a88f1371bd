"""A run over the wire with gateways and servers that put an answer, or an error, elsewhere than OpenAI does."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.servers._delivery import Said
from tests.servers.fixtures import serving
from tests.servers.mistral import MistralServer
from tests.servers.openai import OpenAIServer
from tests.servers.script import Ask, Script, every
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.judges import LLMJudge
from ragstone.providers import Mistral, OpenAI

Message = dict[str, Any]
Reshape = Callable[[Message], Message]
CASE = TestCase(
    input="When?", actual_output="The shop opens at nine.", retrieval_context=["It opens at nine."]
)
THOUGHTS = 'I read {"claims": first.'


def _magistral(message: Message) -> Message:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHTS}]}
    return {**message, "content": [thinking, {"type": "text", "text": message["content"]}]}


def _bedrock(message: Message) -> Message:
    half = len(message["content"]) // 2
    return {**message, "content": [{"text": message["content"][:half]}, {"text": message["content"][half:]}]}


def _forced_tool(message: Message) -> Message:
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "answer", "arguments": message["content"]},
    }
    return {**message, "content": None, "tool_calls": [call]}


def _deepseek(message: Message) -> Message:
    return {**message, "reasoning_content": THOUGHTS}


def _parsed_as_reasoning(message: Message) -> Message:
    return {**message, "content": "", "reasoning_content": message["content"]}


def _openrouter(message: Message) -> Message:
    return {**message, "content": None, "reasoning": f"So:\n```json\n{message['content']}\n```"}


RESHAPED: list[Reshape] = [_magistral, _bedrock, _forced_tool, _deepseek, _parsed_as_reasoning, _openrouter]


def script() -> Script:
    return Script(claims=["The shop opens at nine."], verdicts=every("yes"))


class Gateway(OpenAIServer):
    """OpenAI's wire, with the message of each answer reshaped; the first answers are errors with status 200."""

    reshape: Reshape = staticmethod(_deepseek)
    errors: list[Mapping[str, Any]] = []  # noqa: RUF012  (replaced by a test)

    def payload(self, ask: Ask, said: Said) -> Any:
        if len(self.asked) <= len(self.errors):
            return {"error": self.errors[len(self.asked) - 1]}
        answer = super().payload(ask, said)
        for choice in answer["choices"]:
            choice["message"] = self.reshape(choice["message"])
        return answer


def score_by(server: Gateway) -> float | None:
    provider = OpenAI(model="m", base_url=server.base_url, api_key=server.key)
    (result,) = evaluate([CASE], ["faithfulness"], judge=LLMJudge(provider=provider), progress=False).results[
        0
    ]
    assert result.error is None
    return result.score


@for_each("reshape", RESHAPED, ids=lambda function: function.__name__)
def test_run_is_judged_wherever_the_answer_is(reshape: Reshape) -> None:
    server = Gateway(script())
    server.reshape = reshape
    with serving(server):
        assert score_by(server) == 1.0
    assert len(server.requests) == 2  # claims and verdicts, none of them asked again


@for_each("code", [429, 502, 503])
def test_error_inside_status_200_is_retried_as_the_status_that_it_names(code: int) -> None:
    server = Gateway(script())
    server.errors = [{"code": code, "message": "upstream is busy", "metadata": {"raw": "try later"}}]
    with serving(server):
        assert score_by(server) == 1.0
    assert len(server.requests) == 3


def test_error_inside_status_200_that_stays_is_shown() -> None:
    server = Gateway(script())
    server.errors = [{"code": 402, "message": "no credit is left"}] * 9
    with serving(server):
        provider = OpenAI(model="m", base_url=server.base_url, api_key=server.key)
        report = evaluate([CASE], ["faithfulness"], judge=LLMJudge(provider=provider), progress=False)
    error = report.results[0][0].error or ""
    assert "402" in error
    assert "no credit is left" in error


def test_magistral_behind_mistrals_own_wire() -> None:
    class Magistral(MistralServer):
        def payload(self, ask: Ask, said: Said) -> Any:
            answer = super().payload(ask, said)
            answer["choices"][0]["message"] = _magistral(answer["choices"][0]["message"])
            return json.loads(json.dumps(answer))

    with serving(Magistral(script())) as server:
        provider = Mistral(model="magistral-small", base_url=server.base_url, api_key=server.key)
        (result,) = evaluate([CASE], ["faithfulness"], judge=LLMJudge(provider=provider)).results[0]
    assert result.score == 1.0
