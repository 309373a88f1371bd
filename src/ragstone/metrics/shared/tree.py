"""A decision tree as data: read once and checked as a whole, so that every path ends in a score or a metric."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ragstone.errors import BadOption
from ragstone.plugins import import_extra

_MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class ScoreLeaf:
    """The end of a path: a score in [0, 1]."""

    score: float


@dataclass(frozen=True, slots=True)
class MetricLeaf:
    """The end of a path: the score of a metric."""

    spec: str


@dataclass(frozen=True, slots=True)
class QuestionNode:
    """A question, and the next node for each answer."""

    question: str
    answers: Mapping[str, "Node"]


Node = QuestionNode | ScoreLeaf | MetricLeaf


def read_tree(tree: object, owner: str) -> Node:
    """Return the tree from mappings, or from the file at a path.

    Raises:
        BadOption: the tree is invalid; the message names the place and what to write there.
    """
    if isinstance(tree, str | Path):
        tree = _load_file(Path(tree), owner)
    node = _parse_node(tree, owner, 0)
    if not isinstance(node, QuestionNode):
        raise BadOption(
            f"{owner}: a tree must begin with a question: write {{'question': …, 'answers': {{…}}}}"
        )
    return node


def leaves(node: Node) -> Iterator[ScoreLeaf | MetricLeaf]:
    """Yield the leaves of all paths."""
    if isinstance(node, QuestionNode):
        for child in node.answers.values():
            yield from leaves(child)
    else:
        yield node


def _load_file(path: Path, owner: str) -> object:
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix.lower() == ".json":
            return json.loads(text)
        yaml: Any = import_extra(f"{owner} ({path})", "yaml", "yaml")
        return yaml.safe_load(text)
    except (OSError, ValueError) as error:
        raise BadOption(f"{owner}: the tree {str(path)!r} cannot be read: {error}") from error


def _parse_node(data: object, where: str, depth: int) -> Node:
    if depth > _MAX_DEPTH:
        raise BadOption(f"{where}: the tree is deeper than {_MAX_DEPTH} questions")
    if isinstance(data, int | float) and not isinstance(data, bool):
        if not 0 <= data <= 1:
            raise BadOption(f"{where}: {data!r} is not a score: write a number from 0 to 1")
        return ScoreLeaf(float(data))
    if isinstance(data, Mapping):
        values = cast("Mapping[object, object]", data)
        if set(values) == {"metric"}:
            return MetricLeaf(str(values["metric"]))
        if set(values) == {"question", "answers"}:
            return _parse_question(values, where, depth)
    raise BadOption(
        f"{where}: {data!r} is not a node: write a score, {{'metric': …}} or {{'question': …, 'answers': …}}"
    )


def _parse_question(values: Mapping[object, object], where: str, depth: int) -> QuestionNode:
    question, answers = values["question"], values["answers"]
    if not isinstance(question, str) or not question.strip():
        raise BadOption(f"{where}: {question!r} is not a question: write a text")
    path = f"{where}, {question!r}"
    if not isinstance(answers, Mapping) or len(cast("Mapping[object, object]", answers)) < 2:  # noqa: PLR2004
        raise BadOption(f"{path}: answers={answers!r}: write two answers or more, each with its node")
    nodes = {_label_text(label): node for label, node in cast("Mapping[object, object]", answers).items()}
    if len({" ".join(label.split()).casefold() for label in nodes}) < len(nodes) or not all(nodes):
        raise BadOption(f"{path}: two answers are equal except for case and spaces, or one is empty")
    return QuestionNode(
        question, {label: _parse_node(node, f"{path}, {label!r}", depth + 1) for label, node in nodes.items()}
    )


def _label_text(label: object) -> str:
    """Return an answer as text: YAML reads an unquoted yes or no as a boolean."""
    return {True: "yes", False: "no"}[label] if isinstance(label, bool) else str(label).strip()
