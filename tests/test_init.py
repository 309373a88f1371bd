import re
import subprocess
import sys
import tomllib
from pathlib import Path

import ragstone


def test_public_names_are_sorted_and_importable() -> None:
    assert ragstone.__all__ == sorted(ragstone.__all__)
    assert all(getattr(ragstone, name) is not None for name in ragstone.__all__)


def test_importing_ragstone_imports_nothing_heavy() -> None:
    heavy = ("pydantic", "numpy", "aiohttp", "rich", "click")
    code = f"import ragstone, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_evaluate_builds_no_schema() -> None:
    """Building one looks for pydantic's plug-ins in every installed package, and takes longest of all."""
    code = "from ragstone import evaluate; import sys; print('pydantic.plugin._loader' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_version_is_the_same_in_every_file() -> None:
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    cited = re.findall(r"^version: (.+)$", (root / "CITATION.cff").read_text(), re.MULTILINE)
    assert [project["version"], *cited] == [ragstone.__version__] * 2
