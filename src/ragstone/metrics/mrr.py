"""Reciprocal rank: how high is the first relevant id ranked? No judge.

    score = 1 / rank of the first relevant id among the first k; 0 where there is none

Its mean over the test cases is the MRR. Source: Voorhees, TREC-8 question answering track report, 1999; trec_eval.
"""

from ragstone.metrics.shared.retrieval import RetrievalMetric


class MRR(RetrievalMetric):
    """How high is the first relevant id ranked? No judge call."""

    trec_cut = "recip_rank"
    trec_whole = "recip_rank"
