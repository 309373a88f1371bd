import json

import pytest
from tests.providers.batches.batch_servers import body, label, talk
from tests.servers.anthropic import AnthropicServer

from ragstone.providers.batches.anthropic import AnthropicBatches
from ragstone.providers.batches.api import BatchApi, BatchApiError, BatchClient, BatchStatus, Unanswered
from ragstone.providers.http.failures import AttemptFailure


def test_batch_line_holds_custom_id_and_params() -> None:
    line = AnthropicBatches("http://vendor").line("k-1", b'{"model":"m"}')
    assert json.loads(line) == {"custom_id": "k-1", "params": {"model": "m"}}


def test_submit_takes_one_call_and_results_are_keyed(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script.say(score=3)
    for fate in ("expired", "failed", "cancelled"):
        anthropic_server.batches.plan(fate, matching=fate)

    async def conversation(client: BatchClient, vendor: BatchApi) -> tuple[BatchStatus, dict[str, object]]:
        texts = ("one", "expired", "failed", "cancelled")
        lines = [vendor.line(text, body(anthropic_server, text)) for text in texts]
        made = await vendor.submit(client, lines, label(*texts))
        seen = await vendor.poll(client, made.id)
        return seen, dict(await vendor.results(client, seen))

    seen, outcomes = talk(anthropic_server, conversation)
    assert (seen.total, seen.answered, seen.ended) == (4, 4, True)
    assert outcomes["expired"] is Unanswered.EXPIRED
    assert outcomes["cancelled"] is Unanswered.CANCELLED
    assert isinstance(outcomes["failed"], AttemptFailure)
    assert outcomes["failed"].again
    assert json.loads(outcomes["one"])["content"][0]["input"] == {"score": 3}  # type: ignore[arg-type]
    paths = [(request.method, request.path) for request in anthropic_server.requests]
    assert paths[0] == ("POST", "/v1/messages/batches")


def test_invalid_message_fails_in_the_batch_results(anthropic_server: AnthropicServer) -> None:
    async def conversation(client: BatchClient, vendor: BatchApi) -> object:
        made = await vendor.submit(client, [vendor.line("k", b'{"model":"m","wrong":1}')], label("k"))
        return dict(await vendor.results(client, await vendor.poll(client, made.id)))["k"]

    outcome = talk(anthropic_server, conversation)
    assert isinstance(outcome, AttemptFailure)
    assert (outcome.status, outcome.again) == (400, False)
    assert "in batch msgbatch_000001 answered 400" in outcome.message


@pytest.mark.parametrize(
    ("keys", "words"),
    [(("k", "k"), "duplicate custom_id"), (("k k",), "match pattern"), (("k" * 65,), "match pattern")],
)
def test_invalid_or_duplicate_keys_are_refused(
    anthropic_server: AnthropicServer, keys: tuple[str, ...], words: str
) -> None:
    async def conversation(client: BatchClient, vendor: BatchApi) -> None:
        await vendor.submit(client, [vendor.line(key, b"{}") for key in keys], label(*keys))

    with pytest.raises(BatchApiError, match=words):
        talk(anthropic_server, conversation)


def test_a_batch_is_found_by_the_keys_of_its_results(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script.say(score=3)
    anthropic_server.batches.delay = 0.2

    async def conversation(client: BatchClient, vendor: BatchApi) -> list[str | None]:
        made = [
            await vendor.submit(
                client, [vendor.line(key, body(anthropic_server, key)) for key in keys], label(*keys)
            )
            for keys in (("a", "b"), ("c", "d"), ("e",))
        ]
        asked = (
            label("a", "b"),
            label("c", "d"),
            label("c", "d", known=(made[1].id,)),
            label("e"),
            label("x", "y"),
        )
        found = [await vendor.find(client, wanted) for wanted in asked]
        names = {status.id: "abc"[place] for place, status in enumerate(made)}
        return [status and names[status.id] for status in found]

    assert talk(anthropic_server, conversation) == ["a", "b", None, "c", None]
