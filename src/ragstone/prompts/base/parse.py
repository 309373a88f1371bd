"""Parse the text that a model wrote into an answer, or report the problem with it.

Models wrap JSON in code fences and prose, also when told not to. Every JSON object in the text is a candidate; the last
one that fits the schema counts, since drafts come before conclusions. The parser does not repair or guess.
"""

import json
import re
from collections.abc import Iterator
from typing import TypeVar

from pydantic import ValidationError

from ragstone.prompts.base.answer import Answer, WireContext

A = TypeVar("A", bound=Answer)

_MAX_CANDIDATES = 64
_DECODER = json.JSONDecoder()


def parse_answer(text: str, answer: type[A], context: WireContext = WireContext()) -> A:  # noqa: B008  (a frozen value)
    """Return the answer in `text`; for a prompt with its own labels, use `Prompt.parse`.

    Raises:
        ValueError: the text is not such an answer; the message is fit to be sent to the model.
    """
    try:
        return answer.model_validate_json(text, context=context)
    except ValidationError as error:
        problem = _problem(error)
    parsed: A | None = None
    for candidate in json_objects(text):
        try:
            parsed = answer.model_validate(candidate, context=context)
        except ValidationError as error:
            if not text.lstrip().startswith("{"):  # prose: the error of the JSON inside says more
                problem = _problem(error)
    if parsed is None:
        raise ValueError(problem)
    return parsed


def json_objects(text: str) -> Iterator[object]:
    """Yield each outermost JSON object in `text`; of very many braces, only the first and the last ones are tried."""
    braces = [match.start() for match in re.finditer(r"\{", text)]
    if len(braces) > 2 * _MAX_CANDIDATES:
        braces = braces[:_MAX_CANDIDATES] + braces[-_MAX_CANDIDATES:]
    end = 0
    for brace in braces:
        if brace < end:  # inside an object that was read already
            continue
        try:
            value, end = _DECODER.raw_decode(text, brace)
        except (ValueError, RecursionError):
            continue
        yield value


def _problem(error: ValidationError) -> str:
    """Return the first problem by place and kind, without the model's own text."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        return "The answer is not JSON."
    path = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or part.isidentifier())
    message = first["msg"].removeprefix("Value error, ")
    return f"{path}: {message}." if path else f"{message}."
