"""The house's own judge through the house's own providers, against the strict servers: right verdicts, or an error."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.servers import faults
from tests.servers._server import JudgeServer
from tests.servers.anthropic import AnthropicServer
from tests.servers.faults import Fault
from tests.servers.fixtures import serving
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script
from tests.testing.for_each import for_each

from ragstone.errors import JudgeError, ProviderError
from ragstone.judges import LLMJudge
from ragstone.prompts import FillForm, JudgeClaims
from ragstone.providers import Anthropic, Ollama, OpenAI, Provider, Retry, open_transport

FOUR = JudgeClaims(evidence_texts=("It opened in 1902.",), claims=("One.", "Two.", "Three.", "Four."))
WORDS = ["yes", "no", "idk", "yes"]
FORM = FillForm(steps=("Look.",), case_fields=(("input", "When?"),), low=0, high=10)
QUICK = Retry(base=0.01)


def provider(server: JudgeServer, **options: Any) -> Provider:
    match server:
        case OpenAIServer():
            return OpenAI(base_url=server.base_url, api_key="sk-loopback", **options)
        case AnthropicServer():
            return Anthropic(base_url=server.base_url, api_key="sk-ant-loopback", **options)
        case _:
            return Ollama(base_url=server.base_url, **options)


def ask(speaker: Provider, prompt: Any = FOUR, *, timeout: float = 5.0) -> Any:
    async def main() -> Any:
        async with open_transport(timeout=timeout, retry=QUICK):
            return (await LLMJudge(provider=speaker).ask(prompt)).answer

    return asyncio.run(main())


def words(answer: Any) -> list[str]:
    return [verdict.verdict for verdict in answer.verdicts]


KINDS: dict[str, Callable[[], JudgeServer]] = {
    "openai": OpenAIServer,
    "openai without schemas": lambda: OpenAIServer(structured="unknown"),
    "openai with json_object alone": lambda: OpenAIServer(structured="json_object"),
    "openai that reasons": lambda: OpenAIServer(reasoning=True),
    "anthropic": AnthropicServer,
    "anthropic with fixed sampling": lambda: AnthropicServer(fixed_sampling=True),
    "anthropic that always thinks": lambda: AnthropicServer(always_thinks=True),
    "ollama": OllamaServer,
}


@for_each("kind", KINDS)
def test_llm_judge_works_with_every_server_and_learns_unsupported_parameters(kind: str) -> None:
    with serving(KINDS[kind]()) as server:
        server.script.say(verdicts=WORDS)

        async def twice() -> list[list[str]]:
            async with open_transport(timeout=60.0, retry=QUICK):
                judge = LLMJudge(provider=provider(server))
                return [words((await judge.ask(FOUR)).answer) for _ in range(2)]

        assert asyncio.run(twice()) == [WORDS, WORDS]
        assert server.traffic.statuses[-2:] == [200, 200]
        assert server.traffic.statuses.count(400) <= 3  # temperature, log-probabilities, max_tokens
        assert server.connections == 1


def test_azure_by_deployment_url_and_by_v1_base_url() -> None:
    with serving(OpenAIServer(Script(verdicts=WORDS), azure=True)) as server:
        for base in (server.base_url, f"{server.deployment_url()}?api-version=2024-10-21"):
            speaker = OpenAI(model="judge", base_url=base, api_key="sk-loopback", key_header="api-key")
            assert words(ask(speaker)) == WORDS


HARMLESS = {
    "rate limited, seconds": faults.rate_limited(0.05),
    "rate limited, date": faults.rate_limited(1, form="date"),
    "rate limited, milliseconds": faults.rate_limited(0.05, form="ms"),
    "rate limited, no hint": faults.rate_limited(form="none"),
    "500": faults.status(500),
    "503": faults.status(503),
    "529": faults.status(529, "Overloaded"),
    "reset": faults.reset(),
    "truncated": faults.truncated(),
    "proxy page": faults.proxy_page(),
    "wrong content type": faults.wrong_content_type(),
    "invalid JSON": faults.invalid_json(),
    "fenced JSON": faults.fenced(),
    "prose around JSON": faults.prose_around(),
    "chatty verdicts": faults.chatty_verdicts(),
    "one too few": faults.one_too_few(),
    "one too many": faults.one_too_many(),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_transient_fault_does_not_change_the_verdicts(any_server: JudgeServer, name: str) -> None:
    any_server.script.say(verdicts=WORDS)
    any_server.faults.add(HARMLESS[name], nth=1)
    assert words(ask(provider(any_server))) == WORDS
    assert len(any_server.asked) <= 2


LASTING = {
    "invalid JSON": faults.invalid_json(),
    "one too few": faults.one_too_few(),
    "one too many": faults.one_too_many(),
    "400": faults.status(400, "No."),
    "401": faults.refused_key(401),
    "403": faults.refused_key(403),
    "404": faults.status(404, "No such model."),
    "500": faults.status(500),
    "cut off": faults.finished("length"),
    "refused": faults.finished("refusal"),
    "filtered": faults.finished("content_filter"),
    "no choice": faults.finished("empty"),
}


@pytest.mark.parametrize("name", LASTING)
def test_lasting_fault_raises_judge_error(any_server: JudgeServer, name: str) -> None:
    any_server.script.say(verdicts=WORDS)
    any_server.faults.add(LASTING[name])
    with pytest.raises(JudgeError) as caught:
        ask(provider(any_server))
    assert "loopback" not in str(caught.value)


@pytest.mark.parametrize(
    "fault", [faults.refused_key(401), faults.refused_key(403), faults.status(404), faults.status(400)]
)
def test_permanent_errors_are_not_retried(any_server: JudgeServer, fault: Fault) -> None:
    any_server.script.say(verdicts=WORDS)
    any_server.faults.add(fault)
    with pytest.raises(ProviderError):
        ask(provider(any_server))
    assert len(any_server.requests) == 1


def test_stalled_answer_raises_judge_error_after_timeout(any_server: JudgeServer) -> None:
    any_server.script.say(verdicts=WORDS)
    any_server.faults.add(faults.stall())
    with pytest.raises(JudgeError, match=r"0\.2 s"):
        ask(provider(any_server), timeout=0.2)


@for_each("kind, digits", [(OpenAIServer, 3), (OpenAIServer, 1), (OllamaServer, 1)])
def test_log_probabilities_become_a_distribution(kind: Any, digits: int) -> None:
    script = Script(reason="Good.", score=10).weigh("score", {10: 0.5, 8: 0.3, 1: 0.2})
    with serving(kind(script, digits=digits)) as server:
        form = ask(provider(server), FORM)
    assert form.score == 10
    assert form.distribution == pytest.approx({10: 0.5, 8: 0.3, 1: 0.2})
