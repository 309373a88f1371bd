"""The FastAPI application of the how-to page, served by uvicorn, asked by the command of the page."""

import shlex
import sys
import time
from importlib import import_module
from pathlib import Path
from threading import Thread

import pytest
import uvicorn
from tests.cli.command import invoke
from tests.docs._page import ROOT, blocks
from tests.docs._stage import furnish

from ragstone.findings.load import load_report

PAGE = ROOT / "docs" / "how-to" / "run-your-application.md"


def test_page_of_a_fastapi_application_word_by_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = list(blocks(PAGE))
    furnish(tmp_path, page)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    serve, ask = next(block.code for block in page if "uvicorn" in block.code).splitlines()[:2]
    module, name = serve.split()[1].split(":")
    app = getattr(import_module(module), name)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", lifespan="off"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        arguments = shlex.split(ask.replace(":8000", f":{port}"))[1:]
        done = invoke(*arguments, "-m", "faithfulness", "--no-store", "-o", "report.json")
    finally:
        server.should_exit = True
        thread.join()
        for imported in ("api", "my_app"):
            sys.modules.pop(imported, None)
    assert done.exit_code == 3, done.output  # of three questions one has no document
    harlow, wexley, calder = load_report("report.json").cases
    assert (harlow.retrieved_ids, wexley.retrieved_ids) == (("harlow",), ("wexley",))
    assert harlow.retrieval_context == ("The Harlow Bridge was opened in 1902.",)
    assert harlow.metadata["tokens"] == {"input": 640, "output": 12}
    assert "Internal Server Error" in calder.metadata["application_error"]
