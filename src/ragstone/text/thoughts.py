"""The thoughts that a reasoning model writes before its answer, between tags of several kinds.

Read are `<think>…</think>` and the like, `[THINK]…[/THINK]`, and the channels of gpt-oss. A block that never ends takes
the rest of the text. A closing tag without an opening one ends thoughts that began with the text. Tags in code
(`` `<think>` ``) are words, as is an opening tag within a line that is never closed.
"""

import re

Span = tuple[int, int]

HINT = re.compile(
    r"[<\[◁](?:(?<=<)(?:/?(?:think|thought|reason)|\|(?:channel|(?:begin|end)_of_))|(?<=\[)/?THINK\]|(?<=◁)/?think▷)",
    re.IGNORECASE,
)
"""What a text with thoughts has at least one of."""
_TAG = re.compile(
    r"(?<!`)(?:<(?P<close>/)?(?:think|thinking|thoughts?|reasoning)>|\[(?P<close_bracket>/)?THINK\]"
    r"|◁(?P<close_arrow>/)?think▷|<\|(?:begin|(?P<close_end>end))_of_thought\|>)(?!`)",
    re.IGNORECASE,
)
_SOLUTION_TAG = re.compile(r"<\|(?:begin|end)_of_solution\|>")
_BLANKS = re.compile(r"\s*+")
_CHANNEL = "<|channel|>"
_FINAL = re.compile(r"<\|channel\|>final(?:\s[^<>|]{0,40})?<\|message\|>")
_END = re.compile(r"(?:<\|(?:end|return)\|>\s*)+\Z")


def thought_spans(text: str) -> list[Span]:
    """Return the spans of the thoughts in a text with their tags and the blanks after them, in order."""
    spans = _channel_spans(text) if _CHANNEL in text else []
    position = spans[0][1] if spans else 0
    opened: int | None = None
    for tag in _TAG.finditer(text, position):
        if any(tag.groups()):
            spans.append((position if opened is None else opened, tag.end()))
            position, opened = tag.end(), None
        elif opened is None:
            opened = tag.start()
    if opened is not None and _begins_line(text, position, opened):
        spans.append((opened, len(text)))
    spans += (match.span() for match in _SOLUTION_TAG.finditer(text))
    return _merged([(start, _skip_blanks(text, end)) for start, end in spans])


def _skip_blanks(text: str, position: int) -> int:
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks else position


def _channel_spans(text: str) -> list[Span]:
    """Return the channels other than the last final one; all of the text if there is no final one."""
    finals = list(_FINAL.finditer(text))
    if not finals:
        return [(0, len(text))]
    end = _END.search(text, finals[-1].end())
    return [(0, finals[-1].end())] + ([end.span()] if end else [])


def _begins_line(text: str, position: int, start: int) -> bool:
    return not text[max(position, text.rfind("\n", 0, start) + 1) : start].strip()


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
