"""What a loopback model says: answers by property name, shaped to whatever schema was sent.

A script knows no prompt and no metric, only the names on the wire: `Script(claims=["…"], verdicts=["yes",
"no"])`. The server hands it the question it was asked; the answer holds exactly the properties of that
question's schema, and is validated against it before it leaves. What a script cannot answer is a
`ScriptError`, never an invention.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from jsonschema import Draft202012Validator
from tests.servers._numbered import count_numbered
from tests.servers._shape import ScriptError, shaped

__all__ = ["Ask", "Script", "ScriptError", "Turns", "every", "turns"]


@dataclass(frozen=True)
class Ask:
    """One question, in no vendor's words."""

    vendor: str
    model: str
    system: str
    user: str
    schema: Mapping[str, Any] | None
    body: Mapping[str, Any]
    number: int = 1

    @property
    def text(self) -> str:
        return f"{self.system}\n{self.user}"

    @property
    def properties(self) -> tuple[str, ...]:
        return tuple((self.schema or {}).get("properties", {}))

    @property
    def items(self) -> int:
        """How many items are numbered: the schema's `minItems` where fixed, else counted in the text."""
        for prop in (self.schema or {}).get("properties", {}).values():
            if isinstance(prop, Mapping) and "minItems" in prop and prop["minItems"] == prop.get("maxItems"):
                return int(prop["minItems"])
        return count_numbered(self.user)


Value = Any | Callable[[Ask], Any]


@dataclass
class Turns:
    """Values given out one after another; the last one stays."""

    values: tuple[Any, ...]
    given: int = 0

    def __call__(self, ask: Ask) -> Any:
        value = self.values[min(self.given, len(self.values) - 1)]
        self.given += 1
        return value(ask) if callable(value) else value


def turns(*values: Value) -> Turns:
    """Answer with the first value, then the second …; the last is repeated."""
    return Turns(values)


def every(value: Value) -> Callable[[Ask], list[Any]]:
    """As many equal entries as the question has numbered items."""
    return lambda ask: [value] * ask.items


@dataclass
class _Rule:
    pattern: re.Pattern[str] | None
    answers: Mapping[str, Value]

    def speaks_for(self, ask: Ask) -> bool:
        return self.pattern is None or self.pattern.search(ask.text) is not None


@dataclass
class Script:
    """Answers per property name; `when(pattern, …)` speaks first where its pattern is found in the prompt."""

    rules: list[_Rule] = field(default_factory=list)
    probabilities: dict[str, Mapping[str, float]] = field(default_factory=dict)

    def __init__(self, **answers: Value) -> None:
        self.rules = [_Rule(None, dict(answers))]
        self.probabilities = {}

    def say(self, **answers: Value) -> Self:
        """Add or replace answers that hold for every prompt."""
        last = self.rules[-1]
        last.answers = {**last.answers, **answers}
        return self

    def when(self, pattern: str, **answers: Value) -> Self:
        """Answer so where `pattern` (a regular expression) is found in the prompt; the first match wins."""
        self.rules.insert(len(self.rules) - 1, _Rule(re.compile(pattern, re.DOTALL), dict(answers)))
        return self

    def weigh(self, prop: str, probabilities: Mapping[int | str, float]) -> Self:
        """Weigh the values at a number's place, for servers that are asked for log-probabilities."""
        self.probabilities[prop] = {str(value): p for value, p in probabilities.items()}
        return self

    def answer(self, ask: Ask) -> dict[str, Any]:
        """The answer to one question, valid under its schema.

        Raises:
            ScriptError: The script has no answer for a property, or one that breaks the schema.
        """
        # A tool that takes any object leaves the schema to the words.
        sent = ask.schema is not None and "properties" in ask.schema
        schema = ask.schema if sent else schema_in(ask.text)
        if schema is None:
            raise ScriptError(f"no schema was sent and none stands in the prompt: {ask.user[:200]!r}")
        answer = {
            name: self.answer(replace(ask, schema=part))
            if name.startswith("task_")
            else self._value(name, ask, schema)
            for name, part in schema.get("properties", {}).items()
        }
        problems = sorted(Draft202012Validator(schema).iter_errors(answer), key=str)
        if problems:
            where = "/".join(map(str, problems[0].absolute_path)) or "answer"
            raise ScriptError(f"the scripted answer breaks the schema at {where}: {problems[0].message}")
        return answer

    def _value(self, name: str, ask: Ask, schema: Mapping[str, Any]) -> Any:
        for rule in self.rules:
            if name in rule.answers and rule.speaks_for(ask):
                value = rule.answers[name]
                said = value(ask) if callable(value) else value
                return shaped(said, schema["properties"][name], schema)
        if name == "reason":
            return "The script says so."
        raise ScriptError(f"the schema asks for {name!r}; the script has no answer for it")


def schema_in(text: str) -> Mapping[str, Any] | None:
    """The last JSON object in a text that reads as an object schema: how servers without schemas get it."""
    decoder = json.JSONDecoder()
    found, start = None, 0
    while (brace := text.find("{", start)) >= 0:
        try:
            value, end = decoder.raw_decode(text, brace)
        except ValueError:
            start = brace + 1
            continue
        if isinstance(value, dict) and isinstance(value.get("properties"), dict):
            found = value
        start = end
    return found
