"""Draw the report of the packaged demo as the README shows it: `python docs/images/draw_demo.py`."""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

from ragstone import evaluate
from ragstone.cli.demo import METRICS
from ragstone.findings.console.report import show

terminal = Console(
    width=100, file=StringIO(), force_terminal=True, color_system="truecolor", markup=False, highlight=False
)
show(evaluate("demo", METRICS, name="ragstone demo"), terminal, cases=2)
paper = Console(record=True, width=100, file=StringIO())
paper.print(Text.from_ansi(terminal.file.getvalue()))  # type: ignore[attr-defined]
svg = paper.export_svg(title="ragstone demo", theme=SVG_EXPORT_THEME)
svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # the viewer's own monospace will do
Path(__file__).with_name("demo.svg").write_text(svg, encoding="utf-8")
