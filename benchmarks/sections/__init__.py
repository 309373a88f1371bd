"""The sections of the table, each a module with `TITLE` and `rows(setting)`, which yields its rows."""

from importlib import import_module
from types import ModuleType

SECTIONS = (
    "startup",
    "throughput",
    "command",
    "embedded",
    "latency",
    "prompts",
    "prefix",
    "store",
    "comparison",
    "replay",
    "ray",
    "peers",
)
"""Modules in the order of the table. A new section is a new module, added here."""


class NotHere(Exception):  # noqa: N818 - no error: a prerequisite of a section is not set up
    """A section cannot be measured here; the message says what to do."""


def section(name: str) -> ModuleType:
    """Return the module of a section."""
    return import_module(f"benchmarks.sections.{name}")
