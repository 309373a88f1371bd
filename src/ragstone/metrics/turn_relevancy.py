"""Turn relevancy: does each reply of a conversation respond to the user's messages?

    score = relevant assistant turns / all assistant turns

Source: DeepEval, turn relevancy, which asks about each turn in a window of its own; here all are judged in one call.
"""

from ragstone.metrics.shared.conversation import ReplyMetric
from ragstone.prompts import JudgeReplies


class TurnRelevancy(ReplyMetric):
    """Does each reply of a conversation respond to the user's messages? One judge call."""

    prompts = (JudgeReplies,)
    judged = JudgeReplies
    reason, examples = "{} of {} assistant turns are relevant.", "Irrelevant"
