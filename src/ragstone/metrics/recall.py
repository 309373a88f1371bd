"""Recall at k: how many of the relevant ids are among the first k? No judge.

    score = relevant ids among the first k / relevant ids

Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, section 8.3; trec_eval.
"""

from ragstone.metrics.shared.retrieval import RetrievalMetric


class Recall(RetrievalMetric):
    """How many of the relevant ids are among the first k? No judge call."""

    trec_cut = "recall.{k}"
    trec_whole = "set_recall"
