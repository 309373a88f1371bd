from dataclasses import replace

from tests.drafts.documents import index_of

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.questions.numbers import quantity_of, wrong_value
from ragstone.drafts.questions.rough import make_rough
from ragstone.drafts.questions.write import write_by_rules


def test_rules_write_a_question_of_each_kind() -> None:
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


RANKING = """| metric | asks |
|---|---|
| `hit_rate` | Is any relevant id among the first k? |
| `hit_count` | How many relevant ids are among the first k? |
"""
CITING = """| metric | asks |
|---|---|
| `citation_rate` | How many sentences cite a passage? |
"""
OPTIONS = """| option | means | default |
|---|---|---|
| `k` | how many ids are looked at | `5` |
"""


def titled(**documents: str) -> CorpusIndex:
    """An index over passages under the title that names them."""
    index = index_of(*documents.values())
    passages = zip(documents, index.passages, strict=True)
    return CorpusIndex(tuple(replace(one, headings=(f"1. {title}",)) for title, one in passages), 0)


def asked(index: CorpusIndex, kind: str) -> dict[str, DraftCandidate]:
    return {one.question: one for one in write_by_rules(index) if one.kind == kind}


def test_comparison_asks_difference_between_similar_names() -> None:
    found = asked(index_of(RANKING), "comparison")
    assert list(found) == ["What is the difference between the metric `hit_rate` and the metric `hit_count`?"]
    (one,) = found.values()
    assert one.answer.startswith("the metric `hit_rate`: Is any relevant id")
    assert one.answer.endswith("; the metric `hit_count`: How many relevant ids are among the first k?")


def test_multi_question_combines_two_passages() -> None:
    index = index_of(RANKING, CITING)
    found = asked(index, "multi")
    assert list(found) == ["What do the metric `hit_rate` and the metric `citation_rate` ask?"]
    assert [one.passages for one in found.values()] == [(0, 1)]


def test_a_second_turn_asks_for_another_column() -> None:
    (then,) = asked(titled(Recall=OPTIONS), "follow_up").values()
    assert then.opening == ("What does the option `k` mean in “Recall”?", "how many ids are looked at")
    assert (then.question, then.answer) == ("And what is the default?", "`5`")


def test_ambiguous_name_is_qualified_by_its_title() -> None:
    other = OPTIONS.replace("ids are looked at", "passages count").replace("`5`", "`7`")
    index = titled(Recall=OPTIONS, Precision=other)
    assert "What is the default of the option `k` in “Precision”?" in asked(index, "table")
    assert set(asked(index, "multi")) == {
        "What is the default of the option `k` in “Recall”, and of the option `k` in “Precision”?",
        "What do the option `k` in “Recall” and the option `k` in “Precision” mean?",
    }
    twice = titled(Recall=f"{OPTIONS}\n\n{other}")
    assert asked(twice, "table") == {}  # the title does not tell the two apart


def test_unanswerable_question_uses_a_name_absent_from_passages() -> None:
    found = asked(index_of(RANKING, CITING), "unanswerable")
    assert sorted(found) == ["What does the metric `citation_count` ask?"]
    assert asked(index_of(RANKING, f"{CITING}\n\nThe citation count is told too."), "unanswerable") == {}


def test_numbers_without_a_unit_are_not_compared() -> None:
    table = "| option | default |\n|---|---|\n| `wait` | `5` |\n| `most` | `9` |"
    assert asked(index_of(table), "comparison") == {}


def test_german_and_french() -> None:
    german = index_of("Der Preis von Zenith 3 beträgt 490 Euro.", "Die Farbe von Zenith 3 ist rot.")
    assert {"Was ist der Preis von Zenith 3?", "Was sind der Preis und die Farbe von Zenith 3?"} <= {
        one.question for one in write_by_rules(german)
    }
    french = index_of("Le prix de Zenith 3 est de 490 euros. Les lampes de la ville sont dans une salle.")
    assert {"Quel est le prix de Zenith 3 ?"} <= {one.question for one in write_by_rules(french)}


def test_fact_with_conflicting_values_gives_no_question() -> None:
    index = index_of("The price of Zenith 3 is 490 euros.", "The price of Zenith 3 is 520 euros.")
    assert [one for one in write_by_rules(index) if one.kind == "single"] == []


def test_near_copies_give_questions_for_one_passage() -> None:
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


def test_quantity_of_and_wrong_value() -> None:
    found = quantity_of("1,200 euros")
    assert found is not None
    assert (found.number, found.unit) == (1200, "|euros")
    assert quantity_of("red") is None
    assert quantity_of("from 5 to 6") is None
    assert wrong_value("490 euros") == "637 euros"
    assert wrong_value("1987") == "1994"
    assert wrong_value("0.5 kg") is None
