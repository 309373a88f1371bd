from training.crossing import crossed
from training.pairs import CROSSED, Pair, crossed_pairs

ROWS = [f"{context}{number}" for context in "abcd" for number in range(6)]


def context(row: str) -> str:
    return row[0]


def domain(row: str) -> str:
    return "near" if row[0] in "ab" else "far"


def test_crossed_rows_have_different_contexts() -> None:
    pairs = list(crossed(ROWS, context, domain))
    assert [row for row, _ in pairs] == ROWS
    assert all(context(row) != context(other) for row, other in pairs)


def test_every_second_crossed_row_shares_its_domain() -> None:
    pairs = list(crossed(ROWS, context, domain))
    assert all(domain(row) == domain(other) for row, other in pairs[1::2])
    assert any(domain(row) != domain(other) for row, other in pairs[::2])


def test_row_without_domain_neighbour_is_paired_with_another_domain() -> None:
    assert {context(other) for _, other in crossed(["a0", "a1", "c0"], context, domain)} == {"c", "a"}
    assert list(crossed(["a0", "a1"], context, domain)) == []


def test_the_same_seed_gives_the_same_pairs() -> None:
    assert list(crossed(ROWS, context, domain, 1)) == list(crossed(ROWS, context, domain, 1))
    assert list(crossed(ROWS, context, domain, 1)) != list(crossed(ROWS, context, domain, 2))


def pair(task: str, scene: int, number: int) -> Pair:
    return Pair(
        task,
        "judgements",
        "w01",
        "kind",
        f"question {scene}?",
        f"claim {scene} {number}",
        f"passage {scene}",
        2 if number else 0,
    )


def test_crossed_pairs_are_labelled_unrelated() -> None:
    known = [
        pair(task, scene, number)
        for task in ("support", "relevance")
        for scene in range(20)
        for number in range(4)
    ]
    found = list(crossed_pairs(known))
    assert 50 < len(found) < 110
    assert {one.kind for one in found} == {CROSSED}
    assert {(one.task, one.label) for one in found} == {("support", 1), ("relevance", 0)}
    assert all(one.second.split()[1] != one.first.split()[1] for one in found)
