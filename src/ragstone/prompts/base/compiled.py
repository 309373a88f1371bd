"""Answers read from JSON in one compiled pass: labels are looked up, and no Python function runs for each object.

The pass accepts less than the answer's own validators: a verdict must equal a label exactly, and a text that might set
a field which a judge does not send is left to the validators. If the pass gives no answer, they report the error.
"""

from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

from pydantic_core import CoreSchema, SchemaValidator

from ragstone.prompts.base.answer import Answer, WireContext, parse_label, without_blanks
from ragstone.verdict import PLAIN_LABELS, VerdictValue

A = TypeVar("A", bound=Answer)
_MAX_CACHED_VALIDATORS = 512


def read_compiled(text: str, answer: type[A], context: WireContext) -> A | None:
    """Return the answer in `text`, or None if the answer's own validators have to parse it."""
    compiled = _compile(answer, tuple((context.labels or PLAIN_LABELS).items()))
    if "\\u" in text or any(name in text for name in compiled.internal):  # a name may be written in escapes
        return None
    try:
        return cast("A", compiled.validator.validate_json(text, context=context))
    except (ValueError, LookupError, TypeError):
        return None


class _CompiledAnswer(NamedTuple):
    """How an answer is read.

    Attributes:
        validator: the one pass.
        internal: names of fields that a judge does not send, as they would stand in a JSON text.
    """

    validator: SchemaValidator
    internal: tuple[str, ...]


@lru_cache(_MAX_CACHED_VALIDATORS)
def _compile(answer: type[Answer], labels: tuple[tuple[str, VerdictValue], ...]) -> _CompiledAnswer:
    answer.model_rebuild()
    compiler = _Compiler(dict(labels))
    schema = cast("CoreSchema", compiler.compiled(answer.__pydantic_core_schema__))
    return _CompiledAnswer(_validator(schema), tuple(f'"{name}"' for name in sorted(compiler.internal)))


def _validator(schema: CoreSchema) -> SchemaValidator:
    """Return the validator of a schema, built from the schema alone.

    By default a model's own validator is used for its part of the schema, which is correct too, but slower.
    """
    build: Any = SchemaValidator
    try:
        return build(schema, None, False)  # positional only: whether to use the models' own validators
    except TypeError:  # another version of pydantic has no such argument
        return build(schema)


_NON_SCHEMA_KEYS = frozenset({"config", "default", "expected", "metadata", "serialization"})
"""Keys of a core schema whose values are no schemas."""


class _Compiler:
    """Takes our functions out of a core schema, where the rest of it is as strict without them.

    Attributes:
        internal: names of the fields that a judge does not send.
    """

    def __init__(self, labels: dict[str, VerdictValue]) -> None:
        self.internal = set[str]()
        self._labels = labels

    def compiled(self, node: Any, *, forbids_extra: bool = False) -> Any:  # noqa: ANN401  (any part of a core schema)
        """Return a part of a schema; `forbids_extra` is whether the enclosing model rejects unknown fields."""
        if isinstance(node, list):
            return [self.compiled(part, forbids_extra=forbids_extra) for part in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        schema = cast("dict[str, Any]", node)
        if schema.get("type") == "model":
            forbids_extra = schema.get("config", {}).get("extra_fields_behavior") == "forbid"
        compiled = {
            key: part if key in _NON_SCHEMA_KEYS else self.compiled(part, forbids_extra=forbids_extra)
            for key, part in schema.items()
        }
        return self._without_function(compiled, forbids_extra=forbids_extra)

    def _without_function(self, node: dict[str, Any], *, forbids_extra: bool) -> dict[str, Any]:
        match node:
            case {"type": "model-fields", "fields": fields}:
                excluded = {name for name, field in fields.items() if field.get("serialization_exclude")}
                self.internal |= excluded
            case {"type": "function-before", "function": {"function": function}} if function is parse_label:
                return node | {"function": {"type": "no-info", "function": self._labels.__getitem__}}
            case {"type": "function-before", "function": {"function": function}} if (
                function is without_blanks
            ):
                return node["schema"]
            case {
                "type": "function-before",
                "function": {"function": function},
                "schema": {"type": "model-fields", "fields": fields},
            } if forbids_extra and getattr(function, "__func__", None) is _REJECT_INTERNAL_FIELDS:
                has_alias = any("validation_alias" in field for field in fields.values())
                return node if has_alias else node["schema"]
            case _:
                pass
        return node


_REJECT_INTERNAL_FIELDS = cast("Any", Answer.reject_internal_fields).__func__
