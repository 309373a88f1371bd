"""What an encoder reads: short evidence whole, of long evidence the sentences nearest to the statement."""

from ragstone.judges.local.matching.alignment import MAX_EVIDENCE_TOKENS, Alignment, reading_window
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.measurement import analyse

FILLER = [f"Line number {n} of the annual report speaks of turnover and of staff." for n in range(40)]


def aligned(statement: str, *passages: str) -> tuple[Alignment, EvidenceIndex]:
    evidence = index_evidence(passages)
    analysed = analyse(statement, evidence)
    assert analysed is not None
    return analysed.alignments[0], evidence


def test_short_evidence_is_read_whole_with_its_punctuation() -> None:
    texts = ("Hours (summer):\n- 7 a.m. to 9 p.m.\n- closed on Mondays!", "Price: €4.50.")
    window = reading_window(*aligned("It costs 4.50.", *texts))
    assert "".join(window.split()) == "".join("".join(texts).split())


def test_window_of_long_evidence_has_the_matching_sentence_and_neighbours() -> None:
    passage = " ".join([*FILLER[:20], "The warehouse is in Gdynia.", "It burnt down in 1961.", *FILLER[20:]])
    window = reading_window(*aligned("The warehouse of Gdynia was lost to a fire.", passage))
    assert "The warehouse is in Gdynia. It burnt down in 1961." in window
    assert len(window.split()) <= MAX_EVIDENCE_TOKENS


def test_sentences_keep_their_order_across_passages() -> None:
    one = " ".join([*FILLER[:15], "Ada Karlsen founded the firm."])
    other = " ".join(["The firm moved to Bergen.", *FILLER[15:30]])
    window = reading_window(*aligned("Ada Karlsen's firm moved to Bergen.", one, other))
    assert window.index("Ada Karlsen founded") < window.index("moved to Bergen")


def test_sentence_longer_than_the_window_is_not_dropped() -> None:
    passage = "the bridge of iron and stone " * 60
    assert reading_window(*aligned("A bridge of stone.", passage))
