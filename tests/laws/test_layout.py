"""Laws of the house: where things stand, and what may know what."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from tests.testing.for_each import for_each

from ragstone.prompts import Prompt

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ragstone"
FAMILIES = ("metrics", "prompts", "providers", "embeddings", "judges", "show/formats", "datasets")


def members(family: str) -> list[Path]:
    return [path for path in (SOURCE / family).glob("*.py") if not path.name.startswith("_")]


@for_each("path", members("metrics"))
def test_a_member_is_named_after_its_file(path: Path) -> None:
    module = import_module(f"ragstone.{path.parent.name}.{path.stem}")
    squeezed = path.stem.replace("_", "")
    assert any(
        name.lower() == squeezed and value.__module__ == module.__name__
        for name, value in vars(module).items()
        if isinstance(value, type)
    )


@for_each("path", members("prompts"))
def test_prompt_class_names_share_a_word_with_their_file(path: Path) -> None:
    """`JudgeBias` may stand in `judge_opinions.py`, `ExtractIntentions` in `judge_intentions.py`."""
    module = import_module(f"ragstone.prompts.{path.stem}")
    prompts = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Prompt) and value.__module__ == module.__name__
    ]
    words = {word.removesuffix("s") for word in path.stem.split("_")}
    assert prompts
    for name in prompts:
        assert words & {word.lower().removesuffix("s") for word in re.findall("[A-Z][a-z]+", name)}, name


@for_each("family", ["metrics", "prompts"])
def test_no_member_imports_another(family: str) -> None:
    names = {path.stem for path in members(family)}
    for path in members(family):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.ImportFrom)
                and node.module
                and node.module.startswith(f"ragstone.{family}.")
            ):
                assert node.module.rsplit(".", 1)[1] not in names, f"{path.name} imports {node.module}"


def test_every_source_file_has_a_docstring() -> None:
    for path in SOURCE.rglob("*.py"):
        assert ast.get_docstring(ast.parse(path.read_text())), f"{path} has no docstring"


def test_no_source_file_has_a_generic_name() -> None:
    banned = {"utils", "helpers", "common", "manager", "misc"}
    assert not [path for path in SOURCE.rglob("*.py") if path.stem.strip("_") in banned]


def test_the_import_contracts_are_kept_and_a_planted_import_breaks_them(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    kept = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert kept.returncode == 0, kept.stdout
    copy = tmp_path / "src"
    subprocess.run(["cp", "-r", str(ROOT / "src"), str(copy)], check=True)
    planted = copy / "ragstone" / "verdict.py"
    planted.write_text(planted.read_text() + "\nimport ragstone.runner  # planted\n")
    config = (ROOT / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(config)
    environment = {"PYTHONPATH": str(copy), "PATH": "/usr/bin:/bin"}
    broken = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )
    assert broken.returncode == 1
    assert "ragstone.verdict -> ragstone.runner" in broken.stdout
