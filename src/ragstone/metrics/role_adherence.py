"""Role adherence: does the assistant keep to its role?

    score = assistant turns in the role / all assistant turns

The role is the metric's, or each test case's own in `metadata["chatbot_role"]`. Source: DeepEval, role adherence, which
has the judge list the turns outside the role; here each turn has its verdict.
"""

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.errors import NotApplicable
from ragstone.metrics.shared.conversation import replies, turn_texts
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgeRole
from ragstone.score import Score


class RoleAdherence(VerdictShareMetric):
    """Does the assistant keep to its role? One judge call.

    Attributes:
        role: the role of the assistant; if None, the role in the test case's `metadata["chatbot_role"]`.
    """

    needs = ("turns",)
    prompts = (JudgeRole,)
    told, intro = "{} of {} assistant turns keep to the role.", "Out of the role"

    role: str | None = None

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each reply."""
        role = self.role or str(case.metadata.get("chatbot_role") or "")
        if not role.strip():
            raise NotApplicable(
                "No role is known: write role='…', or metadata['chatbot_role'] in the test case."
            )
        texts = replies(case)
        prompt = JudgeRole(role=role, turns=turn_texts(case), replies=len(texts))
        return self.score((await ctx.ask(prompt)).on(texts))
