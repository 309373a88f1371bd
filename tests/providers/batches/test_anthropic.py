import json

import pytest
from tests.providers.batches.talking import body, label, talk
from tests.servers.anthropic import AnthropicServer

from ragstone.providers._fault import Fault
from ragstone.providers.batches._batch import Standing, Undone, Vendor
from ragstone.providers.batches._errand import Errand, Mishap
from ragstone.providers.batches.anthropic import AnthropicBatches


def test_a_request_is_an_entry_with_its_params() -> None:
    line = AnthropicBatches("http://vendor").line("k-1", b'{"model":"m"}')
    assert json.loads(line) == {"custom_id": "k-1", "params": {"model": "m"}}


def test_a_batch_is_made_in_one_call_and_answers_come_by_key(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script.say(score=3)
    for fate in ("expired", "failed", "cancelled"):
        anthropic_server.batches.plan(fate, matching=fate)

    async def conversation(errand: Errand, vendor: Vendor) -> tuple[Standing, dict[str, object]]:
        texts = ("one", "expired", "failed", "cancelled")
        lines = [vendor.line(text, body(anthropic_server, text)) for text in texts]
        made = await vendor.submit(errand, lines, label(*texts))
        seen = await vendor.look(errand, made.id)
        return seen, dict(await vendor.results(errand, seen))

    seen, outcomes = talk(anthropic_server, conversation)
    assert (seen.total, seen.answered, seen.ended) == (4, 4, True)
    assert outcomes["expired"] is Undone.EXPIRED
    assert outcomes["cancelled"] is Undone.CANCELLED
    assert isinstance(outcomes["failed"], Fault)
    assert outcomes["failed"].again
    assert json.loads(outcomes["one"])["content"][0]["input"] == {"score": 3}  # type: ignore[arg-type]
    paths = [(request.method, request.path) for request in anthropic_server.requests]
    assert paths[0] == ("POST", "/v1/messages/batches")


def test_what_is_wrong_with_one_message_is_told_with_the_results(anthropic_server: AnthropicServer) -> None:
    async def conversation(errand: Errand, vendor: Vendor) -> object:
        made = await vendor.submit(errand, [vendor.line("k", b'{"model":"m","wrong":1}')], label("k"))
        return dict(await vendor.results(errand, await vendor.look(errand, made.id)))["k"]

    outcome = talk(anthropic_server, conversation)
    assert isinstance(outcome, Fault)
    assert (outcome.status, outcome.again) == (400, False)
    assert "in batch msgbatch_000001 answered 400" in outcome.message


@pytest.mark.parametrize(
    ("keys", "words"),
    [(("k", "k"), "duplicate custom_id"), (("k k",), "match pattern"), (("k" * 65,), "match pattern")],
)
def test_keys_that_are_no_keys_or_come_twice_are_refused_at_once(
    anthropic_server: AnthropicServer, keys: tuple[str, ...], words: str
) -> None:
    async def conversation(errand: Errand, vendor: Vendor) -> None:
        await vendor.submit(errand, [vendor.line(key, b"{}") for key in keys], label(*keys))

    with pytest.raises(Mishap, match=words):
        talk(anthropic_server, conversation)


def test_a_batch_is_found_by_the_keys_of_its_results(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script.say(score=3)
    anthropic_server.batches.delay = 0.2

    async def conversation(errand: Errand, vendor: Vendor) -> list[str | None]:
        made = [
            await vendor.submit(
                errand, [vendor.line(key, body(anthropic_server, key)) for key in keys], label(*keys)
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
        found = [await vendor.find(errand, wanted) for wanted in asked]
        names = {standing.id: "abc"[place] for place, standing in enumerate(made)}
        return [standing and names[standing.id] for standing in found]

    assert talk(anthropic_server, conversation) == ["a", "b", None, "c", None]
