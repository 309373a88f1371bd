"""Where servers put an answer, as each of them writes it."""

import json

import pytest
from tests.testing.for_each import for_each

from ragstone.providers.wire.chat_completions import decode
from ragstone.providers.wire.replies import AnswerMessage

ANSWER = '{"claims": ["c"]}'


@for_each(
    "message",
    [
        {"content": ANSWER},
        {"content": [{"type": "text", "text": ANSWER}]},
        {"content": [{"text": ANSWER}]},
        {
            "content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": "hm {"}]},
                {"type": "text", "text": ANSWER},
            ]
        },
        {"content": [{"type": "reasoning", "text": "hm {"}, {"type": "output_text", "text": ANSWER}]},
        {"content": ANSWER, "reasoning_content": "Let me check {this}."},
        {"content": None, "tool_calls": [{"function": {"name": "answer", "arguments": ANSWER}}]},
        {"content": "", "tool_calls": [{"function": {"name": "answer", "arguments": json.loads(ANSWER)}}]},
        {"content": "", "reasoning_content": ANSWER},
        {"content": None, "reasoning": f"So:\n```json\n{ANSWER}\n```"},
        {"content": "", "thinking": ANSWER},
    ],
    ids=str,
)
def test_answer_is_read_wherever_the_server_puts_it(message: dict[str, object]) -> None:
    assert ANSWER in AnswerMessage.model_validate(message).text


@for_each(
    "message",
    [
        {},
        {"content": None},
        {"content": []},
        {"content": [{"type": "image_url", "image_url": {}}, 3, None]},
        {"content": "", "reasoning_content": "The passage says so. I should answer"},
        {"content": None, "tool_calls": [{"function": None}]},
        {"content": None, "tool_calls": [3]},
        {"content": None, "reasoning": {"text": ANSWER}},
    ],
    ids=str,
)
def test_message_without_an_answer_is_empty(message: dict[str, object]) -> None:
    assert AnswerMessage.model_validate(message).text == ""


def test_limit_that_was_spent_on_thoughts_is_named() -> None:
    choice = {"message": {"content": None, "reasoning_content": "Okay, I"}, "finish_reason": "length"}
    with pytest.raises(Exception, match="spent its whole token limit on thinking") as caught:
        decode(json.dumps({"choices": [choice]}).encode(), "openai", "m")
    assert getattr(caught.value, "partial", None) == ""
