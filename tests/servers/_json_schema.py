"""Whether a text is a JSON schema at all."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError


def schema_error(schema: Mapping[str, Any]) -> SchemaError | None:
    """Return what is wrong with a schema, None where it is one.

    To check one takes 4 ms, and with each question to a server comes one of a few.
    """
    return _checked(json.dumps(schema))


@lru_cache(maxsize=1_000)
def _checked(schema: str) -> SchemaError | None:
    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError as error:
        return error
    return None
