"""Draw a notebook with a report in it: `python docs/images/draw_notebook.py`. Needs nbclient, playwright and Chromium."""

import html
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from playwright.sync_api import sync_playwright
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

CELLS = [
    "from ragstone import evaluate",
    'report = evaluate("demo", ["faithfulness", "answer_relevancy", "contextual_precision"])\nreport',
]
STYLE = """
body { margin: 0; padding: 28px 36px 0 12px; background: #fff; font: 14px/1.5 system-ui, sans-serif; width: 1132px }
.cell { display: grid; grid-template-columns: 72px 1fr; margin-bottom: 10px }
.prompt { font: 12.5px/1.6 ui-monospace, Menlo, monospace; color: #5b7a99; text-align: right; padding: 8px 10px 0 0 }
.code { background: #f7f7f5; border: 1px solid #e2e2de; border-radius: 3px; padding: 7px 12px }
.code pre { margin: 0; font: 13.5px/1.6 ui-monospace, Menlo, monospace }
.shown { padding: 4px 0 6px; overflow: hidden }
"""


def executed() -> nbformat.NotebookNode:
    """Return the notebook after a real kernel has run it."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook


def page(notebook: nbformat.NotebookNode) -> str:
    """Return the notebook as a page."""
    formatter = HtmlFormatter(nowrap=True, style="default", noclasses=True)
    parts = [f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>"]
    for cell in notebook.cells:
        code = highlight(cell.source, PythonLexer(), formatter)
        parts.append(
            f'<div class="cell"><div class="prompt">[{cell.execution_count}]:</div><div class="code"><pre>{code}</pre></div></div>'
        )
        for output in cell.outputs:
            shown = output.data.get("text/html") or f"<pre>{html.escape(output.data['text/plain'])}</pre>"
            parts.append(
                f'<div class="cell"><div class="prompt"></div><div class="shown">{shown}</div></div>'
            )
    return "".join(parts)


def main() -> None:
    """Write notebook.png."""
    with sync_playwright() as driver:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        path = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium"
        browser = driver.chromium.launch(executable_path=path, args=options)
        view = browser.new_page(viewport={"width": 1180, "height": 900}, device_scale_factor=1.5)
        view.set_content(page(executed()))
        view.screenshot(
            path=Path(__file__).with_name("notebook.png"), clip={"x": 0, "y": 0, "width": 1180, "height": 900}
        )
        browser.close()


main()
