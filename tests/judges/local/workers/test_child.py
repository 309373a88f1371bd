"""The program of a worker, in this process."""

import io
import pickle
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import CannotJudge, JudgeError
from ragstone.judges.local.workers import child
from ragstone.judges.local.workers.frames import HEADER_SIZE, pack, read_frame, unpack
from ragstone.prompts import Claims, ExtractClaims


class UnpicklableError(Exception):
    """An exception that is pickled and cannot be read again."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


def reply(frame: bytes) -> Any:
    return unpack(child.reply_to(frame)[HEADER_SIZE:])


def test_child_sends_ready_and_answers_in_order() -> None:
    requests = io.BytesIO(b"".join(pack(ExtractClaims(text=text)) for text in ("It rains.", "It snows.")))
    replies = io.BytesIO()
    child.serve(requests, replies)
    replies.seek(0)
    frames = [unpack(frame) for frame in iter(lambda: read_frame(replies), None)]
    assert frames == [child.READY, Claims(claims=("It rains.",)), Claims(claims=("It snows.",))]


def test_an_exception_is_a_reply() -> None:
    assert isinstance(reply(pickle.dumps("no prompt")), CannotJudge)


def test_an_exception_that_cannot_be_sent_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise UnpicklableError("it ", "broke")

    monkeypatch.setattr(child, "answer_prompt", fails)
    found = reply(pickle.dumps("anything"))
    assert type(found) is JudgeError
    assert str(found) == "UnpicklableError: it broke"


@for_each("kept", [0, 3, HEADER_SIZE, HEADER_SIZE + 2])
def test_incomplete_frame_is_read_as_end_of_stream(kept: int) -> None:
    assert read_frame(io.BytesIO(pack("a prompt")[:kept])) is None
