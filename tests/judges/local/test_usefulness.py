from ragstone.judges.local.usefulness import usefulness


def test_the_passage_that_holds_the_answer_is_useful() -> None:
    held, near, far = usefulness(
        "Who designed the Orrin Bridge?",
        "The engineer Maria Kessel designed the Orrin Bridge.",
        ["Maria Kessel, an engineer, designed the Orrin Bridge.", "The Orrin Bridge is old.", "Apples keep."],
    )
    assert held.verdict == "yes"
    assert far.verdict == "no"
    assert held.probability > near.probability > far.probability


def test_each_passage_is_judged_alone() -> None:
    passages = ["Maria Kessel designed it.", "", "桥"]
    together = usefulness("Who?", "Maria Kessel.", passages)
    assert together == [usefulness("Who?", "Maria Kessel.", [passage])[0] for passage in passages]


def test_a_passage_in_a_language_never_measured_is_not_judged() -> None:
    texts = ["Maria Kessel designed it.", "Il ponte non è stato costruito da Ann Lee, ma da Maria Kessel."]
    judged, refused = usefulness("Who?", "Maria Kessel.", texts)
    assert judged.verdict == "yes"
    assert refused.verdict == "undecided"
    assert "seems to be Italian" in refused.reason
