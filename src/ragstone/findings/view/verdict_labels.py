"""The words for yes, no, idk and undecided in each metric: the labels that its prompt offers a language model.

`no` is a contradicted claim in one metric, a passage that is not useful in another.
"""

from functools import cache
from typing import Any, NamedTuple

from ragstone.metric_label import PER_TURN, base_name
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.plugins import load
from ragstone.prompts import Prompt
from ragstone.result import Result
from ragstone.verdict import PLAIN_LABELS, VerdictValue


class VerdictLabels(NamedTuple):
    """The verdict labels of one metric."""

    yes: str = "yes"  # label of a yes on a statement or passage
    no: str = "no"  # label of a no
    idk: str = "not mentioned"  # label of an idk
    undecided: str = "undecided"  # label of a verdict that the judge could not make
    # verdicts that explain a bad score, the most important first
    shown_verdicts: tuple[str, ...] = ("no", "idk", "undecided")
    of_passages: bool = False  # whether the verdicts are on whole passages rather than on statements
    # the field of the test case whose passages the verdicts number; empty where they rest on other texts
    evidence: str = "retrieval_context"
    subject: str = "actual_output"  # the field whose text contains the statements; empty if none does


_METRIC_LABELS = {
    "answer_acceptance": VerdictLabels("holds", "fault", "not answered"),
    "answer_correctness": VerdictLabels(evidence=""),
    "answer_relevancy": VerdictLabels(shown_verdicts=("no", "undecided")),
    "answered_parts": VerdictLabels(evidence="", subject="input"),
    "citation_precision": VerdictLabels(shown_verdicts=("no", "undecided")),
    "citation_recall": VerdictLabels(shown_verdicts=("no", "undecided")),
    "context_relevance": VerdictLabels("relevant", "irrelevant", "partly relevant", of_passages=True),
    "context_utilization": VerdictLabels(of_passages=True),
    "contextual_precision": VerdictLabels(of_passages=True),
    "contextual_recall": VerdictLabels(subject="expected_output"),
    "contextual_relevancy": VerdictLabels(subject="retrieval_context"),
    "factual_correctness": VerdictLabels(evidence=""),
    "groundedness": VerdictLabels("supported", "not supported", "partly supported"),
    "hallucination": VerdictLabels(shown_verdicts=("no", "undecided"), of_passages=True, evidence="context"),
    "rag_checker": VerdictLabels(evidence="", subject=""),
    "summarization_score": VerdictLabels("answered", "not answered", "not answered", evidence="", subject=""),
}
"""Settings that the prompts do not hold: how verdicts are shown, and labels of verdicts made from scores or answers."""

_TURN_LABELS = VerdictLabels(yes="passed", no="missed", evidence="", subject="")
"""Of a metric that is measured for each turn: its verdicts are on the assistant's turns."""


def verdict_labels_for(result: Result) -> VerdictLabels:
    """Return the verdict labels of a result's metric; plain words for a metric of the user's own."""
    return _labels_of(base_name(result.spec))


@cache
def _labels_of(name: str) -> VerdictLabels:
    if name.endswith(PER_TURN):
        return _TURN_LABELS
    labels = _METRIC_LABELS.get(name, VerdictLabels())
    words = _prompt_words(name)
    return labels._replace(**words) if labels[:3] == VerdictLabels()[:3] else labels


def _prompt_words(name: str) -> dict[VerdictValue, str]:
    """Return the words that the metric's prompt offers, by the value they stand for; none where prompts differ."""
    prompts: tuple[type[Prompt[Any]], ...] = load(BUILT_IN[name]).prompts if name in BUILT_IN else ()
    offered = [prompt.labels for prompt in prompts if not prompt.labels.items() <= PLAIN_LABELS.items()]
    if len(offered) != 1:
        return {}
    return {value: label.replace("_", " ") for label, value in offered[0].items()}
