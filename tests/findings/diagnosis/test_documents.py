from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.findings.diagnosis.documents import document_of, passage_documents, relevant_documents


@for_each(
    "name, document",
    [
        ("handbook.pdf#12", "handbook.pdf"),
        ("handbook.pdf:3", "handbook.pdf"),
        ("handbook.pdf::3", "handbook.pdf"),
        ("handbook/p4", "handbook"),
        ("handbook_chunk_7", "handbook"),
        ("handbook-chunk-7", "handbook"),
        ("handbook", "handbook"),
        ("2024", "2024"),
        ("v2", "v2"),
    ],
)
def test_the_document_of_an_id(name: str, document: str) -> None:
    assert document_of(name) == document


def test_the_documents_of_passages() -> None:
    details = [{"id": "a#1", "metadata": {"source": "a.pdf"}}, {"id": "b#2"}]
    assert passage_documents(TestCase(input="q", metadata={"retrieval_context_details": details})) == (
        "a.pdf",
        "b",
    )
    assert passage_documents(TestCase(input="q", retrieved_ids=["a#1", "a#2"])) == ("a", "a")
    assert passage_documents(TestCase(input="q")) == ()


def test_the_documents_of_the_answer() -> None:
    assert relevant_documents(TestCase(input="q", metadata={"document": "a.pdf"}, relevant_ids=["b#1"])) == (
        "a.pdf",
    )
    assert relevant_documents(TestCase(input="q", relevant_ids={"b#1": 2, "b#2": 1, "c": 0})) == ("b",)
    assert relevant_documents(TestCase(input="q")) == ()
