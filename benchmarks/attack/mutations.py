"""Mutations of valid documents at their own fields: a reader gets past the outer form of such a document."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, cast

from benchmarks.attack.inputs import text, value

_TOKEN = re.compile(rb"\d+|[A-Za-z_][\w-]*|\s+|.", re.DOTALL)
_LONGEST = 1_000_000
"""Characters of a document beyond which a mutation is given up: it would cost time, and show nothing new."""

_NUMBERS = (b"0", b"-1", b"65536", b"4294967296", b"99999999999999999999", b"1e9", b"0.0", b"007")


def mutated(document: object, rng: Random) -> object:
    """Return a copy of a JSON document in which one to four fields are replaced, removed, repeated or moved."""
    written = json.dumps(document)
    for _ in range(rng.randrange(1, 5)):
        changed = json.loads(written)
        places = list(_places(changed))
        if places:
            container, key = rng.choice(places)
            _change(container, key, rng, changed)
            with suppress(RecursionError):  # nested too deeply to be written: the mutation is given up
                found = json.dumps(changed)
                json.loads(found)
                written = found if len(found) < max(_LONGEST, len(written)) else written
    return json.loads(written)


def mutated_json(document: object, rng: Random) -> str:
    """Return a mutated document as JSON, sometimes damaged as a text too."""
    found = json.dumps(mutated(document, rng), ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.9:
        return found
    return mutated_bytes(found.encode("utf-8", "replace"), rng).decode("utf-8", "replace")


def mutated_lines(lines: list[Any], rng: Random) -> str:
    """Return JSON lines of which some are mutated, torn, repeated or missing."""
    written: list[str] = []
    for line in rng.sample(lines, rng.randrange(1, len(lines) + 1)):
        kind = rng.randrange(6)
        found = mutated_json(line, rng) if kind < 3 else json.dumps(line)
        written += (
            [found[: rng.randrange(len(found) + 1)]] if kind == 3 else [found] * (2 if kind == 4 else 1)
        )
    return rng.choice(("\n", "\n", "\n", "\r\n", "\n\n", "\u2028")).join(written) + rng.choice(("\n", ""))


def mutated_bytes(content: bytes, rng: Random) -> bytes:
    """Return a text or binary document in which up to eight tokens are replaced, removed, repeated or moved."""
    found = _TOKEN.findall(content[:200_000])
    for _ in range(rng.randrange(1, 9)):
        if not found:
            break
        place, other = rng.randrange(len(found)), rng.randrange(len(found))
        kind = rng.randrange(8)
        if kind == 0:
            found[place] = rng.choice(_NUMBERS)
        elif kind == 1:
            found[place] = text(rng).encode("utf-8", "replace")
        elif kind == 2:
            found[place] = found[other]
        elif kind == 3:
            del found[place : place + rng.randrange(1, 20)]
        elif kind == 4:
            found[place:place] = found[other : other + rng.randrange(1, 40)] * rng.choice((1, 1, 2, 50))
        elif kind == 5:
            found[place] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 6)))
        elif kind == 6:
            found[place] = found[place] * rng.choice((2, 10, 500))
        else:
            found = found[: place + 1]
    return b"".join(found)


def _places(document: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401  (JSON)
    """Yield each container of a document with each key in it."""
    pending = [document]
    while pending:
        container = pending.pop()
        keys = (
            list(container)
            if isinstance(container, dict)
            else list(range(len(container)))
            if isinstance(container, list)
            else []
        )
        for key in cast("list[Any]", keys):
            yield container, key
            pending.append(container[key])


def _change(container: Any, key: Any, rng: Random, document: Any) -> None:  # noqa: ANN401
    kind = rng.randrange(9)
    old = container[key]
    if kind == 0:
        del container[key]
    elif kind == 1:
        container[key] = rng.choice(
            (None, [], {}, "", 0, -1, True, 1e308, 10**400, [old], {"": old}, [[old]], str(old))
        )
    elif kind == 2:
        container[key] = [old] * rng.choice((2, 50, 3_000)) if len(json.dumps(old)) < 500 else [old, old]
    elif kind == 3 and isinstance(container, dict):
        others = cast("dict[str, Any]", container)
        others[rng.choice((*others, text(rng)[:50]))] = others.pop(key)
    elif kind == 4:
        for _ in range(rng.choice((3, 60, 400))):
            old = [old] if rng.random() < 0.5 else {"a": old}
        container[key] = old
    elif kind == 5 and isinstance(old, str):
        container[key] = old[: rng.randrange(len(old) + 1)] + text(rng) + old[rng.randrange(len(old) + 1) :]
    elif kind == 6:
        places = list(_places(document))
        source, name = rng.choice(places)
        container[key] = json.loads(json.dumps(source[name]))
    else:
        container[key] = value(rng)
