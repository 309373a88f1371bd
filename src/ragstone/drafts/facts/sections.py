"""Facts of sections: a question of the document with its answer, a task with its steps, and sections to search for."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ragstone.drafts.facts.blocks import answer_block, lines
from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.topic import Topic, titled
from ragstone.drafts.facts.wording import lower
from ragstone.drafts.facts.words import GERUNDS, TASK_VERBS
from ragstone.drafts.reading.markdown import plain_inline
from ragstone.drafts.text.words import content_set
from ragstone.text.sentences import sentences

_ASKED = re.compile(
    r"\W{0,4}(?:(?:Q|F|Question|Frage)\s?\d*[:.]\s*)?(?P<question>[^\W\d_][^?\n]{8,140}\?)\W{0,4}"
)
_ANSWER_MARK = re.compile(r"\W{0,4}(?:A|R|Answer|Antwort|Réponse)[:.]\W{0,3}\s+")
_QUESTION_WORD = re.compile(
    r"(?:what|who|when|where|why|how|which|can|could|do|does|did|is|are|am|will|would|should|must|may|has|have|was|wer|wann|"
    r"wo|wie|warum|welche\w*|kann|darf|muss|gibt|ist|sind|werden?|wird|brauche|hat|haben|quel\w*|qui|où|quand|comment|"
    r"pourquoi|combien|est-ce|puis-je|peut-on|faut-il|que|qu['’]est-ce|y a-t-il|dois-je|à|en)\b",
    re.IGNORECASE,
)
_OPEN_QUESTION = re.compile(
    r"(?:how|what|which|where|when|who|why|w\w+|quel\w*|qu\w+|où|comment|pourquoi|combien)\b", re.IGNORECASE
)
_FAQ = re.compile(r"\b(?:faqs?|questions|fragen|q ?& ?a)\b", re.IGNORECASE)
_YOU_OFFER = re.compile(
    r"\b(do|are|can|will) you (?=open|close|offer|accept|sell|ship|deliver|have|charge|take)"
)
_THIRD = {"do": "does", "are": "is", "can": "can", "will": "will"}
_POINTS_BACK = re.compile(
    r"\b(?:it|its|them|they|this|that|these|those|yourself|here|others?|above|below|same|dies\w*|davon|cela|ceci)\b",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"^\d+(?:\.\d+)*[.)]?\s+")
_STEP = re.compile(r"[ \t]*(?:[-*]|\d+[.)]|```)")
_PLAIN_HEADINGS = re.compile(
    r"(?:(?:what|how|when|where|why|which|who|good to|\w+ing)\b.*|overview|introduction|summary|examples?|notes?|"
    r"see also|contents|definitions|glossary|terms|links?|background|general|misc\w*|contact|options|usage|"
    r"context|method|in \w+)",
    re.IGNORECASE,
)
_MAX_ANSWER_CHARS, _MIN_ANSWER_CHARS = 900, 4
_MIN_TASK_WORDS, _MAX_TASK_WORDS = 2, 9
_MIN_WORDS, _MIN_SEARCH_WORDS = 2, 3


def section_facts(source: FactSource, *, first: bool) -> Iterator[Fact]:
    """Yield the facts of a section: questions in its text, and, in its `first` passage, those of its heading."""
    text, heading = source.text, _NUMBERING.sub("", source.place).rstrip(". ")
    span = answer_block(text)
    if first and heading and span and _is_answer(text[slice(*span)]):
        yield from _heading_facts(source, heading, span)
    for start, end in lines(text):
        match = _ASKED.match(text, start, end)
        if match:
            mark = _ANSWER_MARK.match(text, match.end())
            listed = match.end() >= end and any(map(_FAQ.search, source.passage.headings))
            span = answer_block(text, mark.end() if mark else match.end())
            if (mark or listed or text[start:end].startswith(("**", "__", "Q", "F"))) and span:
                yield from _asked(source, match["question"], span)


def _heading_facts(source: FactSource, heading: str, span: tuple[int, int]) -> Iterator[Fact]:
    task, topic, depth = _task(heading, source.language), source.own_topic, len(source.passage.headings)
    if heading.endswith("?"):
        yield from _asked(source, heading, span)
    elif (
        task
        and not _POINTS_BACK.search(heading)
        and _is_instruction(source.text[slice(*span)], source.language)
    ):
        shared = replace(source.topic, lead="with") if source.topic else None
        named = topic or (titled(source.title) if depth > 1 else shared)
        definite = re.search(r"\b(?:the|my|d[aei][rsnm]|l[ea]s?)\b", task)
        if named or len(content_set(heading)) > _MIN_TASK_WORDS or not definite:
            question = named.complete(task, source.language) if named else task
            yield Fact(
                "task", source.index, span, question, heading, "", plain_block(source.text[slice(*span)])
            )
    elif topic and topic.is_name and depth > 1 and not _PLAIN_HEADINGS.fullmatch(heading):
        query = heading if topic.named_in(heading) else f"{topic.name.removeprefix('the ')} {heading}"
        if len(content_set(query)) >= _MIN_SEARCH_WORDS and not re.search(r"[`:;,()/!]", query):
            searched = query if source.language == "de" else query.lower()
            yield Fact("search", source.index, span, searched, query, "", "")


def _asked(source: FactSource, question: str, span: tuple[int, int]) -> Iterator[Fact]:
    """Yield the fact of a question of the document, unless it is no question, or needs the text around it."""
    plain, answer = plain_inline(question.strip("*_ ")), source.text[slice(*span)]
    open_question = _OPEN_QUESTION.match(plain) or (source.own_topic and not answer.startswith("```"))
    enough = len(content_set(plain)) >= _MIN_WORDS + (
        not source.own_topic and not plain.startswith("What is a")
    )
    if (
        _QUESTION_WORD.match(plain)
        and not _POINTS_BACK.search(plain)
        and open_question
        and enough
        and _is_answer(answer)
    ):
        completed = _of_owner(plain, source.topic, source.language)
        yield Fact("asked", source.index, span, completed, plain, "", plain_block(answer))


def _of_owner(question: str, topic: Topic | None, language: str) -> str:
    """Return a question with the topic; "your" and "do you", said to a place, become its name."""
    if topic is None:
        return question
    if language == "en" and topic.lead == "at":
        for before, after in (
            ("Do you", "Does"),
            ("Are you", "Is"),
            ("Have you", "Has"),
            ("Will you", "Will"),
        ):
            if question.startswith(f"{before} "):
                return f"{after} {topic.name}{question.removeprefix(before)}"
        owner = re.sub(r"\byour\b", f"{topic.name}’s", question, count=1)
        if owner != question and not re.search(r"\b(?:you|I|my)\b", question):
            return owner
        question = _YOU_OFFER.sub(lambda match: f"{_THIRD[match[1]]} {topic.name} ", question)
    return topic.complete(question, language)


def _task(heading: str, language: str) -> str | None:
    """Return the question for a heading that names a task: "Send an item back", "Cleaning the filter"."""
    words = heading.split()
    if not _MIN_TASK_WORDS <= len(words) <= _MAX_TASK_WORDS or re.search(r"[:;?!(]|, |\bwhat\b", heading):
        return None
    verb = words[0].casefold()
    if language == "en":
        if verb == "how" and words[1].casefold() == "to":
            return f"How do I {' '.join(words[2:])}?"
        if verb in GERUNDS and words[1].casefold() in {"the", "your", "a", "an"}:
            verb = GERUNDS[verb]
        joined = len(words) > 1 and words[1].casefold() in {
            "and",
            "or",
            "how",
            "whether",
            "if",
            "that",
            "when",
            "which",
            "out",
            "as",
        }
        asked = f"How do I {' '.join([verb, *words[1:]])}?"
        return re.sub(r"\byour\b", "my", asked) if verb in TASK_VERBS and not joined else None
    if language == "de" and re.fullmatch(r"[a-zäöüß]+(?:en|ern|eln)", words[-1]) and words[0][0].isupper():
        article = re.match(r"(?:Ein\w*|Den|Das|Die|Der)\b", heading)
        return f"Wie kann ich {lower(heading) if article else heading}?"
    if language == "fr" and re.fullmatch(r"[a-zà-ÿ]+(?:er|ir|re)", verb) and words[0][0].isupper():
        return f"Comment {lower(heading)} ?"
    return None


def _is_answer(text: str) -> bool:
    fits = _MIN_ANSWER_CHARS <= len(text) <= _MAX_ANSWER_CHARS
    return (
        fits
        and " · " not in text
        and not text.startswith(("|", "<", "!", "[", "#"))
        and not text.endswith((":", "?"))
    )


def _is_instruction(answer: str, language: str) -> bool:
    """Return whether a block tells what to do: a list, code, or a sentence that begins with a verb."""
    if _STEP.match(answer) or language != "en":
        return True
    first = answer[slice(*next(iter(sentences(answer)), (0, 0)))]
    verb = first.split(" ")[0].casefold() if first else ""
    commands = verb in TASK_VERBS or verb in {
        "go",
        "hold",
        "leave",
        "wait",
        "rinse",
        "switch",
        "turn",
        "close",
        "first,",
        "write",
    }
    said = re.search(r"\b[Yy]ou (?:can|must|need|may)\b", first)
    aimed = re.match(r"(?:To|If|For) [^.]*, (\w+)", first)
    return bool(commands or said or (aimed and aimed[1] in TASK_VERBS))


def plain_block(text: str) -> str:
    """Return a block as plain text; lists keep their lines, code stays as it is."""
    if "```" in text:
        return text
    if re.search(r"(?m)^\s*(?:[-*+]|\d+[.)])\s", text):
        return "\n".join(plain_inline(line) for line in text.splitlines())
    return plain_inline(" ".join(text.split())).strip("* ")
