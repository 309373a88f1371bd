import pytest

from ragstone.judges.local._align import align
from ragstone.judges.local._conflict import conflicts, replacements
from ragstone.judges.local._evidence import analyse
from ragstone.judges.local._text import tokens


def found(claim: str, passage: str) -> dict[str, float]:
    evidence = analyse([passage])
    alignment = align(tokens(claim)[0], evidence)
    assert alignment is not None
    return conflicts(alignment, evidence)


@pytest.mark.parametrize(
    ("claim", "passage", "kind"),
    [
        ("Ada moved to Rome in 1998.", "Ada moved to Rome in 1999.", "number_conflict"),
        ("Ada moved to Oslo in 1999.", "Ada moved to Rome in 1999.", "name_conflict"),
        ("Ada did not move to Rome.", "Ada moved to Rome.", "negated_only_here"),
        ("Ada moved to Rome.", "Ada never moved to Rome.", "negated_only_there"),
        ("Sales increased sharply.", "Sales decreased sharply.", "opposite"),
    ],
)
def test_each_kind_of_conflict_is_seen_and_a_copy_has_none(claim: str, passage: str, kind: str) -> None:
    assert found(claim, passage)[kind] > 0.4
    assert not any(found(passage, passage).values())


def test_one_of_a_list_does_not_rival_another() -> None:
    evidence = analyse(["Carol Brown, Dan and Eve attended the meeting."])
    alignment = align(tokens("Dan attended the meeting.")[0], evidence)
    assert alignment is not None
    assert not replacements(alignment, evidence)


def test_the_replaced_word_is_named_beside_its_rival() -> None:
    evidence = analyse(["The court architect Matthias Orlen built the hall."])
    alignment = align(tokens("The court architect Johann Orlen built the hall.")[0], evidence)
    assert alignment is not None
    assert [(a.word, b.word) for a, b, _ in replacements(alignment, evidence)][:1] == [("Johann", "Matthias")]
