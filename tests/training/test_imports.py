"""What the modules of `training` import of each other exists: most need packages that the tests do not have."""

import ast
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "training"
MODULES = {path.stem: ast.parse(path.read_text("utf-8")) for path in FOLDER.glob("*.py")}


def defined(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def imported() -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for name, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "training":
                _, _, source = (node.module or "").partition(".")
                found += [(name, source, alias.name) for alias in node.names]
    return found


def test_every_name_that_is_imported_is_defined() -> None:
    assert len(imported()) > 40
    missing = [
        (name, source, wanted)
        for name, source, wanted in imported()
        if wanted not in (defined(MODULES[source]) if source else MODULES)
    ]
    assert missing == []


def test_every_step_of_the_agreement_depends_on_modules_that_exist() -> None:
    assigned = next(
        node
        for node in MODULES["agreement"].body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "STEPS"
    )
    assert assigned.value is not None
    names = {
        node.value
        for node in ast.walk(assigned.value)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert names
    assert names <= MODULES.keys()
