"""A RAG application on the toy world of bridges, with switches: it repeats the faults that were planted in its cases.

Asked as it is, it does what the test case recorded. Handed passages, it reads them, unless the fault is its
generator's. A part of its readings can be wrong, and a part of its own answers right when it is asked anew: what
mending is worth is then known exactly.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from benchmarks.causes.world import SWITCHES, read, toy_cases

from ragstone import TestCase

GENERATOR_FAULTS = {"value swapped", "refusal", "invention", "omission"}


def numbered_cases(per_switch: int, switches: Collection[str] = tuple(SWITCHES)) -> list[TestCase]:
    """Return toy cases, each with a question of its own."""
    cases = [case for case in toy_cases(per_switch) if case.tags[0] in switches]
    return [case.model_copy(update={"input": f"{n}. {case.input}"}) for n, case in enumerate(cases, 1)]


class ToyRag:
    """The application.

    Attributes:
        questions: every question that it was asked, with whether passages were handed to it.
    """

    def __init__(
        self, cases: Iterable[TestCase], *, misread: Collection[str] = (), recovers: Collection[str] = ()
    ) -> None:
        """Answer about these cases; misread what is handed for some ids, and be right when asked anew for others."""
        self._cases = {case.input: case for case in cases}
        self._misread, self._recovers = misread, recovers
        self.questions: list[tuple[str, bool]] = []

    def __call__(self, question: str, contexts: Sequence[str] | None = None) -> dict[str, Any]:
        """Answer a question."""
        self.questions.append((question, contexts is not None))
        case = self._cases[question]
        if contexts is None and case.id in self._recovers:
            return {"answer": case.expected_output, "contexts": list(case.context or ())}
        if contexts is None:
            return {"answer": case.actual_output, "contexts": list(case.retrieval_context or ())}
        if case.tags[0] in GENERATOR_FAULTS:
            return {"answer": case.actual_output, "contexts": list(contexts)}
        facts = [fact for text in contexts for fact in read(text)]
        if case.id in self._misread:
            facts = [
                fact._replace(value="1066") if fact.attribute == "opened" else fact for fact in facts[:1]
            ]
        return {"answer": " ".join(fact.text() for fact in facts), "contexts": list(contexts)}
