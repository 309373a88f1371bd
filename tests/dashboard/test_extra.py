"""The page is an extra: without what it needs a command says what to install, and nothing else needs it."""

import subprocess
import sys

from tests.testing.for_each import for_each
from tests.testing.forked import ROOT

WITHOUT = "import sys; sys.modules[{module!r}] = None; from ragstone.cli import main; main()"


@for_each("module", ["fastapi", "jinja2", "prometheus_client", "python_multipart", "uvicorn"])
def test_serve_names_the_extra_where_it_is_absent(module: str) -> None:
    command = [sys.executable, "-c", WITHOUT.format(module=module), "serve", "--port", "0"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "pip install 'ragstone[serve]'" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_demo_runs_without_the_server_packages() -> None:
    blocked = "; ".join(
        f"sys.modules[{name!r}] = None" for name in ("fastapi", "starlette", "jinja2", "uvicorn")
    )
    shared = (
        "from tests.testing import encoded_pairs, no_workers; encoded_pairs.share(); no_workers.start_none()"
    )
    command = f"import sys; {blocked}; {shared}; from ragstone.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", command, "demo", "--no-store"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode in (0, 1), ended.stderr
    assert "Faithfulness" in ended.stdout + ended.stderr
