import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import pytest
from tests.servers import faults
from tests.servers._server import JudgeServer
from tests.servers.faults import Fault, FaultPlan
from tests.servers.openai import OpenAIServer
from tests.servers.wire import BODIES, HEADERS, PATHS, chat, content, post, talk
from tests.testing.for_each import for_each

Schema = dict[str, Any]


def send(server: JudgeServer, schema: Schema, **options: Any) -> tuple[int, str, dict[str, str]]:
    async def conversation(session: aiohttp.ClientSession) -> tuple[int, str, dict[str, str]]:
        url = server.origin + PATHS[server.vendor]
        body = BODIES[server.vendor](schema)
        async with session.post(url, json=body, headers=HEADERS[server.vendor], **options) as response:
            return response.status, await response.text(), dict(response.headers)

    return talk(conversation)


@pytest.fixture
def server(any_server: JudgeServer) -> JudgeServer:
    any_server.script.say(verdicts=["yes", "no"])
    return any_server


@pytest.mark.parametrize("form", ["seconds", "date", "ms", "none"])
def test_rate_limit_sends_retry_after_in_each_form(server: JudgeServer, schema: Schema, form: Any) -> None:
    server.faults.add(faults.rate_limited(2, form=form), nth=1)
    code, _, headers = send(server, schema)
    assert code == 429
    told = {name.lower(): value for name, value in headers.items()}
    match form:
        case "seconds":
            assert told["retry-after"] == "2"
        case "date":
            assert -1 <= (parsedate_to_datetime(told["retry-after"]) - datetime.now(UTC)).total_seconds() <= 2
        case "ms":
            assert told["retry-after-ms"] == "2000"
        case _:
            assert not {"retry-after", "retry-after-ms"} & set(told)
    assert send(server, schema)[0] == 200


@pytest.mark.parametrize("code", [400, 401, 403, 404, 500, 502, 503, 529])
def test_error_status_has_the_vendors_error_body(server: JudgeServer, schema: Schema, code: int) -> None:
    server.faults.add(faults.status(code, "No."))
    status, text, _ = send(server, schema)
    assert status == code
    said = json.loads(text)["error"]
    assert (said if server.vendor == "ollama" else said["message"]) == "No."


def test_reset_fault_raises_client_os_error(server: JudgeServer, schema: Schema) -> None:
    server.faults.add(faults.reset(), nth=1)
    with pytest.raises(aiohttp.ClientOSError) as caught:
        send(server, schema)
    assert isinstance(caught.value, ConnectionResetError | aiohttp.ClientOSError)
    assert send(server, schema)[0] == 200


def test_stall_fault_times_out(server: JudgeServer, schema: Schema) -> None:
    server.faults.add(faults.stall(), nth=1)
    with pytest.raises(TimeoutError):
        send(server, schema, timeout=aiohttp.ClientTimeout(total=0.2))
    assert send(server, schema)[0] == 200


def test_a_server_closes_at_once_while_a_call_stalls(schema: Schema) -> None:
    async def conversation(session: aiohttp.ClientSession) -> None:
        with OpenAIServer() as server:
            server.faults.add(faults.stall())
            url = server.origin + PATHS["openai"]
            call = asyncio.create_task(session.post(url, json=chat(schema), headers=HEADERS["openai"]))
            while not server.traffic.statuses:  # noqa: ASYNC110 - another thread's list, no event reaches here
                await asyncio.sleep(0.01)
        with pytest.raises(aiohttp.ClientError):
            await call

    talk(conversation)


def test_truncated_fault_raises_payload_error(server: JudgeServer, schema: Schema) -> None:
    server.faults.add(faults.truncated(), nth=1)
    with pytest.raises(aiohttp.ClientPayloadError):
        send(server, schema)
    assert send(server, schema)[0] == 200


def test_proxy_page_fault_returns_html(server: JudgeServer, schema: Schema) -> None:
    server.faults.add(faults.proxy_page(502))
    code, text, headers = send(server, schema)
    assert code == 502
    assert text.startswith("<html>")
    assert headers["Content-Type"].startswith("text/html")


def test_wrong_content_type_fault_keeps_the_valid_answer(server: JudgeServer, schema: Schema) -> None:
    server.faults.add(faults.wrong_content_type())
    code, text, headers = send(server, schema)
    assert code == 200
    assert headers["Content-Type"].startswith("text/plain")
    assert "yes" in content(server.vendor, json.loads(text))


def parses(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("fault", "sign"),
    [
        (faults.invalid_json(), lambda text: text.startswith("{")),
        (faults.fenced(), lambda text: text.startswith("```json\n{") and text.endswith("}\n```")),
        (faults.prose_around(), lambda text: text.startswith("Here is") and "{" in text),
    ],
)
def test_text_faults_make_the_answer_invalid_json(
    server: JudgeServer, schema: Schema, fault: Fault, sign: Callable[[str], bool]
) -> None:
    server.faults.add(fault)
    text = content(server.vendor, json.loads(send(server, schema)[1]))
    assert sign(text)
    assert not parses(text)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (faults.one_too_few(), ["yes"]),
        (faults.one_too_many(), ["yes", "no", "no"]),
        (faults.chatty_verdicts(), ["Yes.", "No, because the passage says otherwise."]),
    ],
)
def test_verdict_faults_change_count_or_wording(
    openai_server: OpenAIServer, schema: Schema, fault: Fault, expected: list[str]
) -> None:
    openai_server.script.say(verdicts=["yes", "no"])
    openai_server.faults.add(fault)
    answer = json.loads(content("openai", post(openai_server, chat(schema))[1]))
    assert [entry["verdict"] for entry in answer["verdicts"]] == expected


def test_invalid_request_is_rejected_before_any_fault(openai_server: OpenAIServer) -> None:
    openai_server.faults.add(faults.status(500))
    assert post(openai_server, {"model": "m", "messages": [], "x": 1})[0] == 400


def struck(plan: FaultPlan, texts: list[str]) -> list[int]:
    return [call for call, text in enumerate(texts, 1) if plan.pick(text) is not None]


@for_each(
    "when, expected",
    [
        ({}, [1, 2, 3, 4, 5, 6]),
        ({"nth": 2}, [2]),
        ({"nth": (1, 4)}, [1, 4]),
        ({"every": 3}, [3, 6]),
        ({"times": 2}, [1, 2]),
        ({"every": 2, "times": 2}, [2, 4]),
        ({"matching": "even"}, [2, 4, 6]),
        ({"matching": "even", "nth": 2}, [4]),
    ],
)
def test_fault_schedule_by_nth_every_and_times(when: Any, expected: list[int]) -> None:
    plan = FaultPlan()
    plan.add(faults.stall(), **when)
    assert struck(plan, ["odd", "even"] * 3) == expected


def test_first_due_fault_wins_and_all_rules_count_requests() -> None:
    plan = FaultPlan()
    plan.add(faults.stall(), nth=1)
    plan.add(faults.reset(), nth=(1, 2))
    picked = [plan.pick("x") for _ in range(3)]
    assert [fault and fault.name for fault in picked] == ["stall", "reset", None]
