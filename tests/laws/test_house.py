"""Laws about names and imports: what a newcomer may rely on when reading the source tree.

Each law reads the syntax trees of `src/ragstone`; nothing is imported.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ragstone"

SAME_NAME = {
    "_Message": "one vendor's JSON each",
    "_Reply": "one vendor's JSON each",
    "_Usage": "one vendor's JSON each",
    "_Alternative": "one vendor's JSON each",
    "_Scored": "one vendor's JSON each",
    "_Batch": "one vendor's JSON each",
    "_Counts": "one vendor's JSON each",
    "_Page": "one vendor's JSON each",
}
"""Data-transfer schemas that may share a name, each with its reason."""

BANNED = frozenset(
    {
        "announcer",
        "appetite",
        "bench",
        "beholder",
        "clerk",
        "course",
        "crew",
        "crewman",
        "deed",
        "desk",
        "dismiss",
    }
    | {
        "door",
        "dossier",
        "errand",
        "felt",
        "foreman",
        "hand",
        "hear",
        "heed",
        "hire",
        "hireling",
        "ink",
    }
    | {
        "keeping",
        "knock",
        "lane",
        "lasting",
        "manieth",
        "mishap",
        "office",
        "outbox",
        "painting",
        "panel",
        "purse",
    }
    | {
        "roll",
        "salvaged",
        "scoreboard",
        "seat",
        "shelf",
        "shipment",
        "showcase",
        "slate",
        "stand",
        "standing",
    }
    | {"stomach", "suspects", "undone", "unrehearsed", "wish"}
)
"""Household words for technical things. Each has a plain name in the glossary."""

MOST_IN_A_FOLDER = 25
FAMILIES = ("cli", "metrics", "prompts", "stats")
"""Folders in which every plain file is a member, named after it: a command, a metric, prompts, a statistic."""


@cache
def trees() -> dict[str, ast.Module]:
    """Return module name → syntax tree of every source file; migrations, which are history, left out."""
    found: dict[str, ast.Module] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def test_no_class_name_is_defined_twice() -> None:
    """Counted: every `class` statement at any depth; the second place of a name that is not in SAME_NAME."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module)
    twice = {name: found for name, found in places.items() if len(found) > 1 and name not in SAME_NAME}
    assert not twice


def test_no_identifier_contains_a_banned_word() -> None:
    """Counted: names of modules, classes, functions, parameters, variables, attributes and keywords, word by word."""
    found: Counter[str] = Counter()
    for module, tree in trees().items():
        for identifier in {*_identifiers(tree), *module.split(".")}:
            for word in _words(identifier) & BANNED:
                found[f"{word} in {module}: {identifier}"] += 1
    assert not found


def test_no_import_cycle_not_even_inside_functions_or_for_types() -> None:
    """Counted: groups of modules that import each other, function-local and TYPE_CHECKING imports included."""
    graph = {module: set(_imports(module, tree)) for module, tree in trees().items()}
    assert not list(_cycles(graph))


def test_every_function_and_class_without_underscore_has_a_docstring() -> None:
    """Counted: at module level and in classes, private classes included; functions inside functions are not."""
    bare = [
        f"{module}: {node.name}"
        for module, tree in trees().items()
        for node in _definitions(tree)
        if not node.name.startswith("_") and not ast.get_docstring(node) and not _is_overload(node)
    ]
    assert not bare


def test_number_of_files_in_a_folder_is_limited() -> None:
    """Counted: Python files straight in one folder, `__init__.py` and the members of a family left out."""
    counts = Counter(
        path.parent.relative_to(SOURCE)
        for path in SOURCE.rglob("*.py")
        if path.name != "__init__.py" and not _is_member(path) and path.parent.name != "versions"
    )
    assert not {str(folder): count for folder, count in counts.items() if count > MOST_IN_A_FOLDER}


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(scope: ast.AST) -> Iterator[Definition]:
    """Yield the functions and classes of a module or class, those inside of classes and conditions included."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, Definition):
            yield node
        if isinstance(node, ast.ClassDef | ast.If | ast.Try):
            yield from _definitions(node)


def _is_overload(node: Definition) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list)


def _is_member(path: Path) -> bool:
    return path.parent.name in FAMILIES and path.parent.parent == SOURCE and not path.name.startswith("_")


def _words(identifier: str) -> set[str]:
    """Return the words of an identifier: `HeadOffice`, `head_office` and `HEAD_OFFICE` are head and office."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", identifier)
    words = {part.lower() for part in parts}
    return words | {word.removesuffix("s") for word in words}


def _identifiers(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.alias(asname=str(name)):
                yield name
            case _:
                pass


def _imports(module: str, tree: ast.Module) -> Iterator[str]:
    """Yield the modules of ours that a module names in any import statement, wherever it stands."""
    known = trees()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in known else node.module for name in inner]
        else:
            continue
        yield from (name for name in names if name in known and name != module)


def _cycles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """Yield each strongly connected group of two modules or more (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    yield from found


def test_helpers_find_words_imports_cycles_and_definitions() -> None:
    assert _words("HeadOffice_shelves2") >= {"head", "office", "shelves"}
    tree = ast.parse(
        "def f():\n    from ragstone.case import TestCase\n    import ragstone.errors\n    desk = 1"
    )
    assert set(_imports("x", tree)) == {"ragstone.case", "ragstone.errors"}
    assert "desk" in set(_identifiers(tree))
    assert list(_cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}})) == [["b", "c"]]
    nested = ast.parse("class _A:\n    def f(self):\n        def g(): ...\nif True:\n    async def h(): ...")
    assert [node.name for node in _definitions(nested)] == ["_A", "f", "h"]
