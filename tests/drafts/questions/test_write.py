from dataclasses import replace
from pathlib import Path

import pytest
from tests.drafts.documents import index_of

from ragstone.drafts import draft
from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.drafting import DraftSet
from ragstone.drafts.questions.numbers import quantity_of
from ragstone.drafts.questions.write import write_by_rules
from ragstone.errors import BadOption

ORDINARY = Path(__file__).parents[1] / "ordinary"


@pytest.fixture(scope="module")
def ordinary() -> DraftSet:
    """A set of ten documents of ten kinds, from a handbook to a page of a museum."""
    return draft(ORDINARY, size=60)


def test_ordinary_documents_give_as_many_questions_as_asked_for(ordinary: DraftSet) -> None:
    assert ordinary.yields.complete
    assert ordinary.coverage.covered_documents == 10
    assert all(case.relevant_ids for case in ordinary.cases if case.metadata["answerable"])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "How long may a reader keep a book at Aldbrook library?",
            "Four weeks. Films and games are lent for one week.",
        ),
        ("What are the opening hours of the Harlow Museum on public holidays?", "11:00 to 16:00"),
        ("How much does the large service cost at Pedal Works?", "149 euros"),
        (
            "How many days a week may employees work from home under the remote work policy?",
            "up to three days a week",
        ),
        ("What is the warranty period for the Brewmaster 300?", "24 months"),
        ("When does the last bus leave Market Square on Line 7 on weekdays?", "23:46"),
        (
            "Can I freeze lentil soup?",
            "Yes. Frozen lentil soup keeps for three months. Thaw it slowly and add a little water.",
        ),
        ("What does the parameter `weight` mean in Parcelio?", "the weight of the parcel in grams"),
        ("How much did the Aller footbridge cost?", "3.2 million euros"),
        ("What is the notice period for Northwind Office?", "6 weeks"),
        ("What is the deposit for the child's bike at Pedal Works?", None),
        ("pedal works repairs", None),
    ],
)
def test_questions_of_ten_kinds_of_documents(question: str, answer: str | None) -> None:
    cases = {case.input: case for case in draft(ORDINARY, size=200).cases}
    assert cases[question].expected_output == answer


def titled(**documents: str) -> CorpusIndex:
    """An index over passages under the title that names them."""
    index = index_of(*documents.values())
    passages = zip(documents, index.passages, strict=True)
    return CorpusIndex(
        tuple(replace(one, headings=(f"1. {title.replace('_', ' ')}",)) for title, one in passages), 0
    )


def asked(index: CorpusIndex, kind: str) -> dict[str, DraftCandidate]:
    return {one.question: one for one in write_by_rules(index) if one.kind == kind}


OPTIONS = "| option | means | default |\n|---|---|---|\n| `k` | how many ids are looked at | `5` |"


def test_ambiguous_name_is_qualified_by_its_title() -> None:
    other = OPTIONS.replace("ids are looked at", "passages count").replace("`5`", "`7`")
    index = titled(Recall_at_k=OPTIONS, Precision_at_k=other)
    found = asked(index, "table")
    assert found["What is the default of the option `k` for “Precision at k”?"].answer == "`7`"
    assert found["What does the option `k` mean for “Recall at k”?"].answer == "how many ids are looked at"
    assert (
        asked(titled(Recall_at_k=f"{OPTIONS}\n\n{other}"), "table") == {}
    )  # the title does not tell the two apart


def test_an_attribute_of_a_similar_subject_is_unanswerable() -> None:
    index = index_of(
        "The price of Zenith 3 is 490 euros.",
        "The weight of Zenith 3 is 12 kg.",
        "The price of Aurora is 120 euros.",
    )
    nothing = asked(index, "unanswerable")["What is the weight of Aurora?"]
    assert (nothing.answer, nothing.answerable) == ("", False)


def test_fact_with_conflicting_values_gives_no_question() -> None:
    index = index_of("The price of Zenith 3 is 490 euros.", "The price of Zenith 3 is 520 euros.")
    assert asked(index, "single") == {}


def test_near_copies_give_questions_for_one_passage() -> None:
    text = "The price of Zenith 3 is 490 euros. " + "It is sold in all of our shops in the city. " * 8
    assert [one.passages for one in write_by_rules(index_of(text, text))] == [(0,)]


def test_kinds_that_need_a_model_are_refused_without_one() -> None:
    with pytest.raises(BadOption, match="Rules do not write questions of the kind multi"):
        draft(ORDINARY, size=5, kinds=("single", "multi"))


def test_quantity_of() -> None:
    found = quantity_of("1,200 euros")
    assert found is not None
    assert (found.number, found.unit) == (1200, "|euros")
    assert quantity_of("red") is None
    assert quantity_of("from 5 to 6") is None
