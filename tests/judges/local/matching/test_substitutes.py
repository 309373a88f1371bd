from ragstone.judges.local.matching.alignment import align
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.matching.substitutes import find_substitutes
from ragstone.text.tokens import tokens


def test_entries_of_one_list_are_not_substitutes_of_each_other() -> None:
    evidence = index_evidence(["Carol Brown, Dan and Eve attended the meeting."])
    alignment = align(tokens("Dan attended the meeting.")[0], evidence)
    assert alignment is not None
    assert not list(find_substitutes(alignment, evidence))


def test_substitute_names_both_words() -> None:
    evidence = index_evidence(["The court architect Matthias Orlen built the hall."])
    alignment = align(tokens("The court architect Johann Orlen built the hall.")[0], evidence)
    assert alignment is not None
    assert [(r.statement_word.word, r.evidence_word.word) for r in find_substitutes(alignment, evidence)][
        :1
    ] == [("Johann", "Matthias")]
