"""Draw what `ragstone demo` prints, up to its second case: `python docs/images/draw_demo.py`."""

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

WIDTH = 100
CASES = 2

command = [sys.executable, "-m", "ragstone", "demo", "--no-store"]
environment = {**os.environ, "FORCE_COLOR": "1", "COLORTERM": "truecolor", "COLUMNS": str(WIDTH)}
printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout
figures, cases = printed.split("WORST FIRST", 1)
starts = [found.start() for found in re.finditer(r"^ +\x1b\[2m\d+\x1b\[0m ", cases, re.MULTILINE)]
paper = Console(record=True, width=WIDTH, file=StringIO())
paper.print(Text.from_ansi(f"{figures}WORST FIRST{cases[: starts[CASES]]}".rstrip()))
svg = paper.export_svg(title="ragstone demo", theme=SVG_EXPORT_THEME)
svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # the viewer's own monospace will do
Path(__file__).with_name("demo.svg").write_text(svg, encoding="utf-8")
