"""Reworded versions of the deciding prompts, and a judge that sends them; its verdicts should stay the same.

Each reworded prompt has the fields, the schema and the meaning of the original. A judge that does not read
instructions, such as the embedded one, gives the same answer to both.
"""

from dataclasses import fields
from typing import Any, TypeVar, cast

from ragstone.judges import Judge, Reply
from ragstone.judges.base import JudgeWrapper
from ragstone.prompts import Answer, JudgeAgreement, JudgeClaims, JudgeStatements, JudgeUsefulness, Prompt

A = TypeVar("A", bound=Answer)


class RewordedJudgeClaims(JudgeClaims):
    """`JudgeClaims` in other words."""

    instruction = """\
Go through the claims one by one and compare each with the passages; first give the number of the passage that settles \
it, or null. Trust what the asker of the input tells about themselves, and take a terse text as the reply to it.
Answer supported if the passages, one or more, back all of the claim, in so many words or by direct implication; \
rewording, conversions and sensible rounding are fine. A true remark that the passages lack something counts too.
Answer contradicted if some part of it clashes with the passages: figure, date, name, speaker, negation, condition or \
relation differs; a clash counts more than a gap.
Answer not_mentioned if the passages leave the claim or a part of it open, are more or less certain than it, make a \
decisive exception that it leaves out, or only general knowledge would settle it."""


class RewordedJudgeAgreement(JudgeAgreement):
    """`JudgeAgreement` in other words."""

    instruction = """\
Take the passages one at a time, each by itself, and say whether the actual output is compatible with it. Trust what \
the asker of the input tells about themselves, and take a terse text as the reply to it.
Answer contradicts if a statement of the output clashes with the passage on the same point: a figure, date, name, \
negation, condition or relation differs.
Answer agrees otherwise; saying more or less than the passage, or speaking of other things, is not a clash."""


class RewordedJudgeStatements(JudgeStatements):
    """`JudgeStatements` in other words."""

    instruction = """\
For every statement, say whether someone who asked the input is served by it. Truth is not the point here.
Answer relevant if it gives the answer or part of it, or openly says that the answer is unknown.
Answer irrelevant if it strays from what was asked, or dodges it.
Answer supporting if it only backs up, illustrates or qualifies the answer."""


class RewordedJudgeUsefulness(JudgeUsefulness):
    """`JudgeUsefulness` in other words."""

    instruction = """\
Look at each passage by itself: could someone use it to get from the input to the expected output?
Answer useful if it contains something, be it a part, from which the expected output follows.
Answer not_useful if it does not, even where topic or vocabulary are shared. A passage without text is not_useful."""


REWORDINGS: dict[type[Prompt[Any]], type[Prompt[Any]]] = {
    JudgeAgreement: RewordedJudgeAgreement,
    JudgeClaims: RewordedJudgeClaims,
    JudgeStatements: RewordedJudgeStatements,
    JudgeUsefulness: RewordedJudgeUsefulness,
}
"""The reworded version of each prompt."""


class RewordedJudge(JudgeWrapper):
    """Wraps a judge and replaces prompts by their reworded versions where there are any."""

    def __init__(self, judge: Judge) -> None:
        """Wrap `judge`; prompts are not combined."""
        super().__init__(judge)
        self.combines = False

    def recall(self, prompt: Prompt[A]) -> Reply[A] | None:
        """Return None: recorded answers belong to the original wording."""
        del prompt
        return None

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the judge's answer; see `Judge.ask`."""
        reworded_type = REWORDINGS.get(type(prompt))
        if reworded_type is None:
            return await self.judge.ask(prompt)
        reworded = reworded_type(**{item.name: getattr(prompt, item.name) for item in fields(prompt)})
        return await self.judge.ask(cast("Prompt[A]", reworded))
