"""LangChain and LangGraph: a traced run, or the output of a chain, an agent or a retriever.

A run, as a `RunCollectorCallbackHandler` or LangSmith holds it, contains the question, the answer and, in its child
runs, the retrieved documents and the tool calls. An output contains only its own keys; a question that is not among
them is passed as an argument.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.datasets.frameworks.messages import interaction_fields, is_message, parse_message, tool_call
from ragstone.datasets.frameworks.outputs import build_case, passage, retrieved
from ragstone.datasets.rows.field_names import ALIASES, normalize_name

_QUESTION_KEYS = (*ALIASES["input"], "prompts")
_ANSWER_KEYS = (*ALIASES["actual_output"], "result", "text", "generation")
_PASSAGE_KEYS = (*ALIASES["retrieval_context"], "context", "source_documents", "documents", "docs")
Fields = dict[str, Any]


def from_langchain(output: object, **fields: Any) -> TestCase:  # noqa: ANN401  (each field's own type)
    """Return a run or an output of LangChain or LangGraph as a test case.

    `evaluate` reads runs and outputs too, if they contain the question.

    Args:
        output: a run; or what `invoke` returned: a mapping, a message, a text, a list of messages or of documents.
        fields: fields of the test case: `input`, the question, if the output does not contain it, and others such as
            `expected_output`. They override what is found in the output.

    Returns:
        Its passages are the documents, best first: those among the outputs, else those of the run's retrievers.
        `retrieved_ids` are their ids, if each has one, and `metadata["retrieval_context_details"]` holds id and
        metadata of each. A run's own metadata, name, id and error are stored in the metadata.

    Raises:
        UnknownName: a test case has no such field.
        BadDataset: `input` is missing.
    """
    return build_case(partial(row, output), fields, "from_langchain(output")


def row(output: Any) -> Fields:  # noqa: ANN401  (an object of LangChain)
    """Return a run or an output as a row."""
    return _run(output) if hasattr(output, "run_type") else _output(output)


def _run(run: Any) -> Fields:  # noqa: ANN401
    fields = {**_question(run.inputs or {}), **_output(_first_generation(run.outputs or {}))}
    runs = list(_run_tree(run))
    if "retrieval_context" not in fields:
        outputs: list[Fields] = [step.outputs or {} for step in runs if step.run_type == "retriever"]
        found: list[Any] = [one.get("documents") for one in outputs]
        fields |= _retrieved([item for documents in found for item in documents or ()])
        if "retrieval_context" not in fields and [] in found:
            fields["retrieval_context"] = []
    tools = [_tool_call(step) for step in runs if step.run_type == "tool"]
    if tools and "tools_called" not in fields:
        fields["tools_called"] = tools
    info = {"run_id": str(run.id), "run_name": run.name, **({"run_error": run.error} if run.error else {})}
    extra: Fields = run.extra or {}
    metadata = {**extra.get("metadata", {}), **fields.pop("metadata", {}), **info}
    example = getattr(run, "reference_example_id", None)  # LangSmith's, the same in each run over its dataset
    case_id = {} if example is None else {"id": str(example)}
    return {**fields, "metadata": metadata, "tags": list(run.tags or ()), **case_id}


def _run_tree(run: Any) -> Iterator[Any]:  # noqa: ANN401
    """Yield a run and its descendants, in order, without the runs inside a retriever or a tool."""
    yield run
    if run.run_type not in {"retriever", "tool"}:
        for child in run.child_runs or ():
            yield from _run_tree(child)


def _question(inputs: Mapping[str, Any]) -> Fields:
    """Return the question of a run; its other inputs are metadata."""
    name = _first_key(inputs, _QUESTION_KEYS) or ("messages" if "messages" in inputs else None)
    if name is None:
        texts = [key for key, value in inputs.items() if isinstance(value, str)]
        name = texts[0] if len(texts) == 1 else None
    rest = {key: _plain(value) for key, value in inputs.items() if key != name}
    if name is None:
        return {"metadata": rest}
    question = inputs[name]
    if isinstance(question, str):
        return {"input": question, "metadata": rest}
    if isinstance(question, Mapping) and "content" not in question:
        return _question(cast("Mapping[str, Any]", question))
    fields = interaction_fields([parse_message(message) for message in _messages(question)])
    return {"input": fields.get("input"), "metadata": rest}


def _output(output: Any) -> Fields:  # noqa: ANN401
    """Return an output under the names of a test case's fields, other keys under their own names."""
    if isinstance(output, str):
        return {"actual_output": output}
    if is_message(output):
        return interaction_fields([parse_message(output)])
    if not isinstance(output, Mapping):
        items = list(output)
        return _message_fields(items) if items and is_message(items[0]) else _retrieved(items)
    values = dict(cast("Mapping[str, Any]", output))
    fields = _message_fields(values.pop("messages")) if "messages" in values else {}
    passages_key = _first_key(values, _PASSAGE_KEYS, list)
    if passages_key is not None:
        fields |= _retrieved(values.pop(passages_key)) or {"retrieval_context": []}
    answer_key = _first_key(values, _ANSWER_KEYS)
    if answer_key is not None and not isinstance(values[answer_key], str):
        fields |= _answer_fields(values.pop(answer_key))
    elif answer_key is not None:
        fields["actual_output"] = values.pop(answer_key)
    other_fields = {key: _plain(value) for key, value in values.items()}
    return {**other_fields, **fields}


def _answer_fields(answer: Any) -> Fields:  # noqa: ANN401
    """Return the fields of an answer that is not a text: a message, messages, documents, or another structure."""
    if is_message(answer) or (isinstance(answer, list) and answer and not isinstance(answer[0], str)):
        return _output(cast("Any", answer))
    if isinstance(answer, Mapping):
        inner = _output(cast("Any", answer))
        if "actual_output" in inner or "retrieval_context" in inner:
            return inner
    return {} if answer is None else {"actual_output": str(_plain(answer))}


def _message_fields(messages: Any) -> Fields:  # noqa: ANN401
    fields = interaction_fields([parse_message(message) for message in _messages(messages)])
    return {**fields, **_retrieved(fields.pop("documents", []))}


def _messages(value: Any) -> list[Any]:  # noqa: ANN401
    """Return messages as a list: from a prompt's value, a batch of one, a single one."""
    if hasattr(value, "to_messages"):
        return value.to_messages()
    if isinstance(value, str | Mapping) or is_message(value):
        return [value]
    items: list[Any] = list(value)
    batch = cast("list[Any]", items[0]) if len(items) == 1 and isinstance(items[0], list) else []
    return batch if batch and not isinstance(batch[0], str) else items  # two texts are a role and its words


def _first_generation(outputs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the outputs of a model's run, its first generation under `output`; other outputs unchanged."""
    generations = outputs.get("generations")
    if not generations:
        return outputs
    first = generations[0][0] if isinstance(generations[0], list) else generations[0]
    return {"output": first["text"] if isinstance(first, Mapping) else first.text}


def _tool_call(run: Any) -> Fields:  # noqa: ANN401
    outputs: Fields = run.outputs or {}
    output = outputs.get("output")
    text = parse_message(output).text if is_message(output) else _plain(output)
    error = getattr(run, "error", None)
    return tool_call(run.name, run.inputs or {}, text, str(error) if error else None)


def _retrieved(documents: Any) -> Fields:  # noqa: ANN401
    """Return the fields filled from documents: objects, LangSmith's mappings of them, or texts."""
    return retrieved([_passage(document) for document in documents])


def _passage(document: Any) -> Fields:  # noqa: ANN401
    if isinstance(document, str):
        return passage(document, None, None, None)
    if isinstance(document, Mapping):
        values = cast("Mapping[str, Any]", document)
        inner: Mapping[str, Any] = values.get("kwargs", values)
        return passage(inner["page_content"], inner.get("id"), None, inner.get("metadata"))
    return passage(document.page_content, getattr(document, "id", None), None, dict(document.metadata))


def _first_key(values: Mapping[str, Any], names: tuple[str, ...], kind: type = object) -> str | None:
    """Return the key of the first of these names under which there is a value of this type."""
    keys = {
        normalize_name(key): key
        for key, value in values.items()
        if isinstance(value, kind) and value is not None
    }
    return next((keys[name] for name in names if name in keys), None)


def _plain(value: Any) -> Any:  # noqa: ANN401
    if is_message(value):
        return {"role": parse_message(value).role, "content": parse_message(value).text}
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[Any]", value)]
    return value
