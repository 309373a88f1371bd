"""Figures of drafting in the synthetic world: each check on sound and on broken candidates, and what gets through."""

import asyncio
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmarks.drafts.judge import WorldJudge
from benchmarks.drafts.world import World, WorldFact, make_world
from ragstone.case import TestCase
from ragstone.drafts import draft
from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.checks.complete import check_complete
from ragstone.drafts.checks.run_checks import run_checks
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions.write import write_by_rules
from ragstone.stats.interval import rate_interval


@dataclass(frozen=True, slots=True)
class DraftFigure:
    """A share of the world.

    Attributes:
        name: what is counted.
        hits: how many.
        n: of how many.
    """

    name: str
    hits: int
    n: int

    def __str__(self) -> str:
        """Return the share with its 95 % interval."""
        if not self.n:
            return "none"
        found = rate_interval(self.hits, self.n)
        return f"{self.hits / self.n:.3f} ({found.low:.3f} to {found.high:.3f}), {self.hits} of {self.n}"


def measure_checks(world: World, most: int) -> Iterator[DraftFigure]:
    """Yield recall (broken candidates rejected by the check meant) and precision (of the rejected, the broken)."""
    index = CorpusIndex(tuple(world.passages), 0)
    sound = [one for one in write_by_rules(index) if one.kind == "single" and _clean(one, world, index)][
        :most
    ]
    accepted = dict.fromkeys(_BREAKERS, 0)
    for one in sound:
        failed = asyncio.run(run_checks(one, index, frozenset(), None)).failed
        for check in _BREAKERS:
            accepted[check] += check not in failed
    for check, breaker in _BREAKERS.items():
        broken = [breaker(one, world.language) for one in sound]
        caught = sum(check in asyncio.run(run_checks(one, index, frozenset(), None)).failed for one in broken)
        yield DraftFigure(f"{check}: broken ones rejected", caught, len(broken))
        yield DraftFigure(f"{check}: of the rejected, broken", caught, caught + len(sound) - accepted[check])


def _clean(candidate: DraftCandidate, world: World, index: CorpusIndex) -> bool:
    fact = _fact_of(candidate, world)
    return (
        fact is not None and not fact.contradicted and index.passages[candidate.passages[0]].id in fact.told
    )


def _fact_of(candidate: DraftCandidate, world: World) -> WorldFact | None:
    fact = candidate.facts[0]
    return next(
        (one for (x, a), one in world.facts.items() if x == fact.subject and a == fact.attribute), None
    )


def _moved(one: DraftCandidate, language: str) -> DraftCandidate:
    del language
    span = one.evidence[0]
    return replace(one, evidence=(EvidenceSpan(span.passage, span.start, span.end + 10_000),))


def _other_value(one: DraftCandidate, language: str) -> DraftCandidate:
    del language
    number, _, unit = one.answer.partition(" ")
    return replace(one, answer=f"{int(number) + 3} {unit}")


def _pronoun(one: DraftCandidate, language: str) -> DraftCandidate:
    name = one.facts[0].attribute
    asked = {
        "en": f"What is its {name}?",
        "de": f"Was hat es als {name}?",
        "fr": f"Quel {name} a-t-il, celui-ci ?",
    }
    return replace(one, question=asked[language].replace(" a-t-il, celui-ci", " a celui de la page"))


def _copied(one: DraftCandidate, language: str) -> DraftCandidate:
    fact = one.facts[0]
    is_so = {"en": "is", "de": "beträgt", "fr": "est de"}[language]
    of = {"en": "of", "de": "von", "fr": "de"}[language]
    article = {"en": "the"}.get(language, fact.article.lower())
    return replace(one, question=f"{article} {fact.attribute} {of} {fact.subject} {is_so} {fact.value}?")


def _translated(one: DraftCandidate, language: str) -> DraftCandidate:
    fact = one.facts[0]
    other = {
        "en": f"Wie hoch ist der Wert von {fact.subject}, und was sagen wir, wenn man uns danach fragt?",
        "de": f"What is the value of {fact.subject}, and what do we say when somebody asks us about it?",
        "fr": f"What is the value of {fact.subject}, and what do we say when somebody asks us about it?",
    }
    return replace(one, question=other[language])


_BREAKERS = {
    "verbatim": _moved,
    "supported": _other_value,
    "self_contained": _pronoun,
    "not_copied": _copied,
    "language": _translated,
}


def measure_complete(world: World) -> Iterator[DraftFigure]:
    """Yield how many second right passages are found, how many of those found are right, and what is contradicted."""
    index = CorpusIndex(tuple(world.passages), 0)
    candidates = [one for one in write_by_rules(index) if one.kind == "single"]
    planted = found = right = caught = contradicted = rejected = 0
    for one in candidates:
        fact = _fact_of(one, world)
        if fact is None or index.passages[one.passages[0]].id not in fact.told:
            continue
        outcome, others = check_complete(one, index, frozenset())
        refused = outcome.verdict == "no"
        contradicted += bool(fact.contradicted)
        caught += refused and bool(fact.contradicted)
        rejected += refused
        if not refused:
            evidence = {index.passages[passage].id for passage in one.passages}
            got, told = {index.passages[other].id for other in others}, set(fact.told) - evidence
            planted, found, right = planted + len(told), found + len(got), right + len(got & told)
    yield DraftFigure("complete: second right passages found", right, planted)
    yield DraftFigure("complete: of those found, right", right, found)
    yield DraftFigure("complete: contradicted facts rejected", caught, contradicted)
    yield DraftFigure("complete: of the rejected, contradicted", caught, rejected)


def measure_necessary(world: World, most: int) -> Iterator[DraftFigure]:
    """Yield how questions on two passages fare where one of them is made to say it all."""
    index = CorpusIndex(tuple(world.passages), 0)
    multi = [one for one in write_by_rules(index) if one.kind == "multi"][:most]
    passages = list(world.passages)
    broken = []
    for one in multi:
        first, second = (passages[passage] for passage in one.passages)
        whole = replace(
            first, text=f"{first.text} {one.evidence[1].quote(index.passages)}", id=f"{first.id}+{second.id}"
        )
        broken.append(replace(one, evidence=(replace(one.evidence[0], passage=len(passages)), one.evidence[1]),
                              facts=(replace(one.facts[0], passage=len(passages)), one.facts[1])))  # fmt: skip
        passages.append(whole)
    wider = CorpusIndex(tuple(passages), 0)
    from ragstone.drafts.checks.support import check_necessary  # noqa: PLC0415

    caught = sum((check_necessary(one, wider) or _UNKNOWN).verdict == "no" for one in broken)
    wrongly = 0
    for one in multi:
        outcome = check_necessary(one, index)
        ids = [index.passages[passage].id for passage in one.passages]
        facts = [world.facts.get((fact.subject, fact.attribute)) for fact in one.facts]
        enough = any(all(fact and identifier in fact.told for fact in facts) for identifier in ids)
        wrongly += outcome is not None and outcome.verdict == "no" and not enough
    yield DraftFigure("necessary: broken ones rejected", caught, len(broken))
    yield DraftFigure("necessary: of the rejected, broken", caught, caught + wrongly)


class _UNKNOWN:
    verdict = "?"


def measure_sets(world: World, size: int) -> Iterator[DraftFigure]:
    """Yield what a set is worth: a perfect retriever's hit rate, and unanswerable questions that are answered."""
    unanswerable = draft(world.passages, size=size, kinds=("unanswerable",)).cases
    wrong = sum(_is_answered(case, world) for case in unanswerable)
    yield DraftFigure("unanswerable questions that the corpus answers", wrong, len(unanswerable))
    mixed = [case for case in draft(world.passages, size=size).cases if case.metadata["answerable"]]
    yield DraftFigure(
        "hit rate of a retriever that finds a right passage",
        sum(_hit(case, world) for case in mixed),
        len(mixed),
    )


def _is_answered(case: TestCase, world: World) -> bool:
    return any(thing in case.input and attribute in case.input for thing, attribute in world.facts)


def _hit(case: TestCase, world: World) -> bool:
    """Return whether the last right passage that the world knows is among the relevant ones."""
    text = " ".join(
        (case.input, *(turn.content for turn in case.turns or ()), case.expected_output or "")
    ).casefold()
    told = [
        fact.told[-1]
        for (thing, attribute), fact in world.facts.items()
        if thing.casefold() in text and attribute.casefold() in text and fact.value.casefold() in text
    ]
    relevant = case.relevant_ids or {}
    return any(one in relevant for one in told) if told else bool(relevant)


def measure_lies(world: World, size: int, lies: float) -> Iterator[DraftFigure]:
    """Yield how many faulty questions a judge writes, and how many are kept, where its verdicts are wrong at a rate."""
    judge = WorldJudge(world, lies=lies, faulty=0.3)
    kinds = ("single", "table", "multi", "comparison", "follow_up", "false_premise", "unanswerable")
    found = draft(world.passages, size=size, judge=judge, kinds=kinds)
    written = [case for case in found.cases if "written by a model" in case.tags]
    kept = sum(bool(judge.faults.get((case.input, case.expected_output or "-"))) for case in written)
    sound = sum(not fault for fault in judge.faults.values())
    kept_sound = len(written) - kept
    yield DraftFigure(
        f"judge lies at {lies:.0%}: faulty among the written", len(judge.faults) - sound, len(judge.faults)
    )
    yield DraftFigure(f"judge lies at {lies:.0%}: faulty among the kept", kept, len(written))
    yield DraftFigure(f"judge lies at {lies:.0%}: sound ones kept", min(kept_sound, sound), sound)


def measure_size(passages: int) -> tuple[int, float, float]:
    """Return passages, seconds and peak memory in MB of a draft of 200 questions by rules."""
    parts: list[DraftPassage] = []
    seed = 0
    while len(parts) < passages:
        world = make_world(things=200, seed=seed)
        parts += [
            replace(one, id=f"{seed}-{one.id}", document=f"{seed}-{one.document}") for one in world.passages
        ]
        seed += 1
    begin = time.process_time()
    draft(parts[:passages], size=200)
    return passages, time.process_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
