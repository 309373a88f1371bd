from ragstone.metrics import StringPresence


def test_string_presence_with_and_without_case_sensitivity() -> None:
    assert StringPresence().score("It was Paris, in 1889.", " Paris ").value == 1.0
    assert StringPresence().score("It was PARIS.", "Paris").value == 0.0
    assert StringPresence(case_sensitive=False).score("It was PARIS.", "Paris").value == 1.0
