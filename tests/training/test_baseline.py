from training.baseline import overlap


def test_overlap_is_the_share_of_distinct_content_words() -> None:
    assert overlap("The red red house burned", "A red house stood here.") == 2 / 3
    assert overlap("the of", "anything") == 0
