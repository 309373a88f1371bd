"""Role adherence: does the assistant keep to its role?

    score = assistant turns in the role / all assistant turns

The role is the metric's, or each test case's own in `metadata["chatbot_role"]`. Source: DeepEval, role adherence, which
has the judge list the turns outside the role; here each turn has its verdict.
"""

from typing import Any

from ragstone.case import TestCase
from ragstone.errors import NotApplicable
from ragstone.metrics.shared.conversation import ReplyMetric
from ragstone.prompts import JudgeRole


class RoleAdherence(ReplyMetric):
    """Does the assistant keep to its role? One judge call.

    Attributes:
        role: the role of the assistant; if None, the role in the test case's `metadata["chatbot_role"]`.
    """

    prompts = (JudgeRole,)
    judged = JudgeRole
    reason, examples = "{} of {} assistant turns keep to the role.", "Out of the role"

    role: str | None = None

    def prompt_fields(self, case: TestCase) -> dict[str, Any]:
        """Return the role."""
        role = self.role or str(case.metadata.get("chatbot_role") or "")
        if not role.strip():
            raise NotApplicable(
                "No role is known: write role='…', or metadata['chatbot_role'] in the test case."
            )
        return {"role": role}
