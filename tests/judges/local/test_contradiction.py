from ragstone.judges.local.contradiction import contradiction

CONTEXTS = ["The Orrin Bridge was opened in 1889.", "Apples keep for six weeks in a cool cellar."]


def test_only_the_context_that_denies_the_answer_says_no() -> None:
    verdicts = contradiction("The Orrin Bridge was opened in 1899.", CONTEXTS)
    assert [found.verdict for found in verdicts] == ["no", "idk"]
    assert "1889" in verdicts[0].reason


def test_a_context_that_says_the_same_agrees() -> None:
    verdicts = contradiction("The Orrin Bridge was opened in 1889.", CONTEXTS)
    assert verdicts[0].verdict == "yes"
    assert verdicts[0].passage == 1
