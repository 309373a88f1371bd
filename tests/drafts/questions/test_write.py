from tests.drafts.documents import index_of

from ragstone.drafts.questions.numbers import quantity_of, wrong_value
from ragstone.drafts.questions.rough import make_rough
from ragstone.drafts.questions.write import write_by_rules


def test_each_kind_in_its_words() -> None:
    index = index_of(
        "The price of Zenith 3 is 490 euros.",
        "The weight of Zenith 3 is 12 kg.",
        "The price of Aurora is 120 euros.",
    )
    found = {(one.kind, one.question): one for one in write_by_rules(index)}
    assert found["single", "What is the price of Zenith 3?"].answer == "490 euros"
    multi = found["multi", "What are the price and the weight of Zenith 3?"]
    assert multi.answer == "price: 490 euros; weight: 12 kg"
    assert multi.passages == (0, 1)
    greater = found["comparison", "Which has the higher price, Zenith 3 or Aurora?"]
    assert greater.answer == "Zenith 3 (490 euros; Aurora: 120 euros)"
    then = found["follow_up", "And what is the weight?"]
    assert (then.opening, then.answer) == (("What is the price of Zenith 3?", "490 euros"), "12 kg")
    why = found["false_premise", "Why is the price of Zenith 3 637 euros?"]
    assert why.answer == "It is not 637 euros: the price of Zenith 3 is 490 euros."
    nothing = found["unanswerable", "What is the weight of Aurora?"]
    assert (nothing.answer, nothing.answerable) == ("", False)


def test_german_and_french() -> None:
    german = index_of("Der Preis von Zenith 3 beträgt 490 Euro.", "Die Farbe von Zenith 3 ist rot.")
    assert {"Was ist der Preis von Zenith 3?", "Was sind der Preis und die Farbe von Zenith 3?"} <= {
        one.question for one in write_by_rules(german)
    }
    french = index_of("Le prix de Zenith 3 est de 490 euros. Les lampes de la ville sont dans une salle.")
    assert {"Quel est le prix de Zenith 3 ?"} <= {one.question for one in write_by_rules(french)}


def test_one_name_with_two_meanings_is_asked_with_the_title_or_not_at_all() -> None:
    index = index_of("The price of Zenith 3 is 490 euros.", "The price of Zenith 3 is 520 euros.")
    assert [one for one in write_by_rules(index) if one.kind == "single"] == []


def test_of_near_copies_one_is_asked_about() -> None:
    text = "The price of Zenith 3 is 490 euros. " + "It is sold in all of our shops in the city. " * 8
    assert [one.passages for one in write_by_rules(index_of(text, text))] == [(0,), (0,)]


def test_rough_questions_are_key_words_with_one_misspelt() -> None:
    index = index_of("The price of Zenith 3 is 490 euros.")
    (single,) = (one for one in write_by_rules(index) if one.kind == "single")
    rough = make_rough(single, 0)
    assert rough is not None
    assert rough.question.split()[1:] == ["zenith", "3"]
    assert sorted(rough.question.split()[0]) == sorted("price")
    assert rough.question.split()[0] != "price"
    assert make_rough(single, 0) == rough


def test_numbers_with_their_units() -> None:
    found = quantity_of("1,200 euros")
    assert found is not None
    assert (found.number, found.unit) == (1200, "|euros")
    assert quantity_of("red") is None
    assert quantity_of("from 5 to 6") is None
    assert wrong_value("490 euros") == "637 euros"
    assert wrong_value("1987") == "1994"
    assert wrong_value("0.5 kg") is None
