"""Configuration files and environment variables."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from benchmarks.attack.inputs import text, value
from benchmarks.attack.watch import Attempt
from ragstone.config import Settings, read_settings
from ragstone.errors import UsageError


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Configuration files and environment variables."""
    names = [*Settings.model_fields, "no_such_setting"]
    for number in range(count):
        name, given = rng.choice(names), value(rng)
        with suppress(ValueError, TypeError):
            content = f"{name} = {json.dumps(given)}\n" if number % 3 else text(rng)
            variables = {f"RAGSTONE_{name.upper()}": json.dumps(given)} if number % 2 else {}

            def tried(content: str = content, variables: dict[str, str] = variables) -> None:
                (folder / "ragstone.toml").write_text(content, "utf-8", errors="replace")
                with suppress(UsageError):
                    read_settings(start=folder, environment=variables)

            yield f"{content[:80]!r} {variables}", tried
