"""The labels of yes, no and idk for each metric: `no` is a contradicted claim in one, a useless passage in another."""

from typing import NamedTuple

from ragstone.result import Result


class VerdictLabels(NamedTuple):
    """The words of one metric.

    Attributes:
        yes: what a yes says of a statement or passage.
        no: what a no says.
        idk: what idk says.
        shown_verdicts: verdicts that explain a bad score, the most important first.
        of_passages: whether the verdicts are on whole passages rather than on statements.
        evidence: the field of the test case whose passages the verdicts number; empty where they rest on other texts.
        subject: the field in whose text the statements stand; empty where they stand in none.
    """

    yes: str = "yes"
    no: str = "no"
    idk: str = "undecided"
    shown_verdicts: tuple[str, ...] = ("no", "idk")
    of_passages: bool = False
    evidence: str = "retrieval_context"
    subject: str = "actual_output"


_LABELS = {
    "answer_correctness": VerdictLabels("agrees", "contradicted", "not in the expected output", evidence=""),
    "answer_relevancy": VerdictLabels("relevant", "irrelevant", "supporting", shown_verdicts=("no",)),
    "context_relevance": VerdictLabels("relevant", "irrelevant", "partly relevant", of_passages=True),
    "context_utilization": VerdictLabels("useful", "not useful", of_passages=True),
    "contextual_precision": VerdictLabels("useful", "not useful", of_passages=True),
    "contextual_recall": VerdictLabels(
        "supported", "not supported", "not supported", subject="expected_output"
    ),
    "contextual_relevancy": VerdictLabels("relevant", "irrelevant", subject="retrieval_context"),
    "factual_correctness": VerdictLabels("agrees", "contradicted", "not in the expected output", evidence=""),
    "faithfulness": VerdictLabels("supported", "contradicted", "not mentioned"),
    "groundedness": VerdictLabels("supported", "not supported", "partly supported"),
    "hallucination": VerdictLabels(
        "agrees", "contradicted", shown_verdicts=("no",), of_passages=True, evidence="context"
    ),
    "rag_checker": VerdictLabels(evidence="", subject=""),
    "summarization_score": VerdictLabels("answered", "not answered", "not answered", evidence="", subject=""),
}


def verdict_labels_for(result: Result) -> VerdictLabels:
    """Return the words of a result's metric; plain yes, no and undecided for a metric of the user's own."""
    return _LABELS.get(result.spec.partition("(")[0], VerdictLabels())
