"""Statements and passages in one form before they are compared: tables row by row, numbers and dates in one spelling.

The spans of the verdicts are those of the passages as they were given.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from ragstone.text.pieces import PiecedText
from ragstone.text.preparation import prepared
from ragstone.text.spellings import language_of_numbers, may_be_respelled, respelled

_TABLE = re.compile(r"\n[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+\|")

P = ParamSpec("P")


class _Located(Protocol):
    @property
    def passage(self) -> int | None:
        """Number of the passage, from 1."""
        ...

    @property
    def span(self) -> tuple[int, int] | None:
        """Character offsets in that passage."""
        ...


V = TypeVar("V", bound=_Located)
Judgement = Callable[Concatenate[Sequence[str], Sequence[str], P], list[V]]


def on_uniform_texts(judge: "Judgement[P, V]") -> "Judgement[P, V]":
    """Let a judgement of statements by passages read both in one form; verdicts are about the texts as given."""

    @wraps(judge)
    def judge_uniform(
        statements: Sequence[str], passages: Sequence[str], *args: P.args, **kwargs: P.kwargs
    ) -> list[V]:
        has_table = any(map(_TABLE.search, passages))
        if not has_table and not any(map(may_be_respelled, (*statements, *passages))):
            return judge(statements, passages, *args, **kwargs)
        language = language_of_numbers(passages)
        uniform = [_uniform(passage, language) for passage in passages]
        verdicts = judge(
            [respelled(statement, language).text for statement in statements],
            [passage.text for passage in uniform],
            *args,
            **kwargs,
        )
        return [_on_original(verdict, uniform) for verdict in verdicts]

    return judge_uniform


def _uniform(passage: str, language: str) -> PiecedText:
    prose = prepared(passage, "prose") if _TABLE.search(passage) else prepared(passage, "written")
    spelled = respelled(prose.text, language)
    return PiecedText(passage, [part for piece in spelled.pieces for part in prose.traced(piece)])


def _on_original(verdict: V, passages: Sequence[PiecedText]) -> V:
    if verdict.passage is None or verdict.span is None:
        return verdict
    original: Any = verdict
    return replace(original, span=passages[verdict.passage - 1].original_span(*verdict.span))
