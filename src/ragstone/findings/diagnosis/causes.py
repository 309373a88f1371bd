"""The causes of misses: name, owner, sentence and remedy of each, in the order in which they are looked for."""

from typing import Literal, NamedTuple

Owner = Literal["judge", "test set", "corpus", "retriever", "between", "generator", "unknown"]

# fmt: off
CauseName = Literal[
    "not_measured", "doubtful_case", "answered_unanswerable", "nothing_retrieved", "gap", "cut", "ranked_low",
    "not_found", "missed", "partly_missed", "irrelevant_context", "refused_wrongly", "ignored", "misread",
    "distracted", "invented", "beside_the_point", "form", "other",
]
# fmt: on


class Cause(NamedTuple):
    """One cause."""

    name: CauseName
    owner: Owner  # the part of the system that is at fault
    sentence: str  # what happened, in one sentence
    remedy: str  # where to look


# fmt: off
_CAUSES = (
    Cause("not_measured", "judge", "A metric that is needed to find the cause could not be measured.",
          "`ragstone run --resume RUN --retry-failed` measures it again."),
    Cause("doubtful_case", "test set", "The expected output does not follow from the test case's own context.",
          "Correct the test case."),
    Cause("answered_unanswerable", "generator", "The question has no answer, and the system gave one.",
          "Tell the model to decline if the passages do not contain the answer."),
    Cause("nothing_retrieved", "retriever", "No passage was retrieved.",
          "Look for failed requests, filters and empty indexes."),
    Cause("gap", "corpus", "The corpus does not contain the answer.",
          "Add the document, or let the model decline."),
    Cause("cut", "between", "A passage with the answer was retrieved and did not reach the model.",
          "Look at truncation, filters and the length of the prompt."),
    Cause("ranked_low", "retriever", "The passage with the answer was ranked below the passages that were used.",
          "Use more passages, or a reranker."),
    Cause("not_found", "retriever", "The passage with the answer is not in the ranking at any depth.",
          "Look at the query, the chunks and the embedding."),
    Cause("missed", "retriever", "No retrieved passage contains any part of the expected answer.",
          "Look at the query, the chunks and the embedding; give `retrieved_deep` to tell ranking from search."),
    Cause("partly_missed", "retriever", "The retrieved passages lack a part of the expected answer.",
          "Retrieve for each part of the question; use more passages."),
    Cause("irrelevant_context", "retriever", "The retrieved passages have little or nothing to do with the question.",
          "Look at the query, the chunks and the number of passages."),
    Cause("refused_wrongly", "generator", "The model declined, although the passages do not show that it had to.",
          "Look at the instruction to decline."),
    Cause("ignored", "generator", "The passages contain the answer. The output omits it, but says nothing wrong.",
          "Look at the prompt, the position of the passage in it, and length limits."),
    Cause("misread", "generator", "The output contradicts a passage that the model saw.",
          "Look at the passage beside the claim; try a stronger model."),
    Cause("distracted", "generator", "The output says something wrong that is in another passage.",
          "Retrieve less noise: fewer passages, a reranker, a filter by date or version."),
    Cause("invented", "generator", "The output says something wrong that is in no passage.",
          "Tell the model to keep to the passages; lower the temperature."),
    Cause("beside_the_point", "generator", "The output says nothing wrong, but does not answer the question.",
          "Look at the prompt and at the rewriting of the question."),
    Cause("form", "generator", "Only checks of form missed, which need no judge.",
          "Look at the missed checks."),
    Cause("other", "unknown", "A metric missed that does not show the cause.",
          "Measure the preset `diagnosis`; read the metric's reason."),
)
# fmt: on

CAUSES: dict[CauseName, Cause] = {cause.name: cause for cause in _CAUSES}
"""Every cause by its name, in the order in which they are looked for."""
