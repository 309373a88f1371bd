"""In a notebook: `evaluate` runs inside the kernel's loop, and the report shows as HTML."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

nbformat: Any = pytest.importorskip("nbformat")
nbclient: Any = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

CELLS = [
    "from ragstone import evaluate, aevaluate\nfrom ragstone.metrics import Faithfulness",
    "report = evaluate('demo', ['faithfulness', 'answer_relevancy'], limit=3)\nreport",
    "report = await aevaluate('demo', 'faithfulness', limit=2)\nlen(report.results)",
    "from ragstone import load_dataset\nprint(Faithfulness().measure(load_dataset('demo')[0]))",
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::UserWarning")
def test_notebook_shows_progress_and_report_as_html(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3", allow_errors=False).execute()
    imported, shown, awaited, printed = (cell.outputs for cell in notebook.cells)
    assert not imported
    progress = shown[0]
    assert progress.output_type == "display_data"
    assert re.fullmatch(r"measured 6 results in .* · judge local", progress.data["text/plain"])
    assert "measured 6 results" in progress.data["text/html"]
    assert sum("measured" in str(output) for output in shown[:-1]) == 1  # one line, updated in its place
    html = shown[-1].data["text/html"]
    assert "Faithfulness" in html
    assert "AnswerRelevancy" in html
    assert "<script" not in html
    assert awaited[-1].data["text/plain"] == "2"
    assert printed[-1].text.startswith("Faithfulness: ")
