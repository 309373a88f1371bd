import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.text.clauses import MAX_CLAUSES, MIN_CLAUSE_WORDS, split_clauses


@for_each(
    "sentence, found",
    [
        (
            "The zoo opens at nine, and the aquarium next door closes at six.",
            ["The zoo opens at nine.", "The aquarium next door closes at six."],
        ),
        (
            "Ada Brook, who led the works for ten years, left in 1911; her son took over.",
            ["Ada Brook, who led the works for ten years.", "Left in 1911.", "Her son took over."],
        ),
        (
            "Hunde sind erlaubt, aber im Speisesaal müssen sie draußen bleiben.",
            ["Hunde sind erlaubt.", "Im Speisesaal müssen sie draußen bleiben."],
        ),
        (
            "Le musée ferme à midi et la bibliothèque reste ouverte.",
            ["Le musée ferme à midi.", "La bibliothèque reste ouverte."],
        ),
        (
            "El tren sale a las ocho, pero el autobús no circula hoy.",
            ["El tren sale a las ocho.", "El autobús no circula hoy."],
        ),
    ],
)
def test_each_clause_becomes_a_sentence(sentence: str, found: list[str]) -> None:
    assert split_clauses(sentence) == found


@for_each(
    "sentence",
    [
        "The museum is free.",
        "Salt, pepper and oil are included.",
        "If you cancel on the day, half of the price is due, and nothing is paid back.",
        "You may cancel free of charge, unless the course has begun.",
        "In the first year of the contract, members cannot leave.",
        "The cover pays for glass but not for tyres that burst.",
        "",
    ],
)
def test_sentence_with_one_independent_clause_is_not_split(sentence: str) -> None:
    assert split_clauses(sentence) == [sentence]


WORDS = st.lists(
    st.sampled_from(["zoos", "open", "at", "nine", "and", "but", "not", ",", ";", " -"]), max_size=24
)


@given(WORDS)
def test_splitting_drops_only_conjunctions(words: list[str]) -> None:
    sentence = " ".join(words)
    found = split_clauses(sentence)
    kept, said = (Counter(re.findall("[a-z]+", text.lower())) for text in (" ".join(found), sentence))
    assert kept <= said
    assert (said - kept).keys() <= {"and", "but"}
    assert len(found) == 1 or all(len(clause.split()) >= MIN_CLAUSE_WORDS for clause in found)


def test_list_of_too_many_clauses_is_not_split() -> None:
    joined = ", ".join(f"the {number}th hall is open" for number in range(MAX_CLAUSES))
    assert len(split_clauses(joined)) == MAX_CLAUSES
    assert split_clauses(f"{joined}, the last hall is closed") == [f"{joined}, the last hall is closed"]


@for_each("part", [", ", " ", " and ", " -", "a, ", "-- ", "; and "])
def test_long_texts_take_linear_time(part: str) -> None:
    sentence = f"a{part * 300_000}b"
    assert split_clauses(sentence) == [sentence]
