"""Facts from headings and list entries: a task, a question or a term, with the text that follows as the answer."""

import re
from collections.abc import Iterator, Sequence

from ragstone.drafts.facts.blocks import first_block, list_items
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.markdown import plain_inline
from ragstone.text.sentences import sentences

_TASK_VERBS = frozenset(
    """add annotate ask build call change check choose compare configure connect convert create debug delete deploy
    disable download enable evaluate export find fix gate generate import improve inspect install keep limit link
    list load lower make measure merge migrate monitor move name open pass pin print protect publish put raise read
    record release remove rename repeat replace report reset restart resume review roll rotate run save schedule score
    search select send serve set share show sign start stop store switch test trace translate try tune update
    upgrade upload use validate view watch write""".split()
)
_QUESTION_START = re.compile(
    r"(?:What|Who|When|Where|Why|How|Which\b.*|How [a-z]+) (?:is|are|does|do|can|should|was|were|has|have) ",
    re.IGNORECASE,
)
_BACK_REFERENCE = re.compile(
    r"\b(?:it|its|them|they|this|that|these|those|yourself|here|others|the others|no|above|below|same)\b",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(
    r"(?:What|Who|When|Where|Why|How|Which|Was|Wer|Wann|Wo|Wie|Warum|Welche|Qu|Où|Comment|Pourquoi)",
    re.IGNORECASE,
)
_WHY = re.compile(r"(?:Why|Warum|Pourquoi)\b")
_REASON = re.compile(r"\b(?:because|since|so that|weil|denn|damit|car|parce|puisque)\b", re.IGNORECASE)
_NUMBERING = re.compile(r"^\d+[.)]\s+")
_TERM_ENTRY = re.compile(
    r"(?P<term>`[\w./-]+`)\s*(?::|—|–|\s-\s)\s*(?P<meaning>(?:an?|the|eine?|der|die|das|une?|le|la) .{12,})",
    re.DOTALL,
)
_SKIPPED_HEADINGS = re.compile(
    r"reject|alternativ|consequen|context|changed|added|fixed|removed", re.IGNORECASE
)
_MAX_ANSWER_CHARS = 700
_MIN_TITLE_WORDS, _MAX_TITLE_WORDS = 2, 9
_MIN_ANSWER_CHARS = 25


def heading_facts(corpus: Sequence[DraftPassage]) -> Iterator[Fact]:
    """Yield the facts of headings and list entries.

    The answer to a heading that names a task or asks a question is the first block below it.
    """
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for index, passage in enumerate(corpus):
        section = (passage.document, passage.headings)
        if passage.headings and section not in seen:
            seen.add(section)
            yield from _heading_fact(index, passage)
        if not (passage.headings and _SKIPPED_HEADINGS.search(passage.headings[-1])):
            yield from _entries(index, passage.text)


def _heading_fact(index: int, passage: DraftPassage) -> Iterator[Fact]:
    title, span = _NUMBERING.sub("", passage.headings[-1]).rstrip(". "), first_block(passage.text)
    if span is None or not _MIN_ANSWER_CHARS <= span[1] - span[0] <= _MAX_ANSWER_CHARS:
        return
    answer = passage.text[slice(*span)]
    if answer.startswith(("|", "<", "!", "[")) or answer.endswith(":"):
        return
    words = title.split()
    if not words or _BACK_REFERENCE.search(title):
        return
    if (title.endswith("?") and _QUESTION_WORD.match(title)) or (
        _QUESTION_START.match(title) and len(words) > _MIN_TITLE_WORDS
    ):
        if _WHY.match(title) and not _REASON.search(answer):
            return
        yield Fact("asked", index, span, title, "", plain_block(answer))
    elif (
        words[0].casefold() in _TASK_VERBS
        and _MIN_TITLE_WORDS <= len(words) <= _MAX_TITLE_WORDS
        and not re.search(r"[:;?!]|, |\bwhat\b|^\w+ (?:and|or|how|whether|if|that|when)\b", title)
        and _is_instruction(answer)
    ):
        yield Fact("steps", index, span, title, "", plain_block(answer))


def _is_instruction(answer: str) -> bool:
    """Return whether a block is a list or code, or begins with a sentence that holds code and defines no name."""
    first = answer[slice(*next(iter(sentences(answer)), (0, 0)))]
    defines = re.match(r"`[^\W_]+` [a-z]", first)
    return ("`" in first and not defines) or re.match(r"[ \t]*(?:[-*]|\d+[.)]|```) ?", answer) is not None


def _entries(index: int, text: str) -> Iterator[Fact]:
    for start, end in list_items(text):
        match = _TERM_ENTRY.fullmatch(text[start:end])
        if match and not _BACK_REFERENCE.match(match["meaning"]):
            yield Fact("entry", index, (start, end), match["term"], "", plain_block(match["meaning"]))


def plain_block(text: str) -> str:
    """Return a block as plain text; lists keep their lines, code stays as it is."""
    if "```" in text:
        return text
    if re.match(r"\s*(?:[-*+]|\d+[.)])\s", text):
        return "\n".join(plain_inline(line) for line in text.splitlines())
    return plain_inline(" ".join(text.split()))
