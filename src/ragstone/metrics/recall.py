"""Recall at k: how many of the relevant ids are among the first k? No judge.

    score = relevant ids among the first k / relevant ids

Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, section 8.3; trec_eval.
"""

from dataclasses import dataclass

from ragstone.metrics.shared.retrieval import RetrievalMetric


@dataclass(frozen=True, kw_only=True, repr=False)
class Recall(RetrievalMetric):
    """How many of the relevant ids are among the first k? No judge call."""

    trec_cut = "recall.{k}"
    trec_whole = "set_recall"
