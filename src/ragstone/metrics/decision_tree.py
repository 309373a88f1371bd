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

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.parse import parse
from ragstone.metrics.shared.evaluation_fields import case_fields, check_fields
from ragstone.metrics.shared.tree import MetricLeaf, QuestionNode, ScoreLeaf, leaves, read_tree
from ragstone.prompts import ChooseAnswer
from ragstone.score import Score


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
        for leaf in leaves(read_tree(self.tree, self.title)):
            if isinstance(leaf, MetricLeaf):
                parse(leaf.spec)

    @property
    def title(self) -> str:
        """The name, with the method in brackets."""
        return f"{self.name} [DecisionTree]"

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that the judge is shown, and those that a metric at a leaf needs."""
        metrics = [leaf for leaf in leaves(read_tree(self.tree, self.title)) if isinstance(leaf, MetricLeaf)]
        leaf_fields = [needed for leaf in metrics for needed in parse(leaf.spec).fields_needed]
        return tuple(dict.fromkeys([*self.evaluation_params, *leaf_fields]))

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
        if isinstance(node, MetricLeaf):
            score = await parse(node.spec).run_assess(case, ctx)
            return Score(
                score.value, _path_reason(path, score.reason), {"path": path, node.spec: score.metadata}
            )
        return self.score(node, path)

    def score(self, leaf: ScoreLeaf, path: Sequence[dict[str, str]]) -> Score:
        """Score the leaf at the end of a path. Pure."""
        return Score(
            leaf.score, _path_reason(path, ""), {"path": list(path)}, tuple(step["reason"] for step in path)
        )


def _path_reason(path: Sequence[dict[str, str]], leaf_reason: str) -> str:
    steps = [f"{step['question']} {step['answer']} ({step['reason'].rstrip('.')})" for step in path]
    return "; ".join([*steps, *([leaf_reason] if leaf_reason else [])])
