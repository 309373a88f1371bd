"""Hit rate at k: is any relevant id among the first k? No judge.

    score = 1 where at least one of the first k ids is relevant, else 0

Its mean over the test cases is the share of questions for which something useful was fetched.
Source: trec_eval, success.
"""

from ragstone.metrics.shared.retrieval import RetrievalMetric


class HitRate(RetrievalMetric):
    """Is any relevant id among the first k? No judge call."""

    trec_cut = "success.{k}"
    trec_whole = "success.1000000"
