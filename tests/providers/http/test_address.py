import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BadOption
from ragstone.providers.http.address import (
    check_base,
    check_key,
    from_environment,
    is_loopback,
    join,
    ollama_host,
)


@for_each(
    "base, address",
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"),
        ("http://localhost:8000", "http://localhost:8000/chat/completions"),
        (
            "https://x.openai.azure.com/openai/deployments/judge?api-version=2024-10-21",
            "https://x.openai.azure.com/openai/deployments/judge/chat/completions?api-version=2024-10-21",
        ),
        ("http://h/a%2Fb/v1#part", "http://h/a%2Fb/v1/chat/completions"),
    ],
)
def test_a_path_is_joined_below_the_base(base: str, address: str) -> None:
    assert join(base, "chat/completions") == address


@for_each(
    "text, address",
    [
        ("", "http://127.0.0.1:11434"),
        ("example.com", "http://example.com:11434"),
        ("example.com:56789", "http://example.com:56789"),
        (":56789", "http://127.0.0.1:56789"),
        ("http://1.2.3.4", "http://1.2.3.4:80"),
        ("https://1.2.3.4", "https://1.2.3.4:443"),
        ("https://1.2.3.4:56789/", "https://1.2.3.4:56789"),
        ("example.com/path/", "http://example.com:11434/path"),
        ("https://example.com:56789/a/b", "https://example.com:56789/a/b"),
        ("[0001:002:003:0004::1]", "http://[0001:002:003:0004::1]:11434"),
        ("http://[::1]:56789/path", "http://[::1]:56789/path"),
        (" 0.0.0.0 ", "http://0.0.0.0:11434"),
    ],
)
def test_ollama_host_is_read_as_by_the_ollama_client(text: str, address: str) -> None:
    assert ollama_host(text) == address


@for_each("text", ["ftp://x", "http://x:port", "http://[::1"])
def test_invalid_ollama_host_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="localhost:11434"):
        ollama_host(text)


@for_each("base", ["localhost:8000/v1", "api.openai.com", "ftp://x/v1", "http://", "http://["])
def test_invalid_base_url_is_refused(base: str) -> None:
    with pytest.raises(BadOption, match="http://localhost:8000/v1"):
        check_base(base, "base_url")


def test_check_key_strips_whitespace() -> None:
    assert check_key(" sk-1\n", "OPENAI_API_KEY") == "sk-1"


@for_each("key", ["sk-\x00secret", "sk-sec\nret", "sk-s\u00e9cret"])
def test_unsendable_key_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(BadOption, match="OPENAI_API_KEY") as caught:
        check_key(key, "OPENAI_API_KEY")
    assert "cret" not in str(caught.value)


def test_blank_variables_count_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSTONE_A", "  ")
    monkeypatch.setenv("RAGSTONE_B", " b ")
    assert from_environment("RAGSTONE_A", "RAGSTONE_B") == "b"
    assert from_environment("RAGSTONE_A") is None


def test_password_in_base_url_is_refused_without_being_shown() -> None:
    with pytest.raises(BadOption, match="headers=") as caught:
        check_base("http://user:hunter2@host/v1", "base_url")
    assert "hunter2" not in str(caught.value)


@for_each(
    "host, here",
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("localhost", True),
        ("127.0.0.1.example.com", False),
        ("localhost.example.com", False),
        ("10.0.0.1", False),
        ("", False),
    ],
)
def test_only_loopback_addresses_and_localhost_are_this_machine(host: str, here: bool) -> None:  # noqa: FBT001
    assert is_loopback(host) is here
