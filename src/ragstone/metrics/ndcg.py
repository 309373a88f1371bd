"""nDCG at k: are the most relevant ids ranked highest? No judge.

    score = DCG@k / DCG@k of the ideal ranking;  DCG@k = sum over the first k of grade / log2(rank + 1)

Grades are those of `relevant_ids`. Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation, 2002; trec_eval.
"""

from ragstone.metrics.shared.retrieval import RetrievalMetric


class NDCG(RetrievalMetric):
    """Are the most relevant ids ranked highest? No judge call."""

    trec_cut = "ndcg_cut.{k}"
    trec_whole = "ndcg"
