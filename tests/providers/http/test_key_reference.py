import copy
import pickle

import pytest

from ragstone.embeddings.openai import OpenAIEmbedder
from ragstone.errors import UsageError
from ragstone.judges import LLMJudge
from ragstone.providers.anthropic import Anthropic
from ragstone.providers.http.key_reference import keys_by_value
from ragstone.providers.openai import OpenAI

load = pickle.loads
KEY = "sk-victim1234567890abcd"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MY_JUDGE_TOKEN"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.delenv("MY_JUDGE_TOKEN")


@pytest.mark.parametrize(
    "make",
    [
        OpenAI,
        Anthropic,
        lambda: LLMJudge(provider=OpenAI()),
        lambda: OpenAI(base_url=f"http://localhost/v1?key={KEY}", headers={"X-Key": f"Bearer {KEY}"}),
    ],
)
def test_a_pickled_provider_names_the_variable_of_its_key(
    make: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = make()
    _ = getattr(getattr(value, "provider", value), "_endpoint", None)  # what is remembered is not sent either
    pickled = pickle.dumps(value)
    assert KEY.encode() not in pickled
    assert load(pickled) == value == copy.deepcopy(value)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "sk-of-the-worker")
    there = load(pickled)
    assert getattr(there, "provider", there).api_key == "sk-of-the-worker"
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name)
    with pytest.raises(UsageError, match=r"_API_KEY, which is not set on a worker of Ray.*--ray-send-keys"):
        load(pickled)


def test_a_pickled_embedder_holds_no_key() -> None:
    embedder = OpenAIEmbedder()
    assert embedder._endpoint.secrets == (KEY,)
    assert KEY.encode() not in pickle.dumps(embedder)


def test_a_key_that_is_in_no_variable_is_sent() -> None:
    assert load(pickle.dumps(OpenAI(api_key="sk-other"))).api_key == "sk-other"


def test_the_variable_of_a_named_judge_is_referred_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_JUDGE_TOKEN", "sk-mine-12345678")
    pickled = pickle.dumps(OpenAI(api_key="sk-mine-12345678"))
    assert b"sk-mine-12345678" not in pickled
    assert b"MY_JUDGE_TOKEN" in pickled


def test_keys_are_sent_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with keys_by_value():
        pickled = pickle.dumps(OpenAI())
    monkeypatch.delenv("OPENAI_API_KEY")
    assert load(pickled).api_key == KEY
