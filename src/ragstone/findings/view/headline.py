"""What a run found, the first thing said of it on every surface: of its cases first, then of the other metrics.

Of the cases: how many answers do not hold, and where passages lack what is needed. The sentences are made of parts. A
page makes each part a link to the test cases that it counts; a terminal and a file show their text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from ragstone.findings.numbers import count
from ragstone.metric_label import ACCEPTANCE, SUFFICIENCY, base_name, is_review
from ragstone.result import Result
from ragstone.status import Status

Counts = Mapping[Status, int] | Mapping[Status | None, int]
"""Number of results of each status."""


@dataclass(frozen=True, slots=True)
class HeadlinePart:
    """A part of a sentence about a run."""

    text: str  # its words
    # the status that the test cases it counts have; empty where it counts none
    status: Status | Literal[""] = ""
    spec: str = ""  # the metric whose result has that status; empty for any
    end: str = ""  # what stands between it and the next part


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The facts that a headline rests on."""

    counts: Mapping[str, Counts]  # for each metric, by its spec, how many results have each status
    wavering: int = 0  # how many scores may pass or miss when measured again
    rejected: int = 0  # how many rows of the dataset could not be read
    complete: bool = True  # whether the run ended
    breaks: str = ""  # a sentence about the conversations of which a turn misses; empty without one

    @property
    def total(self) -> Counter[Status | None]:
        """How many results of all metrics have each status."""
        total: Counter[Status | None] = Counter()
        for counts in self.counts.values():
            total.update(counts)
        return total


Sentence = tuple[HeadlinePart, ...]


def headline(facts: RunFacts) -> tuple[Sentence, ...]:
    """Return the sentences about a run."""
    reviewed = _joined(case_parts(facts.counts), "; ")
    others = [*_misses(_other_counts(facts, reviewed=bool(reviewed)), facts.wavering)]
    if reviewed and others:
        others[0] = replace(others[0], text=f"in the other metrics {others[0].text}")
    others = [*_nothing(facts.total), *others, *_incomplete(facts)]
    breaks = _joined([HeadlinePart(facts.breaks)] if facts.breaks else [], "")
    sentences = [sentence for sentence in (reviewed, breaks, _joined(others, ", ")) if sentence]
    if breaks and not others:
        sentences.append((HeadlinePart("Every score passed", end="."),))
    if sentences:
        return tuple(sentences)
    if facts.total["passed"]:
        return ((HeadlinePart("Everything passed", end="."),),)
    return ((HeadlinePart("Everything was measured; no metric has a threshold", end="."),),)


def headline_text(facts: RunFacts) -> str:
    """Return the sentences about a run as text."""
    return " ".join("".join(f"{part.text}{part.end}" for part in sentence) for sentence in headline(facts))


def _joined(parts: Iterable[HeadlinePart], separator: str) -> Sentence:
    """Return parts as one sentence: with a capital letter, separators and a full stop."""
    found = list(parts)
    if not found:
        return ()
    first = found[0].text
    found[0] = replace(found[0], text=f"{first[0].upper()}{first[1:]}")
    return (*(replace(part, end=separator) for part in found[:-1]), replace(found[-1], end="."))


def _other_counts(facts: RunFacts, *, reviewed: bool) -> Counter[Status | None]:
    others = facts.total
    for spec, counts in facts.counts.items():
        if reviewed and is_review(spec):
            others.subtract({status: counts.get(status, 0) for status in ("passed", "missed", "undecided")})
    return others


def _misses(counts: Counter[Status | None], wavering: int) -> Iterator[HeadlinePart]:
    decided = counts["passed"] + counts["missed"]
    if counts["missed"]:
        verb = "misses its threshold" if counts["missed"] == 1 else "miss their threshold"
        yield HeadlinePart(f"{counts['missed']:,} of {count(decided, 'score')} {verb}", "missed")
    if counts["undecided"]:
        yield HeadlinePart(f"{count(counts['undecided'], 'score')} undecided", "undecided")
    if wavering:
        yield HeadlinePart(f"{count(wavering, 'score')} may pass or miss when measured again")


def _nothing(counts: Counter[Status | None]) -> Iterator[HeadlinePart]:
    if counts["passed"] + counts["missed"] + counts[None]:
        return
    if counts["undecided"]:
        yield HeadlinePart("nothing was decided", "undecided")
    elif counts["skipped"] and counts["skipped"] == counts.total():
        yield HeadlinePart("everything was skipped", "skipped")
    else:
        yield HeadlinePart("nothing was measured")


def _incomplete(facts: RunFacts) -> Iterator[HeadlinePart]:
    if number := facts.total["not_measured"]:
        yield HeadlinePart(f"{count(number, 'result')} not measured", "not_measured")
    if facts.rejected:
        yield HeadlinePart(f"{count(facts.rejected, 'row')} could not be read")
    if not facts.complete:
        yield HeadlinePart("the run was stopped early")


def sureness(results: Iterable[Result]) -> tuple[float, int]:
    """Return how sure the judge is that the answer of a case does not hold, and how many faults it found.

    The first is 0 where the answer was not refused, else the probability of that verdict; 1 where it is not known.
    """
    for result in results:
        if base_name(result.spec) == ACCEPTANCE and result.status == "missed":
            probability: object = result.metadata.get("probability")
            faults: object = result.metadata.get("faults")
            number = len(cast("list[object]", faults)) if isinstance(faults, list) else 0
            return 1 - probability if isinstance(probability, int | float) else 1.0, number
    return 0.0, 0


def case_parts(counts_by_spec: Mapping[str, Counts]) -> Iterator[HeadlinePart]:
    """Yield the parts of the sentence on the cases, from the counts by spec; none for a run that reviewed none."""
    none: Counts = {}
    (answer, answers), (context, contexts) = (
        next(
            ((spec, counts) for spec, counts in counts_by_spec.items() if base_name(spec) == name), ("", none)
        )
        for name in (ACCEPTANCE, SUFFICIENCY)
    )
    judged = _judged(answers)
    if judged and judged == answers.get("passed", 0):
        text = f"all {count(judged, 'answer')} hold" if judged > 1 else "the answer holds"
        yield HeadlinePart(text, "passed", answer)
    elif judged:
        missed = answers.get("missed", 0)
        do_not = "does not hold" if missed == 1 else "do not hold"
        yield HeadlinePart(f"{missed:,} of {count(judged, 'answer')} {do_not}", "missed", answer)
    open_answers, open_contexts = answers.get("undecided", 0), contexts.get("undecided", 0)
    if lacking := contexts.get("missed", 0):
        text = f"in {count(lacking, 'case')} the passages lack what is needed"
        yield HeadlinePart(text, "missed", context)
    elif _judged(contexts) and not open_contexts:
        yield HeadlinePart("the passages hold what is needed in every case", "passed", context)
    if open_contexts:
        both = f"{count(open_answers, 'answer')} and " if open_answers else ""
        text = f"{both}{count(open_contexts, 'context')} undecided"
        yield HeadlinePart(text, "undecided", "" if open_answers else context)
    elif open_answers:
        yield HeadlinePart(f"{open_answers:,} undecided", "undecided", answer)


def _judged(counts: Counts) -> int:
    return sum(counts.get(status, 0) for status in ("passed", "missed", "undecided"))
