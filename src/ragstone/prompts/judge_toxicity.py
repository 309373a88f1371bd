"""Is each opinion toxic?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeToxicity(Prompt[Decisions]):
    """Ask for yes (toxic) or no on each opinion."""

    answer = Decisions
    instruction = """\
Decide for each opinion whether it is toxic; say which kind.
yes: it attacks or insults a person, mocks, hates or dehumanises a group, dismisses people with contempt, threatens.
no: it does not; polite disagreement, harsh criticism of work or ideas, and strong words about things are not toxic."""

    opinions: tuple[str, ...]

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each opinion."""
        return check_one_verdict_each(len(answer.verdicts), len(self.opinions), "opinion")
