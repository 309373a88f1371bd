"""The reference in Python: one page a public module, made from the docstrings of its public names.

Nothing is imported to build it; what a page holds is what the source says. `tests/laws/test_public_names.py` holds that
no public module is missing here and that every public name says what it means.
"""

import ast
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

MODULES = (
    "ragstone",
    "ragstone.api",
    "ragstone.metrics",
    "ragstone.judges",
    "ragstone.prompts",
    "ragstone.providers",
    "ragstone.embeddings",
    "ragstone.datasets",
    "ragstone.traces",
    "ragstone.drafts",
    "ragstone.findings",
    "ragstone.findings.comparison",
    "ragstone.findings.diagnosis",
    "ragstone.findings.flips",
    "ragstone.findings.gate",
    "ragstone.findings.sweep",
    "ragstone.findings.agreement",
    "ragstone.findings.exam",
    "ragstone.findings.judge_card",
    "ragstone.audit",
    "ragstone.applications",
    "ragstone.oracle",
    "ragstone.testing",
    "ragstone.store",
    "ragstone.dashboard",
    "ragstone.mcp",
    "ragstone.telemetry",
    "ragstone.push",
    "ragstone.guard",
    "ragstone.stats",
    "ragstone.runner",
    "ragstone.options",
    "ragstone.run",
    "ragstone.event",
    "ragstone.config",
    "ragstone.arguments",
    "ragstone.plugins",
    "ragstone.errors",
)
"""The public modules, in the order in which a reader meets them."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each public module."""
    source = Path(config.config_file_path).parent / "src"
    for module in MODULES:
        files.append(File.generated(config, f"reference/python/{module}.md", content=page(module, source)))
    return files


def page(module: str, source: Path) -> str:
    """The page of a module: its docstring, then each public name."""
    options = "    options: {members: false, show_root_heading: false, show_root_toc_entry: false}"
    names = "".join(f"\n::: {module}.{name}\n" for name in public_names(module, source))
    return f"# {module}\n\n::: {module}\n{options}\n{names}"


def public_names(module: str, source: Path) -> list[str]:
    """What `__all__` lists, or what is imported `as` itself; else every class and function without an underscore."""
    tree = ast.parse(_file(module, source).read_text(encoding="utf-8"))
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    if exported := [alias.name for node in imports for alias in node.names if alias.name == alias.asname]:
        return sorted(exported)
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return list(ast.literal_eval(node.value))
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")]


def _file(module: str, source: Path) -> Path:
    path = source.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
