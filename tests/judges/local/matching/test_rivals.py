from ragstone.judges.local.matching.alignment import align
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.matching.rivals import rivals
from ragstone.judges.local.text.tokens import tokens


def test_one_of_a_list_does_not_rival_another() -> None:
    evidence = index_evidence(["Carol Brown, Dan and Eve attended the meeting."])
    alignment = align(tokens("Dan attended the meeting.")[0], evidence)
    assert alignment is not None
    assert not list(rivals(alignment, evidence))


def test_the_replaced_word_is_named_beside_its_rival() -> None:
    evidence = index_evidence(["The court architect Matthias Orlen built the hall."])
    alignment = align(tokens("The court architect Johann Orlen built the hall.")[0], evidence)
    assert alignment is not None
    assert [(r.mine.word, r.theirs.word) for r in rivals(alignment, evidence)][:1] == [("Johann", "Matthias")]
