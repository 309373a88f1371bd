"""Precision at k: how many of the first k ids are relevant? No judge.

    score = relevant ids among the first k / k; without k, / ids retrieved

Fewer than k retrieved count as irrelevant, as in trec_eval. Source: Manning, Raghavan and Schütze, Introduction to
Information Retrieval, section 8.3.
"""

from ragstone.metrics.shared.retrieval import RetrievalMetric


class Precision(RetrievalMetric):
    """How many of the first k ids are relevant? No judge call."""

    trec_cut = "P.{k}"
    trec_whole = "set_P"
