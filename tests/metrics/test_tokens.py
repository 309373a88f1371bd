import pytest

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.metrics import Tokens


def test_tokens_sent_and_received_count() -> None:
    counts = [{"input": 3900, "output": 100, "cached": 3000}, {"input": 3900, "output": 101}, {"output": 7}]
    cases = [TestCase(input="q", metadata={"tokens": tokens}) for tokens in counts]
    found = [Tokens(budget=4000).measure(case) for case in cases]
    assert [result.status for result in found] == ["passed", "missed", "passed"]
    assert [result.metadata["tokens"] for result in found] == [4000, 4001, 7]


def test_unknown_tokens_are_not_applicable() -> None:
    for tokens in (None, {}, {"total": 7}, {"input": True}, {"input": 10**400}, 12):
        with pytest.raises(NotApplicable, match="with input or output"):
            Tokens(budget=4000).measure(TestCase(input="q", metadata={"tokens": tokens}))
