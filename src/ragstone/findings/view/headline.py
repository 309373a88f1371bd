"""What a run found, the first thing said of it on every surface: of its cases first, then of the other metrics.

The sentences are made of parts. A page makes each part a link to the test cases that it counts; a terminal and a file
show their text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ragstone.findings.numbers import count
from ragstone.findings.view.case_sentence import Counts, HeadlinePart, case_parts
from ragstone.metric_label import is_review
from ragstone.status import Status


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
