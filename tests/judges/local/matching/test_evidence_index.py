import numpy as np

from ragstone.judges.local.matching.evidence_index import index_evidence, is_name, stem_ngrams


def test_sentences_of_all_passages_are_indexed_with_their_passage() -> None:
    evidence = index_evidence(["One came. Two left.", "Three stayed."])
    assert evidence.passage_of_sentence.tolist() == [0, 0, 1]
    assert evidence.sentence_starts.tolist() == [0, 2, 4, 6]
    assert evidence.vectors.shape == (len(evidence.id_by_stem), 256)
    assert [evidence.tokens[i].stem for i in range(6)] == [
        list(evidence.id_by_stem)[i] for i in evidence.stem_ids
    ]


def test_text_without_punctuation_is_cut_into_searchable_pieces() -> None:
    evidence = index_evidence(["word " * 1000])
    assert max(np.diff(evidence.sentence_starts)) <= 60


def test_names_are_known_by_their_capitals_within_a_sentence() -> None:
    evidence = index_evidence(["Carol Brown met Dan. Snow fell."])
    assert [token.word for token in evidence.tokens if is_name(token, evidence)] == ["Carol", "Brown", "Dan"]


def test_empty_passages_have_no_tokens() -> None:
    assert index_evidence([]).tokens == index_evidence(["", " \n"]).tokens == ()


def test_grams_are_consecutive_words() -> None:
    assert stem_ngrams(["a", "b", "c"], 2) == [("a", "b"), ("b", "c")]
    assert stem_ngrams(["a"], 2) == []
