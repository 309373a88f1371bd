"""The page "Life of a verdict" lists the functions that a real run goes through, in order, and they are few."""

import json
import re
import sys
from pathlib import Path

import pytest
from tests.cli.command import invoke
from tests.docs.call_chain import ChainRecorder
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "life-of-a-verdict.md"
MOST = 30
TEXT = "It opened in 1902."

pytestmark = pytest.mark.skipif(sys.gettrace() is not None, reason="a tracer changes what is called")


@pytest.fixture
def chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    dataset = tmp_path / "x.jsonl"
    dataset.write_text(json.dumps({"input": "q", "actual_output": TEXT, "retrieval_context": [TEXT]}))
    with serving(OpenAIServer(Script(claims=[TEXT], truths=[TEXT], verdicts=["yes"]))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        arguments = ("run", dataset, "-m", "faithfulness", "--judge", "openai", "--no-cache", "-q")
        invoke(*arguments)  # whatever is imported on first use is imported now
        with ChainRecorder() as recorder:
            done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    names = recorder.chain
    return names[names.index("cli.run:command") :]


def test_at_most_thirty_functions_lie_between_the_command_and_the_socket(chain: list[str]) -> None:
    assert len(chain) <= MOST, "\n".join(chain)


def test_page_lists_exactly_the_called_functions(chain: list[str]) -> None:
    listed = re.findall(r"^\d+\. `([\w.]+:[\w.]+)`", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert listed == chain, "\n".join(chain)
