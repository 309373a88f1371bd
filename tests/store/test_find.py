"""A run is found by id, name, baseline or a unique prefix, in this order; deleting takes the whole id."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone import evaluate
from ragstone.errors import NotInStore
from ragstone.metrics import ExactMatch
from ragstone.store import Store, open_store

CASES = [{"input": "q", "actual_output": "a", "expected_output": "a"}]


@pytest.fixture
def store(store_url: str) -> Store:
    return open_store(store_url)


def run(store_url: str, name: str | None = None) -> str:
    return evaluate(CASES, [ExactMatch()], store=store_url, name=name).run.id


def test_run_id_takes_precedence_over_equal_name(store: Store, store_url: str) -> None:
    precious = run(store_url)
    namesake = run(store_url, name=precious)
    assert store.find(precious).run.id == precious
    assert store.find(namesake).run.id == namesake
    store.delete(store.find_exact(precious))
    assert [one.run.id for one in store.runs()] == [namesake]


def test_find_prefers_name_to_baseline_to_prefix(store: Store, store_url: str) -> None:
    first, second = run(store_url), run(store_url, name="main")
    store.baselines.put("main", store.find(first).number)
    assert store.find("main").run.id == second
    store.baselines.put(second[:-1], store.find(first).number)
    assert store.find(second[:-1]).run.id == first


def test_a_prefix_must_be_unique_and_six_characters_long(store: Store, store_url: str) -> None:
    first, second = run(store_url), run(store_url)
    assert store.find(first[:-1]).run.id == first
    shared = next(size for size in range(len(first)) if first[:size] != second[:size]) - 1
    assert shared >= 6
    with pytest.raises(NotInStore, match=f"(?s)ids of several runs.*{second}"):
        store.find(first[:shared])
    with pytest.raises(NotInStore, match="There is no run"):
        store.find(first[:5])


@pytest.mark.parametrize("wanted", ["", " ", "%", "______", "2", "last-but-one"])
def test_unknown_run_raises_not_in_store(store: Store, store_url: str, wanted: str) -> None:
    run(store_url)
    with pytest.raises(NotInStore):
        store.find(wanted)


@pytest.mark.parametrize("wanted", ["\ud800", "run\udcff", "\0", "a\0b"])
def test_unstorable_text_raises_not_in_store(store: Store, store_url: str, wanted: str) -> None:
    run(store_url, name="?")
    for find in (store.find, store.find_exact):
        with pytest.raises(NotInStore, match="names and ids cannot contain NUL"):
            find(wanted)
    with pytest.raises(NotInStore):
        evaluate(CASES, [ExactMatch()], store=store_url, resume=wanted)


@given(data=st.data())
def test_find_exact_requires_the_whole_id(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "find.sqlite3"
    store = open_store(path)
    known = store.runs()
    found = known[0].run.id if known else run(str(path), name="named")
    wanted = data.draw(
        st.one_of(
            st.integers(0, len(found) - 1).map(lambda size: found[:size]),
            st.sampled_from(["last", "latest", "named", f" {found}", f"{found}*"]),
        )
    )
    with pytest.raises(NotInStore):
        store.find_exact(wanted)
