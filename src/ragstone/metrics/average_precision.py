"""Average precision: are the relevant ids ranked above the others? No judge.

    score = mean, over the relevant ids, of the precision at each one's rank; 0 for one that is not among the first k

Its mean over the test cases is the MAP. Contextual precision is its twin where a judge decides what is useful.
Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, section 8.4; trec_eval.
"""

from ragstone.metrics.shared.retrieval import RetrievalMetric


class AveragePrecision(RetrievalMetric):
    """Are the relevant ids ranked above the others? No judge call."""

    trec_cut = "map_cut.{k}"
    trec_whole = "map"
