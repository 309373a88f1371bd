"""Decision tree: a few questions with closed answers lead to a score that you set.

    score = the number at the leaf to which the judge's answers lead, or the score of the metric that stands there

Where a rating would mix several things, a tree takes them one by one, and the path says why. As data, in YAML or JSON::

    question: Does the output answer the question?
    answers:
      "yes":
        question: How is it written?
        answers: {plainly: 1.0, long-windedly: 0.6, beyond understanding: 0.2}
      "no": 0.0

Source: DeepEval, DAG metric.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.base.parse import parse
from ragstone.metrics.shared.evaluation_fields import case_fields, check_fields
from ragstone.plugins import import_extra
from ragstone.prompts import ChooseAnswer

_MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class QuestionNode:
    """A question, and the next node for each answer."""

    question: str
    answers: Mapping[str, "Node"]


Node = QuestionNode | float | str
"""A question, or the end of a path: a score in [0, 1], or the spec of a metric."""


class DecisionTree(Metric):
    """A few questions with closed answers lead to a score. One judge call for each question on the path.

    Attributes:
        name: name of the metric.
        tree: the tree as nested mappings, or the path of a YAML or JSON file that holds it.
        evaluation_params: fields of the test case that the judge sees.
    """

    needs = ()
    prompts = (ChooseAnswer,)

    name: str
    tree: Any = field(hash=False)
    evaluation_params: Sequence[str] = ("input", "actual_output")

    def __post_init__(self) -> None:
        """Reject an invalid tree."""
        super().__post_init__()
        object.__setattr__(self, "evaluation_params", check_fields(self.evaluation_params, self.title))
        self._leaf_metrics()

    @property
    def title(self) -> str:
        """The name, with the method in brackets."""
        return f"{self.name} [DecisionTree]"

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that the judge is shown, and those that a metric at a leaf needs."""
        leaf_fields = [needed for metric in self._leaf_metrics() for needed in metric.fields_needed]
        return tuple(dict.fromkeys([*self.evaluation_params, *leaf_fields]))

    def _leaf_metrics(self) -> list[Metric]:
        leaves = _leaves(read_tree(self.tree, self.title))
        return [parse(leaf) for leaf in leaves if isinstance(leaf, str)]

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Follow the judge's answers to a leaf."""
        node, path = read_tree(self.tree, self.title), list[dict[str, str]]()
        while isinstance(node, QuestionNode):
            prompt = ChooseAnswer(
                question=node.question,
                choices=tuple(node.answers),
                case_fields=case_fields(case, self.evaluation_params),
            )
            answer = await ctx.ask(prompt)
            choice = str(prompt.chosen(answer))
            path.append({"question": node.question, "answer": choice, "reason": answer.reason})
            node = node.answers[choice]
        if isinstance(node, str):
            score = await parse(node).run_assess(case, ctx)
            return Score(score.value, _path_reason(path, score.reason), {"path": path, node: score.metadata})
        return self.score(node, path)

    def score(self, leaf: float, path: Sequence[dict[str, str]]) -> Score:
        """Score the leaf at the end of a path. Pure."""
        return Score(
            leaf, _path_reason(path, ""), {"path": list(path)}, tuple(step["reason"] for step in path)
        )


def _path_reason(path: Sequence[dict[str, str]], leaf_reason: str) -> str:
    steps = [f"{step['question']} {step['answer']} ({step['reason'].rstrip('.')})" for step in path]
    return "; ".join([*steps, *([leaf_reason] if leaf_reason else [])])


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


def _leaves(node: Node) -> Iterator[float | str]:
    if isinstance(node, QuestionNode):
        for child in node.answers.values():
            yield from _leaves(child)
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
        return float(data)
    if isinstance(data, Mapping):
        values = cast("Mapping[object, object]", data)
        if set(values) == {"metric"}:
            return str(values["metric"])
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
