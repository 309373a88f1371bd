"""Tokens of machines, by name: for the API and for the trace receiver, until they expire or are revoked."""

import json
from pathlib import Path

import pytest
from tests.cli.command import invoke
from tests.dashboard import client
from tests.dashboard.runs import keep
from tests.dashboard.site import served

from ragstone.dashboard.otlp.intake import Intake
from ragstone.dashboard.otlp.server import Receiver
from ragstone.dashboard.security import refused
from ragstone.dashboard.security.credentials import Credentials

TOKEN = "a-token-of-this-test"
SPANS = json.dumps({"resourceSpans": []})


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_token_works_with_its_role_until_it_is_revoked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "runs.sqlite3"
    with served(path, credentials=Credentials(TOKEN)) as site:
        run = keep(site.store).run.id
        made = client.post(
            f"{site.url}/api/tokens",
            headers=_bearer(TOKEN),
            json={"name": "ci", "role": "reader", "days": 30},
        )
        secret = made.json()["token"]
        page = client.post(f"{site.url}/tokens", headers=_bearer(TOKEN), data={"name": "ci", "role": "owner"})
        assert (made.status_code, page.status_code, "names are not used twice" in page.text) == (
            201,
            400,
            True,
        )
        assert client.get(f"{site.url}/api/runs/{run}", headers=_bearer(secret)).status_code == 200
        deletion = client.delete(f"{site.url}/api/runs/{run}", headers=_bearer(secret))
        assert (deletion.status_code, "which may not delete runs" in deletion.text) == (403, True)
        assert secret not in client.get(f"{site.url}/api/tokens", headers=_bearer(TOKEN)).text
        assert client.post(f"{site.url}/tokens/ci/revoke", headers=_bearer(TOKEN)).status_code == 303
        refused = client.get(f"{site.url}/api/runs", headers=_bearer(secret))
        assert (refused.status_code, "The token 'ci' is revoked since" in refused.text) == (401, True)
        assert secret not in caplog.text
        assert "refused GET /api/runs from 127.0.0.1: The token 'ci' is revoked since" in caplog.text
        assert client.get(f"{site.url}/api/runs", headers=_bearer(f"{secret[:-1]}_")).status_code == 401
    shown = json.loads(invoke("audit", "--json", "--store", str(path)).stdout)
    assert [(line["action"], line["kind"], line["subject"]) for line in shown] == [
        ("revoke_token", "page", "ci"),
        ("make_token", "page", "ci"),
    ]


def test_live_stream_ends_when_its_token_is_revoked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refused, "CHECK_SECONDS", 0.0)
    with served(tmp_path / "runs.sqlite3", credentials=Credentials(TOKEN)) as site:
        stored = keep(site.store)
        made = client.post(
            f"{site.url}/api/tokens", headers=_bearer(TOKEN), json={"name": "wall", "role": "reader"}
        )
        secret = made.json()["token"]
        with client.stream("GET", f"{site.url}/live?seen=old", headers=_bearer(secret)) as live:
            lines = live.iter_lines()
            assert next(lines) == "event: runs"
            client.delete(f"{site.url}/api/tokens/wall", headers=_bearer(TOKEN))
            site.store.label(stored, "renamed", ())
            assert "event: runs" not in list(lines)
    assert "refused GET /live from 127.0.0.1: The token 'wall' is revoked" in caplog.text
    assert "Exception" not in caplog.text


def test_sender_sends_traces_and_reads_nothing(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    secret = invoke("token", "shop", "--role", "sender", "--store", str(path)).stdout.strip()
    kind = {"Content-Type": "application/json"}
    with served(path) as site:
        intake = Intake(site.store.traces)
        receiver = Receiver(intake, Credentials(TOKEN), host="127.0.0.1", port=0).start()
        url = f"http://127.0.0.1:{receiver.port}"
        try:
            sent = client.post(f"{url}/v1/traces", headers=_bearer(secret) | kind, content=SPANS)
            assert sent.status_code == 200
            assert client.get(f"{url}/status", headers=_bearer(secret)).status_code == 200
            assert (
                client.post(f"{url}/v1/traces", headers=_bearer("wrong") | kind, content=SPANS).status_code
                == 401
            )
            for read in ("/", "/api/runs", "/api/feedback", "/tokens"):
                answer = client.get(site.url + read, headers=_bearer(secret))
                assert (answer.status_code, "shop has the role sender" in answer.text) == (403, True)
            said = client.post(
                f"{site.url}/api/feedback",
                headers=_bearer(secret),
                json={"trace_id": "a" * 32, "thumb": "up"},
            )
            assert said.status_code == 201, said.text
            assert invoke("token", "shop", "--revoke", "--store", str(path)).exit_code == 0
            for where in (f"{url}/v1/traces", f"{site.url}/api/feedback"):  # also where no token is required
                assert client.post(where, headers=_bearer(secret) | kind, content=SPANS).status_code == 401
        finally:
            receiver.stop()
    assert [
        token["state"] for token in json.loads(invoke("token", "--json", "--store", str(path)).stdout)
    ] == ["revoked"]
    lines = invoke("audit", "shop", "--store", str(path)).stdout
    assert "revoke token  shop" in lines
    assert "make token  shop" in lines


def test_changes_by_commands_stand_in_the_audit_log(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    with served(path) as site:
        run = keep(site.store).run.id
        named = client.put(f"{site.url}/api/baselines/main", json={"run": run})
        client.post(
            f"{site.url}/runs/{run}/baseline",
            data={"name": "nightly"},
            cookies={"ragstone_annotator": "dora"},
        )
        assert named.status_code == 200
    assert invoke("baseline", "main", "--remove", "--store", str(path)).exit_code == 0
    assert invoke("delete", run, "--yes", "--store", str(path)).exit_code == 0
    found = json.loads(invoke("audit", "--json", "--store", str(path)).stdout)
    assert [(line["kind"], line["action"], line["subject"], line["detail"]) for line in found] == [
        ("command", "delete", run, "kept"),
        ("command", "baseline", "", "removed main"),
        ("page", "baseline", run, "nightly"),
        ("page", "baseline", run, "main"),
    ]
    assert [line["name"] for line in found[2:]] == ["dora", ""]


def test_token_of_an_annotator_writes_under_its_own_name_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    with served(path) as site:
        run = keep(site.store).run.id
        about = f"{site.url}/api/runs/{run}/annotations"
        tool, importer = (
            _bearer(invoke("token", name, "--role", role, "--store", str(path)).stdout.strip())
            for name, role in (("tool", "annotator"), ("importer", "owner"))
        )
        verdict = {"index": 0, "annotator": "ada", "verdict": "no"}
        assert client.put(about, json=verdict, headers=importer).status_code == 200
        refused = client.put(about, json={**verdict, "verdict": "yes"}, headers=tool)
        assert (refused.status_code, "this is the token 'tool'" in refused.text) == (403, True)
        assert client.delete(f"{about}?index=0&annotator=ada", headers=tool).status_code == 403
        assert client.put(about, json={**verdict, "annotator": "tool"}, headers=tool).status_code == 200
        found = site.store.annotations.of(site.store.find(run).number)
    assert sorted((item.annotator, item.verdict) for item in found) == [("ada", "no"), ("tool", "no")]
