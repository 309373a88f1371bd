"""A world of bridges: facts that are known exactly, in several wordings, and test cases with one planted fault each.

A fault is planted in the output of a RAG system: the retrieved passages or the answer. A sentence
states one fact; `read` recovers the fact from any of its wordings, which makes a perfect judge possible.
"""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ragstone import TestCase

NAMES = (
    "Harlow", "Wexley", "Dunmore", "Calder", "Orford", "Tamsin", "Brackley", "Linden", "Marlow", "Kestrel", "Ashby",
    "Penrose", "Thornby", "Eldon", "Fairlea", "Gresham", "Halden", "Ivers", "Jarrow", "Kelso", "Lorne", "Morwen",
)  # fmt: skip
PEOPLE = (
    "Ada Berg",
    "Carl Moss",
    "Ines Roth",
    "Paul Winter",
    "Mara Lind",
    "Otto Kern",
    "Ruth Salo",
    "Emil Vance",
)
WORDINGS: dict[str, tuple[str, ...]] = {
    "opened": (
        "The {name} Bridge was opened in {value}.",
        "The {name} Bridge opened in {value}.",
        "In {value} the {name} Bridge was opened to traffic.",
    ),
    "designer": (
        "The {name} Bridge was designed by {value}.",
        "{value} designed the {name} Bridge.",
        "The architect of the {name} Bridge was {value}.",
    ),
    "length": (
        "The {name} Bridge is {value} metres long.",
        "The {name} Bridge has a length of {value} metres.",
    ),
    "toll": (
        "Crossing the {name} Bridge costs {value} euros.",
        "The toll of the {name} Bridge is {value} euros.",
    ),
    "funding": ("The {name} Bridge was paid for by a {value}.",),
    "lamps": ("The {name} Bridge is lit by {value} lamps.",),
}
_VALUE = {
    "designer": r"[A-Z][a-z]+ [A-Z][a-z]+",
    "opened": r"\d{4}",
    "length": r"\d+",
    "toll": r"\d+",
    "lamps": r"\d+",
}
_READERS = [
    (
        attribute,
        re.compile(
            re.escape(wording)
            .replace(r"\{name\}", r"(?P<name>[A-Z][a-z]+)")
            .replace(r"\{value\}", f"(?P<value>{_VALUE.get(attribute, r'[A-Za-z ]+?')})")
        ),
    )
    for attribute, wordings in WORDINGS.items()
    for wording in wordings
]


class Fact(NamedTuple):
    """One fact: what, of which bridge."""

    name: str
    attribute: str
    value: str

    def text(self, wording: int = 0) -> str:
        """Return a sentence that states it."""
        wordings = WORDINGS[self.attribute]
        return wordings[wording % len(wordings)].format(name=self.name, value=self.value)


def read(text: str) -> tuple[Fact, ...]:
    """Return the facts that a text states, in order."""
    found = [
        (match.start(), Fact(match["name"], attribute, match["value"]))
        for attribute, reader in _READERS
        for match in reader.finditer(text)
    ]
    return tuple(fact for _, fact in sorted(found))


class Bridge(NamedTuple):
    """All facts of one bridge."""

    facts: dict[str, Fact]

    @classmethod
    def of(cls, name: str, rng: random.Random) -> "Bridge":
        """Make up a bridge."""
        values = {
            "opened": str(rng.randrange(1850, 1960)),
            "designer": rng.choice(PEOPLE),
            "length": str(rng.randrange(80, 900)),
            "toll": str(rng.randrange(2, 9)),
        }
        return cls({attribute: Fact(name, attribute, value) for attribute, value in values.items()})


class Situation(NamedTuple):
    """State of the toy RAG before a fault is planted: the bridge, two gold passages, noise, and a random generator."""

    bridge: Bridge
    gold: tuple[str, str]
    noise: tuple[str, ...]
    answer: str
    rng: random.Random
    reworded: bool

    def say(self, fact: Fact) -> str:
        """Return a sentence of the answer that states the fact."""
        return fact.text(1 if self.reworded else 0)


def _sound(s: Situation) -> dict[str, Any]:
    del s
    return {}


def _dropped(s: Situation) -> dict[str, Any]:
    return {
        "retrieval_context": s.noise[:3],
        "metadata": {"retrieved_deep": [{"text": text} for text in s.noise]},
        "actual_output": _wrong(s, "opened"),
    }


def _half_dropped(s: Situation) -> dict[str, Any]:
    return {
        "retrieval_context": (s.gold[0], *s.noise[:2]),
        "actual_output": _wrong(s, "designer", alone=True),
    }


def _ranked_low(s: Situation) -> dict[str, Any]:
    deep = [*s.noise[:8], *s.gold]
    return {
        "retrieval_context": s.noise[:3],
        "metadata": {"retrieved_deep": [{"text": text} for text in deep]},
        "actual_output": _wrong(s, "opened"),
    }


def _cut(s: Situation) -> dict[str, Any]:
    return {
        "retrieval_context": s.noise[:3],
        "metadata": {"trace": {"cut": list(s.gold)}},
        "actual_output": _wrong(s, "opened"),
    }


def _empty(s: Situation) -> dict[str, Any]:
    return {"retrieval_context": (), "actual_output": _wrong(s, "opened")}


def _swapped(s: Situation) -> dict[str, Any]:
    return {"actual_output": _wrong(s, "opened", alone=True)}


def _distractor(s: Situation) -> dict[str, Any]:
    other = Fact(s.bridge.facts["opened"].name, "opened", str(s.rng.randrange(1600, 1700)))
    return {"retrieval_context": (*s.gold, other.text(2)), "actual_output": s.say(other)}


def _refusal(s: Situation) -> dict[str, Any]:
    del s
    return {"actual_output": "I do not know. The passages do not mention it."}


def _invention(s: Situation) -> dict[str, Any]:
    name = s.bridge.facts["opened"].name
    funding = Fact(name, "funding", s.rng.choice(("lottery", "merchant", "railway company")))
    lamps = Fact(name, "lamps", str(s.rng.randrange(20, 90)))
    return {"actual_output": f"{funding.text()} {lamps.text()}"}


def _omission(s: Situation) -> dict[str, Any]:
    del s
    return {"actual_output": "What a fine question!"}


def _unanswerable(s: Situation) -> dict[str, Any]:
    asked = s.bridge.facts["opened"].name
    return {
        "input": f"Who painted the {asked} Bridge?",
        "expected_output": None,
        "context": None,
        "metadata": {"answerable": False},
    }


def _doubtful(s: Situation) -> dict[str, Any]:
    wrong = Fact(
        s.bridge.facts["designer"].name, "designer", _another(s.bridge.facts["designer"].value, s.rng)
    )
    return {"expected_output": f"{s.bridge.facts['opened'].text()} {wrong.text()} {_lamps(s).text()}"}


def _lamps(s: Situation) -> Fact:
    return Fact(s.bridge.facts["opened"].name, "lamps", "12")


def _another(person: str, rng: random.Random) -> str:
    return rng.choice([other for other in PEOPLE if other != person])


def _wrong(s: Situation, attribute: str, *, alone: bool = False) -> str:
    """Return an answer in which one fact has another value; the other fact is right, or left out."""
    fact = s.bridge.facts[attribute]
    value = (
        _another(fact.value, s.rng)
        if attribute == "designer"
        else str(int(fact.value) + s.rng.randrange(3, 30))
    )
    wrong = s.say(fact._replace(value=value))
    other = s.bridge.facts["designer" if attribute == "opened" else "opened"]
    return wrong if alone else f"{wrong} {s.say(other._replace(value='Nobody Known'))}"


SWITCHES: dict[str, tuple[Callable[[Situation], dict[str, Any]], str]] = {
    "sound": (_sound, "passed"),
    "gold passages dropped": (_dropped, "not_found"),
    "one gold passage dropped": (_half_dropped, "partly_missed"),
    "gold passages ranked low": (_ranked_low, "ranked_low"),
    "gold passages cut": (_cut, "cut"),
    "nothing retrieved": (_empty, "nothing_retrieved"),
    "value swapped": (_swapped, "misread"),
    "distractor followed": (_distractor, "distracted"),
    "refusal": (_refusal, "refused_wrongly"),
    "invention": (_invention, "invented"),
    "omission": (_omission, "ignored"),
    "no answer exists": (_unanswerable, "answered_unanswerable"),
    "expected output unsupported": (_doubtful, "doubtful_case"),
}
"""Each switch with the function that builds its test case and the expected cause."""


def toy_cases(per_switch: int, *, reworded: bool = False, seed: int = 0) -> list[TestCase]:
    """Return test cases, `per_switch` for each switch; `metadata["planted"]` names the cause that was planted.

    Args:
        per_switch: number of test cases per fault.
        reworded: whether passages and answers use other words than the expected output.
        seed: seed of all random choices.
    """
    rng = random.Random(seed)
    return [
        _case(number, switch, plant, cause, rng, reworded=reworded)
        for number in range(per_switch)
        for switch, (plant, cause) in SWITCHES.items()
    ]


def _case(
    number: int,
    switch: str,
    plant: Callable[[Situation], dict[str, Any]],
    cause: str,
    rng: random.Random,
    *,
    reworded: bool,
) -> TestCase:
    name, *others = rng.sample(NAMES, 11)
    bridge = Bridge.of(name, rng)
    wording = 2 if reworded else 0
    gold = (bridge.facts["opened"].text(wording), bridge.facts["designer"].text(wording))
    noise = tuple(_noise(Bridge.of(other, rng), rng) for other in others)
    opened, designer = bridge.facts["opened"], bridge.facts["designer"]
    situation = Situation(bridge, gold, noise, "", rng, reworded)
    fields: dict[str, Any] = {
        "input": f"When was the {name} Bridge opened, and who designed it?",
        "expected_output": f"{opened.text()} {designer.text()}",
        "actual_output": f"{situation.say(opened)} {situation.say(designer)}",
        "retrieval_context": (*gold, noise[0]),
        "context": gold,
        "tags": (switch,),
    }
    planted = plant(situation)
    metadata = {"planted": cause, "document": f"{name}.txt", **planted.pop("metadata", {})}
    return TestCase(**{**fields, **planted, "metadata": metadata}, id=f"{switch} {number}")


def _noise(bridge: Bridge, rng: random.Random) -> str:
    return bridge.facts[rng.choice(("length", "toll"))].text(rng.randrange(2))


def stated(texts: Sequence[str]) -> set[Fact]:
    """Return all facts that the texts state."""
    return {fact for text in texts for fact in read(text)}
