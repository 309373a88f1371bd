import json

import pytest
from tests.providers.batches.batch_servers import body, label, talk
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script

from ragstone.providers import OpenAI
from ragstone.providers.batches.api import BatchApi, BatchApiError, BatchClient, BatchStatus, Unanswered
from ragstone.providers.batches.openai import OpenAIBatches
from ragstone.providers.http.failures import AttemptFailure


def test_batch_line_holds_method_url_and_body() -> None:
    line = OpenAIBatches("http://vendor/v1").line("k-1", b'{"model":"gpt"}')
    assert line.endswith(b"\n")
    wanted = {"custom_id": "k-1", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "gpt"}}
    assert json.loads(line) == wanted


def test_submit_uploads_a_file_and_results_are_keyed(openai_server: OpenAIServer) -> None:
    openai_server.script.say(score=3)
    openai_server.batches.plan("expired", matching="late")
    openai_server.batches.plan("failed", matching="unlucky")

    async def conversation(client: BatchClient, vendor: BatchApi) -> tuple[BatchStatus, dict[str, object]]:
        texts = ("one", "late", "unlucky", "two")
        lines = [vendor.line(text, body(openai_server, text)) for text in texts]
        made = await vendor.submit(client, lines, label(*texts))
        seen = await vendor.poll(client, made.id)
        return seen, dict(await vendor.results(client, seen))

    seen, outcomes = talk(openai_server, conversation)
    assert (seen.total, seen.ended, len(seen.results)) == (4, True, 2)
    assert outcomes["late"] is Unanswered.EXPIRED
    assert isinstance(outcomes["unlucky"], AttemptFailure)
    assert outcomes["unlucky"].again
    assert json.loads(outcomes["one"])["choices"][0]["message"]["content"] == '{"score": 3}'  # type: ignore[arg-type]
    paths = [(request.method, request.path) for request in openai_server.requests]
    assert paths[:2] == [("POST", "/v1/files"), ("POST", "/v1/batches")]


def test_refused_batch_request_names_its_parameter() -> None:
    with serving(OpenAIServer(Script(score=1), reasoning=True)) as server:

        async def conversation(client: BatchClient, vendor: BatchApi) -> object:
            made = await vendor.submit(client, [vendor.line("k", body(server, "one"))], label("k"))
            return dict(await vendor.results(client, await vendor.poll(client, made.id)))["k"]

        outcome = talk(server, conversation)
    assert isinstance(outcome, AttemptFailure)
    assert (outcome.status, outcome.parameter, outcome.again) == (400, "temperature", False)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([b"{not json\n"], "not parseable as valid JSON"),
        ([b'{"custom_id":"k","method":"POST","url":"/v1/embeddings","body":{}}\n'], "The URL must be"),
    ],
)
def test_refused_batch_gives_the_reason(openai_server: OpenAIServer, lines: list[bytes], words: str) -> None:
    async def conversation(client: BatchClient, vendor: BatchApi) -> BatchStatus:
        return await vendor.poll(client, (await vendor.submit(client, lines, label("k"))).id)

    seen = talk(openai_server, conversation)
    assert seen.ended
    assert seen.refused is not None
    assert words in seen.refused.message
    assert not seen.too_much


def test_two_lines_of_one_key_and_two_models_are_refused(openai_server: OpenAIServer) -> None:
    async def conversation(client: BatchClient, vendor: BatchApi) -> list[str]:
        said: list[str] = []
        for keys, models in ((("k", "k"), ("gpt-4o", "gpt-4o")), (("k", "l"), ("gpt-4o", "gpt-5"))):
            pairs = zip(keys, models, strict=True)
            lines = [vendor.line(key, body(openai_server, "x", model)) for key, model in pairs]
            seen = await vendor.poll(client, (await vendor.submit(client, lines, label(*keys))).id)
            said.append(seen.refused.words if seen.refused else "")
        return said

    assert talk(openai_server, conversation) == [
        "The custom_id is used already.",
        "All requests of a batch must name one model.",
    ]


def test_batch_is_found_by_its_label_among_later_batches(openai_server: OpenAIServer) -> None:
    openai_server.script.say(score=3)

    async def conversation(
        client: BatchClient, vendor: BatchApi
    ) -> tuple[str, BatchStatus | None, BatchStatus | None]:
        lines = [vendor.line("k", body(openai_server, "one"))]
        made = [await vendor.submit(client, lines, label("k", number=number)) for number in range(1, 105)]
        found = await vendor.find(client, label("k", number=1))
        return made[0].id, found, await vendor.find(client, label("k", number=999))

    name, found, nothing = talk(openai_server, conversation)
    assert found is not None
    assert found.id == name
    assert nothing is None


def test_polling_an_unknown_batch_raises_404(
    openai_server: OpenAIServer,
) -> None:
    async def conversation(client: BatchClient, vendor: BatchApi) -> None:
        await vendor.poll(client, "nobody")

    with pytest.raises(BatchApiError, match="404") as caught:
        talk(openai_server, conversation)
    assert caught.value.failure.status == 404


def test_azure_deployment_url_does_not_support_batches() -> None:
    at = "http://127.0.0.1:9/openai/deployments/judge?api-version=2024-10-21"
    provider = OpenAI(base_url=at, api_key="k", key_header="api-key")
    assert not provider.supports_batches
    assert provider._endpoint.batches is None


def test_azure_v1_url_supports_batches(azure_server: OpenAIServer) -> None:
    azure_server.script.say(score=3)

    async def conversation(client: BatchClient, vendor: BatchApi) -> bool:
        made = await vendor.submit(client, [vendor.line("k", body(azure_server, "one"))], label("k"))
        return (await vendor.poll(client, made.id)).ended

    assert talk(azure_server, conversation, key_header="api-key")
