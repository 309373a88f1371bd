"""Whatever is public says what it means, and stands in the reference."""

import inspect
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from ragstone.prompts import Answer, Prompt

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"


def hook(name: str) -> ModuleType:
    """One of the modules that make the documentation site."""
    spec = spec_from_file_location(name, ROOT / "docs" / "_hooks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = hook("reference")
NAMES = [(module, name) for module in reference.MODULES for name in reference.public_names(module, SOURCE)]


def own_doc(value: Any) -> str:
    """What a name says itself: neither its parents' words nor those that a dataclass makes up."""
    doc = (vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__) or ""
    return "" if doc.startswith(f"{getattr(value, '__name__', ' ')}(") else doc


def callables(value: type) -> dict[str, Any]:
    """The public methods and properties that a class itself defines."""
    found = {name: member for name, member in vars(value).items() if not name.startswith("_")}
    opened = {
        name: getattr(member, "fget", None)
        or getattr(member, "func", None)
        or getattr(member, "__func__", member)
        for name, member in found.items()
    }
    return {name: member for name, member in opened.items() if inspect.isfunction(member)}


def told_fields(value: type) -> set[str]:
    """The fields of a class that one has to know to use it; a prompt's evidence and answer are told by its schema."""
    if issubclass(value, Prompt | Answer):
        return set()
    if issubclass(value, BaseModel):
        return set(value.model_fields)
    return (
        {field.name for field in fields(value) if not field.name.startswith("_")}
        if is_dataclass(value)
        else set()
    )


def undocumented(value: Any) -> list[str]:
    """What a public name leaves unsaid: itself, its members or its fields."""
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return []  # a constant is told by the string below it, which Python does not keep
    unsaid = [] if len(own_doc(value).split()) > 2 else ["itself"]
    if inspect.isclass(value):
        told = "\n".join(vars(parent).get("__doc__") or "" for parent in value.__mro__)
        unsaid += [member for member, function in callables(value).items() if not function.__doc__]
        unsaid += [field for field in sorted(told_fields(value)) if f"{field}:" not in told]
    return unsaid


def test_public_names_their_members_and_fields_are_documented() -> None:
    found = {f"{module}.{name}": undocumented(getattr(import_module(module), name)) for module, name in NAMES}
    assert len(found) > 300
    assert {name: unsaid for name, unsaid in found.items() if unsaid} == {}


def test_no_public_module_is_missing_from_the_reference() -> None:
    packages = (path.parent.relative_to(SOURCE) for path in SOURCE.rglob("__init__.py"))
    public = {
        ".".join(package.parts)
        for package in packages
        if "__all__" in (SOURCE / package / "__init__.py").read_text(encoding="utf-8")
        and not any(part.startswith("_") for part in package.parts)
    }
    once_more = {"ragstone.judges.local"}  # its one name stands in ragstone.judges
    once_more |= {"ragstone.cli"}  # the command has a page of its own, docs/reference/command-line.md
    assert sorted(public - set(reference.MODULES) - once_more) == []
