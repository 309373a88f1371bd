"""Knowledge retention: does the assistant remember the information that the user has given?

    score = assistant turns that forget nothing / all assistant turns

Source: DeepEval, knowledge retention, which asks twice a turn; here all are judged in one call.
"""

from ragstone.metrics.shared.conversation import ReplyMetric
from ragstone.prompts import JudgeRetention


class KnowledgeRetention(ReplyMetric):
    """Does the assistant remember the information that the user has given? One judge call."""

    prompts = (JudgeRetention,)
    judged = JudgeRetention
    reason, examples = "{} of {} assistant turns keep in mind what was said.", "Forgetful"
