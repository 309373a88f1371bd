from dataclasses import replace
from pathlib import Path

import pytest
from tests.drafts.documents import index_of
from tests.testing.for_each import for_each

from ragstone.drafts import draft
from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.statements import quantity_of
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.drafting import DraftSet
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions import write_by_rules
from ragstone.errors import BadOption

ORDINARY = Path(__file__).parent / "ordinary"


@pytest.fixture(scope="module")
def ordinary() -> DraftSet:
    """A set of ten documents of ten kinds, from a handbook to a page of a museum."""
    return draft(ORDINARY, size=60)


def test_ordinary_documents_give_as_many_questions_as_asked_for(ordinary: DraftSet) -> None:
    assert ordinary.yields.complete
    assert ordinary.coverage.covered_documents == 10
    assert all(case.relevant_ids for case in ordinary.cases if case.metadata["answerable"])


@for_each(
    "question, kind, answer",
    [
        ("How long may a reader keep a book at Aldbrook library?", "single", "Four weeks. Films and games are lent for one week."),
        ("What are the opening hours of the Harlow Museum on public holidays?", "single", "11:00 to 16:00"),
        ("How much does the large service cost at Pedal Works?", "single", "149 euros"),
        ("How many days a week may employees work from home under the remote work policy?", "single", "up to three days a week"),
        ("How do I request a laptop at Northwind Office?", "single",
         "1. Open the equipment form on the intranet.\n2. Choose a model and name your manager.\n3. Collect the laptop at the service desk on the second floor."),
        ("Can I freeze lentil soup?", "single",
         "Yes. Frozen lentil soup keeps for three months. Thaw it slowly and add a little water."),
        ("What does the parameter `weight` mean in Parcelio?", "table", "the weight of the parcel in grams"),
        ("How much does the adult ticket cost at the Harlow Museum?", "table", "9 euros"),
        ("How much did the Aller footbridge cost?", "single", "3.2 million euros"),
        ("northwind office notice period", "known_item", "6 weeks"),
        ("brewmaster 300 warranty period", "known_item", "24 months"),
        ("line 7 tickets", "known_item", None),
        ("lentil soup red lentils amount", "known_item", "250 g"),
        ("pedal works rental electric bike half day price", "known_item", "25 euros"),
        ("pedal works rental child's bike deposit", "unanswerable", None),
        ("pedal works repairs", "known_item", None),
    ],
)  # fmt: skip
def test_questions_of_ten_kinds_of_documents(question: str, kind: str, answer: str | None) -> None:
    cases = {case.input: case for case in draft(ORDINARY, size=200).cases}
    assert cases[question].expected_output == answer
    assert cases[question].metadata["draft"]["kind"] == kind


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


def test_rows_of_two_documents_are_told_apart_by_their_titles() -> None:
    other = OPTIONS.replace("ids are looked at", "passages count").replace("`5`", "`7`")
    found = asked(titled(G_Recall=OPTIONS, G_Precision=other), "table")
    assert found["What is the default of the option `k` of G Precision?"].answer == "`7`"
    assert found["What does the option `k` of G Recall mean?"].answer == "how many ids are looked at"
    assert (
        asked(titled(G_Recall=f"{OPTIONS}\n\n{other}"), "table") == {}
    )  # the title does not tell the two apart


def test_search_words_that_other_headings_also_have_name_no_section() -> None:
    text = "The desk is on the ground floor, behind the stairs. " * 3
    passages = [
        DraftPassage("a", "a.md", text, ("Pedal Works", "Late returns")),
        DraftPassage("b", "b.md", text.replace("ground", "top"), ("Pedal Works", "Fees", "Late returns")),
        DraftPassage("c", "c.md", text.replace("desk", "shelf"), ("Pedal Works", "Repairs")),
    ]
    found = [one for one in write_by_rules(CorpusIndex(tuple(passages), 0)) if one.kind == "known_item"]
    assert [(one.question, one.answer) for one in found] == [
        ("pedal works fees late returns", ""),
        ("pedal works repairs", ""),
    ]


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
