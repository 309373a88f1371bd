"""Deterministic answers for any schema; the verdict on an item is a hash of the item.

The same item always gets the same verdict, in every prompt and on every request, so two runs, one of them
disturbed, must produce the same scores.
"""

import re
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from benchmarks.evidence import Evidence, sentences

_REASON = "The evidence says so in its second sentence."
_RANGE = re.compile(r"from (-?\d+)\b.{0,20}? to (-?\d+)\b")
_QUESTIONS = re.compile(r"[Ww]rite (\d+) ")
_DEEPEST = 12
_MOST_EXTRACTED = 6
_MOST_PER_PASSAGE = 2
_PERCENT_YES, _PERCENT_NO = 80, 14
_ORDER = ("yes", "no", "idk")
_TASK = "task_"
"""Prefix of the fields in the answer to a combined prompt."""

_LISTS = frozenset({"claims", "truths", "statements", "opinions"})
Json = Any
Schema = Mapping[str, Any]


def answer(schema: Schema, user: str) -> dict[str, Any]:
    """Return the answer to a user message, according to its schema, which must be `resolved`."""
    return _Filling(Evidence(user)).object(schema)


def resolved(schema: Schema, root: Schema | None = None, depth: int = _DEEPEST) -> dict[str, Any]:
    """Return a schema with references resolved and unions with null replaced by `nullable`."""
    root = schema if root is None else root
    plain, nullable = _without_null(schema, root)
    shown: dict[str, Any] = {**plain, "nullable": nullable}
    if depth and "properties" in plain:
        shown["properties"] = {
            name: resolved(part, root, depth - 1) for name, part in plain["properties"].items()
        }
    if depth and "items" in plain:
        shown["items"] = resolved(plain["items"], root, depth - 1)
    return shown


def _without_null(schema: Schema, root: Schema) -> tuple[Schema, bool]:
    nullable = False
    while "$ref" in schema or "anyOf" in schema or "allOf" in schema or isinstance(schema.get("type"), list):
        if "$ref" in schema:
            group, name = schema["$ref"].split("/")[1:3]
            schema = root[group][name]
        elif isinstance(schema.get("type"), list):
            nullable |= "null" in schema["type"]
            schema = {**schema, "type": next(kind for kind in schema["type"] if kind != "null")}
        else:
            branches = schema.get("anyOf") or schema["allOf"]
            nullable |= any(branch.get("type") == "null" for branch in branches)
            schema = next(branch for branch in branches if branch.get("type") != "null")
    return schema, nullable


def verdict(item: str, *, idk: bool) -> str:
    """Return the verdict on an item: yes for four of five, else no or, if it is allowed, idk."""
    percent = crc32(item.strip().encode("utf-8", "surrogatepass")) % 100
    if percent < _PERCENT_YES:
        return "yes"
    return "no" if percent < _PERCENT_YES + _PERCENT_NO or not idk else "idk"


_FINDINGS = ("faults", "unanswered")
_GOOD_LABELS = {"answer": "acceptable", "context": "sufficient"}
"""A review of a case without findings accepts its answer: it contradicts itself else, and is asked again."""


class _Filling:
    """Fills a schema from the evidence of one message."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.idk = "idk" in evidence.text

    def object(self, schema: Schema, item: str = "", number: int = 1) -> dict[str, Any]:
        return {
            name: self.value(name, part, item, number) for name, part in schema.get("properties", {}).items()
        }

    def value(self, name: str, schema: Schema, item: str, number: int) -> Json:  # noqa: PLR0911  (one return per type)
        nullable = schema.get("nullable", False)
        choices = schema.get("enum")
        if name in _GOOD_LABELS:
            return _GOOD_LABELS[name]
        if name == "item":
            return number
        if choices and name != "passage":
            return self.chosen(name, choices, item)
        match schema.get("type"):
            case "object" if name.startswith(_TASK):
                return _Filling(self.evidence.of_task(name)).object(schema)
            case "object":
                return self.object(schema, item, number)
            case "array":
                return self.entries(name, schema)
            case "boolean":
                return name in {"verdict", "attributed"} and verdict(item, idk=False) == "yes"
            case "integer" | "number":
                return self.number(name, item, number, nullable=nullable)
            case _:
                return self.string(name, item, nullable=nullable)

    def chosen(self, name: str, choices: list[Json], item: str) -> Json:
        said = verdict(item, idk=len(choices) > len(_ORDER[:2]))
        if name == "verdict" and len(choices) <= len(_ORDER):  # labels are sent in this order
            return choices[_ORDER.index(said)]
        return choices[self.evidence.seed % len(choices)]

    def entries(self, name: str, schema: Schema) -> list[Any]:
        part = schema.get("items", {})
        if name in _FINDINGS:
            return []
        if part.get("type") == "object":
            on = self.numbered(part["properties"])
            entries = [self.object(part, item, number) for number, item in on]
        elif name == "questions":
            found = _QUESTIONS.search(self.evidence.text)
            entries = [
                f"Question {place} about this?" for place in range(1, int(found[1] if found else 3) + 1)
            ]
        elif name in _LISTS:
            pieces = self.evidence.items or [self.evidence.plain]
            most = _MOST_PER_PASSAGE if self.evidence.items else _MOST_EXTRACTED
            entries = [sentence for piece in pieces for sentence in sentences(piece, most)]
        else:
            entries = [self.value(name, part, str(place), place) for place in range(1, 4)]
        return entries[: schema.get("maxItems")]

    @property
    def passages(self) -> list[str]:
        """The first numbered list: the passages, if there are any."""
        return self.evidence.first_items or [""]

    def numbered(self, properties: Schema) -> list[tuple[int, str]]:
        """Return number and text of each judged item: the items, their sentences, or the sentences of a text."""
        items = self.evidence.items
        if not {"statement", "fact"} & properties.keys() or not items:
            return list(enumerate(items or sentences(self.evidence.plain, _MOST_EXTRACTED), 1))
        if "passage" not in properties or (properties["passage"]["nullable"] and "fact" not in properties):
            return list(enumerate(sentences(self.evidence.plain, _MOST_EXTRACTED), 1))
        return [
            (number, sentence)
            for number, item in enumerate(items, 1)
            for sentence in sentences(item, _MOST_PER_PASSAGE) or [item or "Nothing."]
        ]

    def number(self, name: str, item: str, number: int, *, nullable: bool) -> int | None:
        if name == "passage" and nullable:
            passages = len(self.passages)
            return crc32(item.encode()) % passages + 1 if verdict(item, idk=False) == "yes" else None
        if name in {"score", "rating"}:
            found = _RANGE.search(self.evidence.text)
            low, high = (int(found[1]), int(found[2])) if found else (0, 10)
            return low + self.evidence.seed % (high - low + 1)
        if name in {"verdict", "attributed", "relevant"}:
            return int(verdict(item, idk=False) == "yes")
        return 0 if name == "noncommittal" else number

    def string(self, name: str, item: str, *, nullable: bool) -> str | None:
        if name == "verdict":
            return verdict(item, idk=self.idk)
        if name in {"statement", "fact"}:
            return item or "A statement."
        if nullable:
            return None if verdict(item, idk=False) == "yes" else _REASON
        return f"What is asked about {item or 'this'}?"[:200] if name == "question" else _REASON
