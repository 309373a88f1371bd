import asyncio
import threading
from typing import Any

import aiohttp
import pytest
from tests.servers._server import SCRIPT_STATUS, JudgeServer
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script
from tests.servers.wire import BODIES, HEADERS, PATHS, chat, post, talk

Schema = dict[str, Any]


def ask_at_once(server: JudgeServer, schema: Schema, calls: int) -> list[int]:
    async def conversation(session: aiohttp.ClientSession) -> list[int]:
        async def one() -> int:
            url = server.origin + PATHS[server.vendor]
            body = BODIES[server.vendor](schema)
            async with session.post(url, json=body, headers=HEADERS[server.vendor]) as response:
                await response.read()
                return response.status

        return list(await asyncio.gather(*(one() for _ in range(calls))))

    return talk(conversation)


def test_calls_in_flight_and_connections_are_counted(any_server: JudgeServer, schema: Schema) -> None:
    any_server.script.say(verdicts=["yes"])
    any_server.latency = 0.2
    assert ask_at_once(any_server, schema, 8) == [200] * 8
    assert any_server.peak_in_flight == 8
    assert any_server.traffic.in_flight == 0
    assert any_server.connections == 8
    assert [ask.number for ask in any_server.asked] == list(range(1, 9))


def test_a_kept_connection_is_one(schema: Schema, openai_server: OpenAIServer) -> None:
    openai_server.script.say(verdicts=["yes"])

    async def conversation(session: aiohttp.ClientSession) -> None:
        for _ in range(3):
            url = openai_server.origin + PATHS["openai"]
            async with session.post(url, json=chat(schema), headers=HEADERS["openai"]) as response:
                await response.read()

    talk(conversation)
    assert openai_server.connections == 1
    assert len(openai_server.requests) == 3


def test_script_error_is_sent_to_client_and_recorded_in_complaints(schema: Schema) -> None:
    with OpenAIServer() as server:
        status, payload = post(server, chat(schema))
    assert status == SCRIPT_STATUS
    assert "asks for 'verdicts'" in payload["error"]["message"]
    assert "asks for 'verdicts'" in server.complaints[0]


def test_serving_fails_the_test_after_a_script_error(schema: Schema) -> None:
    with pytest.raises(pytest.fail.Exception, match="asks for 'verdicts'"), serving(OpenAIServer()) as server:
        post(server, chat(schema))


def test_body_that_is_not_a_json_object_is_rejected(openai_server: OpenAIServer) -> None:
    assert post(openai_server, ["x"])[0] == 400

    async def conversation(session: aiohttp.ClientSession) -> tuple[int, int]:
        url = openai_server.origin + PATHS["openai"]
        async with session.post(url, data=b"{", headers={"Content-Type": "application/json"}) as torn:
            pass
        async with session.post(url, data=b"{}", headers={"Content-Type": "text/plain"}) as plain:
            pass
        return torn.status, plain.status

    assert talk(conversation) == (400, 415)


def test_a_closed_server_leaves_no_thread(schema: Schema) -> None:
    before = set(threading.enumerate())
    with OpenAIServer(Script(verdicts=["yes"])) as server:
        assert ask_at_once(server, schema, 4) == [200] * 4
    assert set(threading.enumerate()) <= before
