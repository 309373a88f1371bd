from ragstone.metrics import StringPresence


def test_contained_or_not() -> None:
    assert StringPresence().score("It was Paris, in 1889.", " Paris ").value == 1.0
    assert StringPresence().score("It was PARIS.", "Paris").value == 0.0
    assert StringPresence(case_sensitive=False).score("It was PARIS.", "Paris").value == 1.0
