"""What yes, no and idk mean in each metric: `no` is a contradicted claim in one and a useless passage in another."""

from typing import NamedTuple

from ragstone.result import Result


class Words(NamedTuple):
    """The words of one metric.

    Attributes:
        yes: what a yes says of a statement or passage.
        no: what a no says.
        idk: what idk says.
        told: verdicts that a reader of a bad score wants to see, the most telling first.
        of_passages: whether the verdicts are on whole passages rather than on statements.
        evidence: the field of the test case whose passages the verdicts number; empty where they rest on other texts.
        subject: the field in whose text the statements stand; empty where they stand in none.
    """

    yes: str = "yes"
    no: str = "no"
    idk: str = "undecided"
    told: tuple[str, ...] = ("no", "idk")
    of_passages: bool = False
    evidence: str = "retrieval_context"
    subject: str = "actual_output"


_WORDS = {
    "answer_correctness": Words("agrees", "contradicted", "not in the expected output", evidence=""),
    "answer_relevancy": Words("relevant", "irrelevant", "supporting", told=("no",)),
    "context_relevance": Words("relevant", "irrelevant", "partly relevant", of_passages=True),
    "context_utilization": Words("useful", "not useful", of_passages=True),
    "contextual_precision": Words("useful", "not useful", of_passages=True),
    "contextual_recall": Words("supported", "not supported", "not supported", subject="expected_output"),
    "contextual_relevancy": Words("relevant", "irrelevant", subject="retrieval_context"),
    "factual_correctness": Words("agrees", "contradicted", "not in the expected output", evidence=""),
    "faithfulness": Words("supported", "contradicted", "not mentioned"),
    "groundedness": Words("supported", "not supported", "partly supported"),
    "hallucination": Words("agrees", "contradicted", told=("no",), of_passages=True, evidence="context"),
    "rag_checker": Words(evidence="", subject=""),
    "summarization_score": Words("answered", "not answered", "not answered", evidence="", subject=""),
}


def words_of(result: Result) -> Words:
    """Return the words of a result's metric; plain yes, no and undecided for a metric of the user's own."""
    return _WORDS.get(result.spec.partition("(")[0], Words())
