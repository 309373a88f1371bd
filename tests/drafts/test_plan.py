from collections import Counter

from tests.drafts.documents import index_of

from ragstone.drafts.plan import draw_withheld, quotas, sampling_order


def test_quotas_add_up() -> None:
    for size in (1, 7, 200):
        assert sum(quotas(size, ("single", "multi", "unanswerable")).values()) == size
    assert quotas(10, ("table",)) == {"table": 10}


def test_sampling_order_is_proportional_to_strata() -> None:
    index = index_of(*(f"text number {number}" for number in range(4)))
    items = [(passage, number) for passage in range(4) for number in range(30)]
    order = sampling_order(items, lambda item: item[0], index, seed=3)
    assert sorted(order) == items
    sizes = index.stratum_sizes
    for count in (4, 20, 60):
        found = Counter(index.strata[passage] for passage, _ in order[:count])
        for stratum, size in sizes.items():
            assert abs(found[stratum] - count * size / 4) <= 2
    assert order == sampling_order(items, lambda item: item[0], index, seed=3)
    assert order != sampling_order(items, lambda item: item[0], index, seed=4)


def test_draw_withheld_takes_the_given_share() -> None:
    index = index_of("a", "b", "c", "d")
    assert draw_withheld(index, 0, 0) == frozenset()
    assert len(draw_withheld(index, 0.5, 0)) == 2
    assert len(draw_withheld(index, 0.99, 0)) == 3
