from tests.drafts.documents import index_of

from ragstone.drafts.corpus.bm25 import Bm25Index
from ragstone.drafts.corpus.families import find_families
from ragstone.drafts.words import language_of

LONG = " ".join(f"word{number}" for number in range(120))


def test_bm25_ranks_by_rare_words() -> None:
    index = Bm25Index(["the red lamp", "the red chair", "a lamp and a lamp", ""])
    assert index.best("lamp", 5) == [2, 0]
    assert index.rank("red lamp", 0) == 1
    assert index.rank("red lamp", 3) is None
    assert index.holding(["red", "lamp"]) == {0}
    assert index.best("unknown", 5) == []


def test_near_copies_are_one_family() -> None:
    assert find_families([LONG, f"{LONG} more", "something else", LONG.replace("word3", "x")]) == [0, 0, 2, 3]


def test_topics_and_vectors_have_one_entry_a_passage() -> None:
    index = index_of(
        "The cat sleeps.", "The dog barks.", "Taxes are due in May.", "The tax office opens in May."
    )
    assert len(index.topics) == 4
    assert index.topics[0] == 0
    assert index.topics == index_of(*(one.text for one in index.passages)).topics
    assert len(index.topic_names) == max(index.topics) + 1


def test_language_of() -> None:
    assert language_of("The lamp is on the table and it was there.") == "en"
    assert language_of("Die Lampe ist auf dem Tisch und war nicht da.") == "de"
    assert language_of("La lampe est sur la table dans une salle.") == "fr"
    assert language_of("12 34") == "?"
    assert index_of("The lamp is on the table. Zenith.").languages == ("en",)
