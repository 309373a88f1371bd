"""Which questions does a text answer with yes?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class AnswerQuestions(Prompt[Decisions]):
    """Ask for yes, no or idk on each question, by the text alone."""

    answer = Decisions
    instruction = """\
Answer each question by the text alone.
yes: the text says so or directly implies it. no: the text says otherwise. idk: the text does not tell."""

    text: tuple[str, ...]
    questions: tuple[str, ...]

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each question."""
        return check_one_verdict_each(len(answer.verdicts), len(self.questions), "question")
