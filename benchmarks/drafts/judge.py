"""A judge that knows the world of `benchmarks.drafts.world`, writes faulty questions on purpose, and lies at a rate."""

import random
import re
from typing import Any, Literal, TypeVar, cast

from benchmarks.drafts.world import WORDINGS, World, make_world
from ragstone.engine.exchange import key_of
from ragstone.errors import CannotJudge
from ragstone.judges import Judge, Reply
from ragstone.prompts import (
    Answer,
    AnswerDraftQuestion,
    Decisions,
    JudgeClaims,
    JudgeUsefulness,
    MatchDraftAnswers,
    Prompt,
    RecallDraftAnswer,
    SelectDraftEvidence,
    WriteDraftQuestion,
)
from ragstone.result import Usage
from ragstone.verdict import VerdictValue

A = TypeVar("A", bound=Answer)
Fault = Literal["wrong answer", "pronoun", "copied", "answerable", ""]
PRICE = 0.0001
"""US dollars per call."""


class WorldJudge(Judge):
    """Answers the prompts of a draft from their texts, wrongly at the rate `lies`.

    Attributes:
        faults: the fault of each written question by question and answer; empty for a sound one.
        calls: number of answered prompts.
    """

    works_offline = True

    def __init__(
        self, world: World | None = None, *, lies: float = 0.0, faulty: float = 0.0, known: float = 0.0
    ) -> None:
        """Write about `world`; a share `faulty` of the questions has a fault, a share `known` of the facts is known."""
        self._world = world or make_world(things=40)
        self._units = [unit for _, _, unit in WORDINGS[self._world.language].attributes]
        self._names = [name for name, _, _ in WORDINGS[self._world.language].attributes]
        self._lies, self._faulty, self._known = lies, faulty, known
        self._things = sorted({fact.thing for fact in self._world.facts.values()})
        self.faults: dict[tuple[str, str], Fault] = {}
        self.calls = 0

    @property
    def name(self) -> str:
        """Return `world`."""
        return "world"

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the answer according to the world."""
        self.calls += 1
        drawn = random.Random(f"{key_of(prompt)}")
        answer = cast("A", prompt.answer.model_validate(self._answer(prompt, drawn)))
        problem = prompt.check(answer)
        if problem:
            raise CannotJudge(problem)
        return Reply(answer, Usage(calls=1, input_tokens=100, output_tokens=10), cost=PRICE)

    def _answer(self, prompt: Prompt[Any], drawn: random.Random) -> dict[str, Any]:  # noqa: PLR0911
        lie = drawn.random() < self._lies
        match prompt:
            case SelectDraftEvidence():
                telling = [
                    n
                    for n, text in enumerate(prompt.sentences, 1)
                    if self._thing(text) and self._values(text)
                ]
                return {"reason": "r", "found": "yes" if telling else "no", "sentences": telling[:1] or [1]}
            case WriteDraftQuestion():
                return self._write(prompt, drawn)
            case AnswerDraftQuestion():
                found = self._read(prompt.question, prompt.passages, prompt.earlier_turn)
                return {
                    "answer": found if found and not lie else "",
                    "found": "yes" if bool(found) != lie else "no",
                }
            case RecallDraftAnswer():
                return self._recall(prompt.question, lie)
            case MatchDraftAnswers():
                same = [
                    set(self._values(one)) == set(self._values(prompt.expected_output))
                    for one in prompt.answers
                ]
                return _verdicts([ok != lie for ok in same])
            case JudgeClaims():
                told = {value for text in prompt.evidence_texts for value in self._values(text)}
                return _verdicts([(set(self._values(claim)) <= told) != lie for claim in prompt.claims])
            case JudgeUsefulness():
                values, thing = self._values(prompt.expected_output), self._thing(prompt.input)
                useful = [
                    bool(thing) and thing in text and any(map(text.__contains__, values))
                    for text in prompt.passages
                ]
                return _verdicts([ok != (drawn.random() < self._lies) for ok in useful])
            case _:
                raise CannotJudge(f"the world does not answer {type(prompt).__name__}")

    def knows(self, thing: str, attribute: str) -> bool:
        """Return whether the judge knows the fact by heart."""
        return random.Random(f"{thing}:{attribute}").random() < self._known

    def _recall(self, question: str, lie: bool) -> dict[str, Any]:  # noqa: FBT001
        """Return the answer known by heart; a lie denies a known answer and invents an unknown one."""
        keys = [key for key in self._asked(question, "") if key in self._world.facts]
        if not keys or self.knows(*keys[0]) == lie:
            return {"answer": "7 things" if lie else "", "found": "yes" if lie else "no"}
        return {"answer": self._world.facts[keys[0]].value, "found": "yes"}

    def _write(self, prompt: WriteDraftQuestion, drawn: random.Random) -> dict[str, Any]:
        facts = [
            (self._thing(text), self._attribute(text), self._values(text)[0]) for text in prompt.passages
        ]
        thing, attribute, value = facts[0]
        fault: Fault = ""
        if drawn.random() < self._faulty:
            # a pronoun is no fault where an earlier turn names the thing
            faults: tuple[Fault, ...] = ("wrong answer", "copied", "pronoun")
            fault = drawn.choice(faults[:2] if prompt.kind == "follow_up" else faults)
        question, answer = f"What {attribute} does {thing} have?", "; ".join(value for _, _, value in facts)
        if prompt.kind == "multi":
            question = " And what ".join(f"What {a} does {x} have?" for x, a, _ in facts)
        if prompt.kind == "comparison":
            question = f"Which is more, the {attribute} of {thing} or the {facts[-1][1]} of {facts[-1][0]}?"
        if prompt.kind == "unanswerable":
            holes = [name for name in self._names if (thing, name) not in self._world.facts]
            fault = "" if holes else "answerable"
            question, answer = f"What {(holes or self._names)[0]} does {thing} have?", "-"
        elif fault == "wrong answer":
            answer = answer.replace(value, self._other(value))
        elif fault == "pronoun":
            question = f"What is its {attribute}?"
        elif fault == "copied":
            question = re.sub(r"\W+$", "?", prompt.passages[0])
        self.faults[question, answer] = fault
        return {"question": question, "answer": answer}

    def _read(self, question: str, passages: tuple[str, ...], earlier: str) -> str:
        """Return the values in the passages for the attributes and things of a question; empty if one is missing."""
        wanted = [(x, a) for part in question.split(" And what ") for x, a in self._asked(part, earlier)]
        found: list[str] = []
        for thing, attribute in wanted:
            unit = self._units[self._names.index(attribute)]
            told = [re.search(rf"\d+ {unit}", text) for text in passages if thing in text]
            hits = [match[0] for match in told if match]
            if not hits:
                return ""
            found.append(hits[0])
        return "; ".join(found)

    def _asked(self, part: str, earlier: str) -> list[tuple[str, str]]:
        things = [one for one in self._things if one in part] or [
            one for one in self._things if one in earlier
        ]
        attributes = [name for name in self._names if name in part]
        if len(attributes) == len(things):
            return list(zip(sorted(things, key=part.find), sorted(attributes, key=part.find), strict=True))
        return [(thing, attribute) for thing in things for attribute in attributes]

    def _thing(self, text: str) -> str:
        return next((one for one in self._things if one in text), "")

    def _attribute(self, text: str) -> str:
        value = self._values(text)[0]
        return self._names[self._units.index(value.partition(" ")[2])]

    def _values(self, text: str) -> list[str]:
        return re.findall(rf"\d+ (?:{'|'.join(self._units)})", text)

    @staticmethod
    def _other(value: str) -> str:
        number, _, unit = value.partition(" ")
        return f"{int(number) + 1} {unit}"


def _verdicts(words: list[bool]) -> dict[str, Any]:
    said: list[VerdictValue] = ["yes" if word else "no" for word in words]
    return Decisions.of(*said).model_dump()
