import random

from tests.testing.for_each import for_each
from training.synthesise import Edit

from ragstone.text.tokens import tokens
from training import synthesise

PASSAGE = (
    "Ada Bright met Carl Dorn in Oslo in 1999. They were partners before the firm was sold. It wasn't cheap."
)
SENTENCE = "Ada Bright met Carl Dorn in Oslo in 1999."


def made(edit: Edit, text: str) -> str | None:
    return edit(text, [token for row in tokens(text) for token in row], PASSAGE, random.Random(1))


def test_a_number_becomes_another_number() -> None:
    edited = made(synthesise.number, SENTENCE)
    assert edited is not None
    assert edited.startswith("Ada Bright met Carl Dorn in Oslo in ")
    assert edited != SENTENCE


def test_name_edit_uses_names_of_the_passage() -> None:
    edited = made(synthesise.name, "Carl met Carl Dorn in Rome.")
    assert edited is not None
    assert set(edited.rstrip(".").split()) - {"Carl", "met", "Dorn", "in", "Rome"} <= {
        "Ada",
        "Bright",
        "Oslo",
    }


@for_each(
    "edit, text, expected",
    [
        (synthesise.negation, "They were partners.", "They were not partners."),
        (synthesise.negation, "They were not partners.", "They were partners."),
        (synthesise.opposite, "They met before the firm was sold.", "They met after the firm was sold."),
        (synthesise.number, "They met.", None),
        (synthesise.opposite, "They met.", None),
    ],
)
def test_each_edit_changes_one_detail(edit: Edit, text: str, expected: str | None) -> None:
    assert made(edit, text) == expected
