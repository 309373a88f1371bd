"""A project of a user's own, in whose folder pytest runs as a process of its own with the plug-in installed."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.testing import forked

ROOT = Path(__file__).parents[2]
_OTHERS = (
    "cacheprovider",
    "asyncio",
    "hypothesispytest",
    "inline_snapshot",
    "langsmith_plugin",
    "schemathesis",
)
_OTHERS_OFF = " ".join(f"-p no:{name}" for name in _OTHERS)
SCRIPTED = """
import pytest
from ragstone.judges import ScriptedJudge
from ragstone.prompts import *

@pytest.fixture
def judge():
    return (
        ScriptedJudge()
        .respond(ExtractTruths, {"truths": ["Truth 1"]})
        .respond("LIES", {"claims": [f"Lie {number}" for number in range(5)]})
        .respond("Lie 1", {"verdicts": [{"reason": "It is not there.", "verdict": "no"}] * 3
                                       + [{"reason": None, "verdict": "yes"}] * 2})
        .respond(ExtractClaims, {"claims": [f"Claim {number}" for number in range(5)]})
        .respond(JudgeClaims, {"verdicts": [{"reason": None, "verdict": "yes"}] * 5})
    )
"""


class Project:
    """A folder with tests in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        installed = path / ".site" / "ragstone-0.1.0.dist-info"
        installed.mkdir(parents=True)
        (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: ragstone\nVersion: 0.1.0\n")
        (installed / "entry_points.txt").write_text("[pytest11]\nragstone = ragstone.pytest_plugin\n")
        self.write(
            "pytest.ini", f"[pytest]\naddopts = --strict-markers {_OTHERS_OFF}\nfilterwarnings = error\n"
        )

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run pytest, as a process whose imports are done already."""
        return forked.run(["-m", "pytest", *arguments], cwd=self.path, env=self._variables(environment))

    def run_anew(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run pytest in a Python that has imported nothing before."""
        command = [sys.executable, "-m", "pytest", *arguments]
        return subprocess.run(
            command, cwd=self.path, env=self._variables({}), capture_output=True, text=True, check=False
        )

    def _variables(self, own: dict[str, str]) -> dict[str, str]:
        python_path = os.pathsep.join(
            (str(self.path / ".site"), str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", ""))
        )
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "RAGSTONE_"))
        }
        return {**kept, "PYTHONPATH": python_path, "PYTHONDONTWRITEBYTECODE": "1", **own}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def lines() -> Callable[[str], str]:
    """The lines that pytest marks with E, as the failed assertion said them."""

    def pick(output: str) -> str:
        said = [line[1:].removeprefix("       ") for line in output.splitlines() if line.startswith("E ")]
        return "\n".join(line.rstrip() for line in said)

    return pick
