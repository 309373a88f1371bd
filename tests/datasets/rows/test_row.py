from ragstone.datasets import BadRow


def test_bad_row_message_has_source_place_problem_and_remedy() -> None:
    bad = BadRow("a.csv", "line 7", "input: Field required.", "Give it a non-empty input.")
    assert str(bad) == "a.csv, line 7: input: Field required. Give it a non-empty input."
