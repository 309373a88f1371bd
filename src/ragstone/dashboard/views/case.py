"""View model of the page of one test case. It does not read the store."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from ragstone.case import APPLICATION_ERROR, TestCase, ToolCall, Turn
from ragstone.dashboard.views import texts, verdicts
from ragstone.findings.numbers import count, dollars
from ragstone.findings.view.findings import Finding, first_sentence
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.findings.view.turn_results import TurnResult, turn_results
from ragstone.result import Result

MOST_CLAIMS, MOST_PASSAGES, MOST_TURNS = 100, 40, 60
_MAX_ITEMS, _MAX_CHARACTERS = 40, 2_000
_FOLDED_LENGTH = 700


class PassageView(NamedTuple):
    """A passage: its rank, its text with the decisive words highlighted, and as Markdown where that is shown."""

    rank: verdicts.RankedPassage
    text: texts.HighlightedText
    markdown: Markup | None

    @property
    def long(self) -> bool:
        """Whether it is shown in a box of a few lines, around the words on which a verdict rests."""
        return self.text.length > _FOLDED_LENGTH


class TurnView(NamedTuple):
    """A turn of a conversation: passages and tools of an answer, what each metric found, the error of a call."""

    role: str
    text: texts.HighlightedText
    tools: tuple[str, ...]
    passages: list[str]
    results: list[tuple[str, TurnResult]]
    error: str


class ResultView(NamedTuple):
    """A result, with its name and a summary in words."""

    name: str
    result: Result
    summary: str
    judged: verdicts.MetricVerdicts | None
    usage: str


def case_view(
    case: TestCase, results: Sequence[Result], *, by: str = "", whole: Collection[str] = (), kept: str = ""
) -> dict[str, Any]:
    """Return the values of the template.

    The answer is coloured by the metric of the spec `by`, if there is one. Parts of the page in `whole` are uncut.
    `kept` is the filter of the table that led to the page, as a query string.
    """
    by_metric = verdicts.metric_verdicts(case, results)
    on_answer = verdicts.verdicts_on(by_metric, verdicts.ANSWER)
    judged = next((each for each in on_answer if each.spec == by), on_answer[0] if on_answer else None)
    attributed = next(iter(verdicts.verdicts_on(by_metric, verdicts.EXPECTED)), None)
    answer = texts.statements(case.actual_output or "", judged, "c", whole="answer" in whole)
    retrieved = case.retrieval_context or case.context or ()
    ranked = verdicts.ranks(case, by_metric)
    shown = ranked if "passages" in whole else ranked[:MOST_PASSAGES]
    by_letter = {letter: each for letter, each in (("c", judged), ("e", attributed)) if each is not None}
    turns = case.turns or ()
    grades: Mapping[str, int] = case.get("relevant_ids") or {}
    raw = case.actual_output or ""
    rendered = "markdown" in whole
    return {
        "case": case,
        "markdown": texts.markdown_html(raw[: texts.SHOWN]) if rendered else None,
        "offers_markdown": rendered or any(map(texts.is_markdown, (raw, *retrieved[:MOST_PASSAGES]))),
        "raw_href": _with_parameters(kept, *(("whole", name) for name in whole if name != "markdown")) or "?",
        "question": texts.plain(case.input, whole="question" in whole),
        "turns": _turn_views(turns, results, whole),
        "more_turns": max(0, len(turns) - MOST_TURNS),
        "answer": answer if case.actual_output else None,
        "judged": judged,
        "colourings": [
            (each.metric, _with_parameters(kept, ("by", each.spec)), each is judged) for each in on_answer
        ],
        "drawn": {int(key[1:]) for segment in answer.strokes for key in segment.claims.split()},
        "most_claims": MOST_CLAIMS,
        "expected": texts.statements(case.expected_output, attributed, "e", whole="expected" in whole)
        if case.expected_output
        else None,
        "attributed": attributed,
        "passages": [
            PassageView(
                rank,
                texts.evidence(rank.text, rank.number, by_letter, whole=f"passage-{rank.number}" in whole),
                texts.markdown_html(rank.text[: texts.SHOWN]) if rendered else None,
            )
            for rank in shown
        ],
        "more_passages": len(ranked) - len(shown),
        "judged_ranks": any(rank.claim for rank in ranked),
        "quoted": partial(_quoted_words, case),
        "context": _short_texts(case.context) if case.context and retrieved is not case.context else [],
        "tools": [_call_text(call) for call in (case.tools_called or ())[:_MAX_ITEMS]],
        "expected_tools": [_call_text(call) for call in (case.expected_tools or ())[:_MAX_ITEMS]],
        "ids": _short_texts(case.retrieved_ids),
        "relevant": [f"{item} · grade {grade}" for item, grade in list(grades.items())[:_MAX_ITEMS]],
        "metadata": [
            (name, _short(texts.json_text(value))) for name, value in list(case.metadata.items())[:_MAX_ITEMS]
        ],
        "measured": measures(results, by_metric),
        "whole": partial(_address, kept, by, whole),
    }


def measures(results: Sequence[Result], found: Sequence[verdicts.MetricVerdicts]) -> list[ResultView]:
    """Return the results in the order of the margin: failures first, each status in the order of the run."""
    names = metric_names(results)
    by_spec = {judged.spec: judged for judged in found}
    order = {"missed": 0, "undecided": 1, "not_measured": 2, "passed": 3, None: 4, "skipped": 5}
    listed: list[ResultView] = []
    for result in sorted(results, key=lambda result: order[result.status]):
        judged, summary = by_spec.get(result.spec), result.error or result.reason or ""
        if judged is not None and not result.error:
            summary = first_sentence(summary)  # it has the count of the verdicts, which are listed
        listed.append(ResultView(metric_name(result, names), result, summary, judged, _usage(result)))
    return listed


def _usage(result: Result) -> str:
    parts = [texts.elapsed(result.latency_ms)]
    parts += [count(result.usage.calls, "call")] if result.usage.calls else []
    tokens = result.usage.input_tokens + result.usage.output_tokens
    if tokens:
        parts += [count(tokens, "token"), dollars(result.evaluation_cost)]
    return " · ".join(parts)


def _turn_views(turns: Sequence[Turn], results: Sequence[Result], whole: Collection[str]) -> list[TurnView]:
    names, found = metric_names(results), turn_results(results)
    return [
        TurnView(
            turn.role,
            texts.plain(turn.content, whole=f"turn-{number}" in whole),
            tuple(_call_text(call) for call in turn.tools_called or ()),
            _short_texts(turn.retrieval_context),
            [(names[item.spec], item) for item in found.get(number, ())],
            str(turn.metadata.get(APPLICATION_ERROR) or ""),
        )
        for number, turn in enumerate(turns[:MOST_TURNS], 1)
    ]


def _address(query: str, by: str, shown: Collection[str], part: str) -> str:
    """Return the address of the page with one more part uncut."""
    parts = [("whole", name) for name in (*shown, part)]
    return _with_parameters(query, *([("by", by)] if by else []), *parts)


def _with_parameters(query: str, *extra: tuple[str, str]) -> str:
    return f"{query}{'&' if query.strip('?') else '' if query else '?'}{urlencode(extra, errors='replace')}"


def _quoted_words(case: TestCase, judged: verdicts.MetricVerdicts, claim: Finding) -> str:
    texts = case.get(judged.evidence) if judged.evidence else None
    if not texts or claim.span is None or claim.passage is None:
        return ""
    return str(texts[claim.passage - 1][slice(*claim.span)])


def _call_text(call: ToolCall) -> str:
    summary = f"{call.name}({texts.json_text(call.input_parameters) if call.input_parameters else ''})"
    if call.error:
        return _short(f"{summary} → failed: {call.error}")
    return _short(summary if call.output is None else f"{summary} → {texts.json_text(call.output)}")


def _short_texts(texts: Sequence[str] | None) -> list[str]:
    return [_short(text) for text in (texts or ())[:_MAX_ITEMS]]


def _short(text: str) -> str:
    if len(text) <= _MAX_CHARACTERS:
        return text
    return f"{text[:_MAX_CHARACTERS]}… ({count(len(text), 'character')})"
