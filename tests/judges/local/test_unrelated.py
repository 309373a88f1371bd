"""Texts about different things: neither supported by one another, nor to the point, however little words tell."""

from itertools import permutations
from typing import NamedTuple

from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.relevance import passage_relevance
from ragstone.judges.local.support import support
from ragstone.judges.local.usefulness import usefulness


class Scene(NamedTuple):
    """A passage with a question that it answers, the answer, and a claim about it in other words."""

    passage: str
    question: str
    answer: str
    claim: str


SCENES = (
    Scene(
        "Late returns: 20 cents for each day and item, at most 8 euros an item. Children under 14 pay nothing.",
        "What does it cost to bring a book back late?",
        "20 cents a day for each item.",
        "Bringing back one book ten days late costs an adult two euros.",
    ),
    Scene(
        "Line 3 turned out 1,240 bearings on Monday and 1,310 on Tuesday; 26 of Tuesday's failed inspection.",
        "How many bearings did line 3 make on Tuesday?",
        "1,310, of which 26 failed.",
        "Output rose by seventy pieces from the first day to the second.",
    ),
    Scene(
        "Truck 6 has just passed Ghent. It stops at Aalter for 45 minutes and is due in Ostend at five.",
        "When will truck 6 be in Ostend?",
        "At about five.",
        "The driver takes a break before the coast.",
    ),
    Scene(
        "Of the 58 stained windows, 21 were taken out before the war and survived in a salt mine.",
        "How many windows survived the war?",
        "Twenty-one, which had been hidden in a mine.",
        "More than half of the coloured glass was lost.",
    ),
    Scene(
        "The sound of the Noctule headphones is warm; the battery lasted 31 hours instead of the promised 40.",
        "How long does the battery of the Noctule last?",
        "It ran for 31 hours in the test.",
        "The maker promised nine hours more than the reviewer got.",
    ),
    Scene(
        "Your swimming course starts on 4 February, ten Sundays at 11:15. There is no lesson on Easter Sunday.",
        "When does the course begin?",
        "On 4 February, a Sunday.",
        "Lessons take place late in the morning at the weekend.",
    ),
    Scene(
        "Peel the potatoes, boil them for twenty minutes and mash them with butter. Keep some of the water.",
        "How long do the potatoes boil?",
        "Twenty minutes.",
        "The cook should not pour away all the liquid.",
    ),
    Scene(
        "Employees may carry over five days of leave until the end of March. What is left then expires.",
        "How much leave can be carried over?",
        "Five days, until the end of March.",
        "Unused holiday from last year is gone in April.",
    ),
)
APART = list(permutations(SCENES, 2))
FEW = len(APART) // 5


def test_few_texts_are_supported_by_a_passage_about_something_else() -> None:
    claims = [support([one.claim], [other.passage])[0].verdict == "yes" for one, other in APART]
    answers = [support([one.answer], [other.passage])[0].verdict == "yes" for one, other in APART]
    assert sum(claims) <= FEW // 2
    assert sum(answers) <= FEW


def test_few_unrelated_passages_are_useful_or_relevant() -> None:
    useful = [
        usefulness(one.question, one.answer, [other.passage])[0].verdict == "yes" for one, other in APART
    ]
    relevant = [passage_relevance(one.question, [other.passage])[0].verdict == "yes" for one, other in APART]
    assert sum(useful) <= FEW
    assert sum(relevant) <= FEW
    assert all(
        usefulness(scene.question, scene.answer, [scene.passage])[0].verdict == "yes" for scene in SCENES
    )


def test_few_answers_to_another_question_are_correct() -> None:
    found = [correctness(one.question, other.answer, one.answer).verdict == "yes" for one, other in APART]
    assert sum(found) <= FEW
