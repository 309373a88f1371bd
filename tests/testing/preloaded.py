"""Imports what the commands of `ragstone` and a run of pytest import, and loads what the embedded judge reads.

Not the plug-in for pytest: pytest rewrites the assertions of plug-ins, and warns where one was imported before.
"""

from importlib import import_module
from pkgutil import walk_packages

import anyio
import pytest  # noqa: F401
from tests.testing import encoded_pairs, no_workers

import ragstone
from ragstone.judges.local.model.encoder import encoder

_LEFT_OUT = (
    "ragstone.__main__",
    "ragstone.pytest_plugin",
    "ragstone.testing",
    "ragstone.runner.distributed",
    "ragstone.store.schema.migrations",
)

encoded_pairs.share()
no_workers.start_none()
for found in walk_packages(ragstone.__path__, "ragstone."):
    if not found.name.startswith(_LEFT_OUT):
        import_module(found.name)
encoder()
for package in (anyio, ragstone):  # both bring plug-ins
    package.__doc__ = f"{package.__doc__} PYTEST_DONT_REWRITE"
