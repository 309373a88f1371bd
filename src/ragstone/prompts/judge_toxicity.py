"""Is each opinion toxic?"""

from dataclasses import dataclass

from ragstone.prompts._answer import Decisions
from ragstone.prompts._base import Prompt, one_each


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
        return one_each(len(answer.verdicts), len(self.opinions), "opinion")
