"""JSON with orjson if it is installed, else with the standard library."""

import json
from collections.abc import Callable
from typing import Any

Json = Any

try:
    import orjson
except ImportError:

    def dumps(value: Json, /) -> bytes:
        """Write JSON."""
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    loads: Callable[[bytes], Json] = json.loads
else:
    dumps, loads = orjson.dumps, orjson.loads
