"""A test case: one interaction with a RAG or LLM system that is to be evaluated."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import blake2b
from typing import Annotated, Any, ClassVar, Literal, LiteralString, Self, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError

from ragstone.errors import BadDataset, UnknownName

FALLBACK_FIELDS = {"retrieval_context": "context", "context": "retrieval_context"}
"""Fields that stand in for each other where a metric needs either."""

EMPTY_IS_A_VALUE = frozenset(
    {"retrieval_context", "retrieved_ids", "relevant_ids", "tools_called", "expected_tools"}
)
"""Fields in which an empty list is a finding: nothing was retrieved, is relevant, was called, or is expected."""

APPLICATION_ERROR = "application_error"
"""Key in the metadata of a test case that has no answer, because the application failed: what went wrong."""

ALIASES: dict[str, tuple[str, ...]] = {
    "input": ("input", "question", "user_input", "query"),
    "actual_output": ("actual_output", "answer", "response", "output"),
    "expected_output": (
        "expected_output",
        "ground_truth",
        "reference",
        "expected",
        "expected_answer",
        "ideal",
        "reference_answer",
        "gt_answer",
        "ground_truths",
    ),
    "retrieval_context": ("retrieval_context", "contexts", "retrieved_contexts", "retrieved_context"),
    "context": ("context", "reference_contexts", "reference_context"),
    "tools_called": ("tools_called",),
    "expected_tools": ("expected_tools", "reference_tool_calls"),
    "turns": ("turns",),
    "retrieved_ids": ("retrieved_ids", "retrieved_context_ids"),
    "relevant_ids": ("relevant_ids", "reference_context_ids"),
    "metadata": ("metadata", "additional_metadata"),
    "name": ("name",),
    "tags": ("tags",),
    "id": ("id", "query_id", "example_id"),
}
"""Field of the test case → the names it is read from, in order of precedence."""


def _require_list(value: object) -> object:
    if isinstance(value, str):
        msg = "a list of texts is expected, not a single text: put it in [...]"
        raise ValueError(msg)  # noqa: TRY004  (pydantic turns ValueError, not TypeError, into a field's message)
    return value


def _ids(value: object) -> object:
    _require_list(value)
    if isinstance(value, list | tuple):
        return [_id(item) for item in cast("Iterable[object]", value)]
    return value


def _grades(value: object) -> object:
    _require_list(value)
    if isinstance(value, Mapping):
        return {_id(item): grade for item, grade in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple | set | frozenset):
        return dict.fromkeys(map(_id, cast("Iterable[object]", value)), 1)
    return value


def _id(item: object) -> object:
    return str(item) if isinstance(item, int) and not isinstance(item, bool) else item


@dataclass(frozen=True, slots=True)
class _ValidatedAs:
    """The type that a field is validated as and holds; its annotation lists all types that it accepts."""

    kind: Any

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        return handler(self.kind)


Ids = Annotated[Sequence[str], _ValidatedAs(tuple[str, ...]), BeforeValidator(_ids)]
Grades = Annotated[
    Mapping[str, int] | Collection[str], _ValidatedAs(dict[str, int]), BeforeValidator(_grades)
]
Texts = Annotated[Sequence[str], _ValidatedAs(tuple[str, ...]), BeforeValidator(_require_list)]
Tags = Annotated[Sequence[str], _ValidatedAs(tuple[str, ...])]


class ToolCall(BaseModel):
    """A tool call that an agent made, or should have made.

    Attributes:
        name: the tool's name.
        input_parameters: the arguments it was called with.
        output: what it returned.
        error: the error, if the call failed; None if it did not, or if that is not recorded.
        description: what the tool is for.
        reasoning: why the agent called it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    input_parameters: dict[str, Any] | None = None
    output: Any = None
    error: str | None = None
    description: str | None = None
    reasoning: str | None = None


ToolCalls = Annotated[Sequence[ToolCall], _ValidatedAs(tuple[ToolCall, ...])]


class Turn(BaseModel):
    """One turn of a conversation.

    Attributes:
        role: who speaks.
        content: what is said.
        retrieval_context: the passages that the retriever returned for this turn.
        tools_called: the tools that the assistant called in it.
        expected_output: the ideal reply; of the assistant's turn, or of the user's turn that asks for it.
        expected_tools: the tools that should have been called, likewise.
        retrieved_ids: ids of the passages that the retriever returned for this turn, best first.
        relevant_ids: grade of each id that it should have returned, like `expected_output`.
        metadata: anything else about the turn: `latency_ms`, `tokens`, `cost`, `trace_id` of the application's call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["user", "assistant"]
    content: str
    retrieval_context: Texts | None = None
    tools_called: ToolCalls | None = None
    expected_output: str | None = None
    expected_tools: ToolCalls | None = None
    retrieved_ids: Ids | None = None
    relevant_ids: Grades | None = None
    metadata: dict[str, Any] = Field(default_factory=dict[str, Any])

    def __str__(self) -> str:
        """Return the turn as a judge reads it."""
        return f"{self.role}: {self.content}"


Turns = Annotated[Sequence[Turn], _ValidatedAs(tuple[Turn, ...])]


class TestCase(BaseModel):
    """One interaction to be evaluated. Immutable; equal content has equal `id`.

    Attributes:
        input: what the user asked.
        actual_output: what the system answered.
        expected_output: the ideal answer.
        retrieval_context: the passages that the retriever returned, best first; an empty list says that it found
            nothing, None that this is not known.
        context: the reference passages; used if `retrieval_context` is missing, and vice versa.
        tools_called: the tools that the system called; an empty list says that it called none.
        expected_tools: the tools that it should have called.
        turns: a whole conversation; without `input`, its first user turn is the input.
        retrieved_ids: ids of the passages that the retriever returned, best first; an empty list says that it found
            nothing.
        relevant_ids: grade of each id that it should have returned; a list of ids grades each 1. An empty one says
            that no passage is relevant.
        metadata: anything else about the interaction.
        name: a readable name.
        tags: labels to group by.
        id: content hash unless given.
    """

    __test__: ClassVar[bool] = False  # pytest must not collect this class
    model_config = ConfigDict(frozen=True, extra="forbid")

    input: str = Field(default=...)  # required, unless turns are given
    actual_output: str | None = None
    expected_output: str | None = None
    retrieval_context: Texts | None = None
    context: Texts | None = None
    tools_called: ToolCalls | None = None
    expected_tools: ToolCalls | None = None
    turns: Turns | None = None
    retrieved_ids: Ids | None = None
    relevant_ids: Grades | None = None
    metadata: dict[str, Any] = Field(default_factory=dict[str, Any])
    name: str | None = None
    tags: Tags = ()
    id: str = ""

    @model_validator(mode="before")
    @classmethod
    def _input_from_turns(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        values = cast("dict[str, Any]", data)
        if "input" in values or not isinstance(values.get("turns"), list | tuple):
            return values
        user_texts = [content for role, content in map(_role_and_content, values["turns"]) if role == "user"]
        return {**values, "input": user_texts[0]} if user_texts else values

    @model_validator(mode="wrap")
    @classmethod
    def _suggest_fields(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Add a suggestion to the error on an unknown field."""
        try:
            return handler(data)
        except ValidationError as error:
            raise ValidationError.from_exception_data(cls.__name__, _with_suggestions(error)) from None

    @model_validator(mode="after")
    def _set_content_id(self) -> Self:
        if not self.id:
            object.__setattr__(self, "id", _content_hash(self))
        return self

    def __hash__(self) -> int:
        """Hash by id: equal test cases have equal ids."""
        return hash(self.id)

    def get(self, field: str) -> Any:  # noqa: ANN401  (a field is text, texts or tools)
        """Return the value of `field`, or of its fallback field; None if both are missing.

        A blank text is missing. An empty list is a value in the fields of `EMPTY_IS_A_VALUE`, and missing in others.
        """
        value = _value_or_none(field, getattr(self, field))
        if value is None and field in FALLBACK_FIELDS:
            other = FALLBACK_FIELDS[field]
            value = _value_or_none(other, getattr(self, other))
        return value

    def text(self, field: str) -> str:
        """Return the text of a field that is known to be there."""
        return cast("str", self.get(field))

    def passages(self, field: str = "retrieval_context") -> tuple[str, ...]:
        """Return the passages of a field that is known to be there."""
        return cast("tuple[str, ...]", self.get(field))

    def missing(self, needs: tuple[str, ...]) -> tuple[str, ...]:
        """Return the needed fields that this test case does not have."""
        return tuple(field for field in needs if self.get(field) is None)

    @classmethod
    def read(cls, row: object, where: str) -> Self:
        """Return `row`, a test case or a mapping of its fields, as a test case.

        Raises:
            BadDataset: a field is invalid; the message names `where` the row is, and each invalid field.
        """
        if isinstance(row, cls):
            return row
        try:
            return cls.model_validate(row)
        except ValidationError as error:
            raise BadDataset(f"{where}: {describe_invalid(error)}") from None


def _with_suggestions(error: ValidationError) -> list[InitErrorDetails]:
    """Return the line errors, with suggestions for unknown fields; a misnamed field is not reported as missing."""
    problems = error.errors(include_url=False)
    unknown = {str(problem["loc"][-1]) for problem in problems if _is_unknown(problem)}
    renamed = {_field_meant(name) for name in unknown}
    details: list[InitErrorDetails] = []
    for problem in problems:
        if problem["type"] == "missing" and problem["loc"] and problem["loc"][0] in renamed:
            continue
        unknown_field = _is_unknown(problem)
        message = _unknown_field(str(problem["loc"][-1])) if unknown_field else problem["msg"]
        kind = "unknown_field" if unknown_field else problem["type"]
        custom_error = PydanticCustomError(cast("LiteralString", kind), "{message}", {"message": message})
        details.append(InitErrorDetails(type=custom_error, loc=problem["loc"], input=problem["input"]))
    return details


def _is_unknown(problem: Mapping[str, Any]) -> bool:
    return problem["type"] == "extra_forbidden" and len(problem["loc"]) == 1


def _field_meant(name: str) -> str | None:
    normalised = name.strip().lower().replace("-", "_").replace(" ", "_")
    return next((field for field, names in ALIASES.items() if normalised in names), None)


def _unknown_field(name: str) -> str:
    """Return the message about an unknown field, with a suggestion."""
    meant = _field_meant(name)
    if meant:
        return f"There is no field of a test case named {name!r}. Did you mean {meant!r}?"
    return str(UnknownName("field of a test case", name, TestCase.model_fields))


def suggest_columns(case: TestCase, fields: Iterable[str]) -> str:
    """Return a sentence on columns of a row, now metadata, whose names resemble those of missing fields; else empty."""
    columns = {name.strip().lower().replace(" ", "_"): name for name in case.metadata}
    found = {
        field: columns[close[0]]
        for field in fields
        for alias in ALIASES[field]
        if (close := get_close_matches(alias, columns, n=1, cutoff=0.8))
    }
    if not found:
        return ""
    names, mapping = " and ".join(map(repr, found.values())), ",".join(f"{k}={v}" for k, v in found.items())
    return f" Is the column {names} meant? Then rename it, or write --map {mapping}."


def _role_and_content(turn: object) -> tuple[object, object]:
    if isinstance(turn, Turn):
        return turn.role, turn.content
    values = cast("dict[str, object]", turn) if isinstance(turn, dict) else dict[str, object]()
    return values.get("role"), values.get("content")


def describe_invalid(error: ValidationError) -> str:
    """Return a validation error of pydantic as one line: field, problem, value."""
    problems: list[str] = []
    for problem in error.errors(include_url=False):
        field = ".".join(str(part) for part in problem["loc"]) or "row"
        message = problem["msg"].removeprefix("Value error, ")
        input_note = (
            "" if problem["type"] in ("missing", "unknown_field") else f" (got {_shorten(problem['input'])})"
        )
        problems.append(f"{field}: {message}{input_note}")
    return "; ".join(problems)


def _shorten(value: object, limit: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}…"


def _value_or_none(field: str, value: object) -> object:
    """Return the value of a field; None if it is missing. A list of blank texts is an empty one."""
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        if any(not isinstance(item, str) or item.strip() for item in items):
            return items
        return () if field in EMPTY_IS_A_VALUE else None
    return None if value == {} and field not in EMPTY_IS_A_VALUE else value


def _content_hash(case: TestCase) -> str:
    content = case.model_dump(mode="json", exclude={"id"}, exclude_defaults=True, fallback=repr)
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return blake2b(canonical.encode(), digest_size=8).hexdigest()
