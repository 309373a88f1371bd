"""Figures of drafted sets in the synthetic world: passages found, faulty questions kept, time and memory."""

import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmarks.drafts.checks import fact_of, share
from benchmarks.drafts.judge import WorldJudge
from benchmarks.drafts.world import World, make_world
from ragstone.case import TestCase
from ragstone.drafts import draft
from ragstone.drafts.checks.complete import check_complete
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions import write_by_rules


@dataclass(frozen=True, slots=True)
class DraftFigure:
    """A share with its name.

    Attributes:
        name: what is counted.
        hits: the count.
        n: the total.
    """

    name: str
    hits: int
    n: int

    def __str__(self) -> str:
        """Return the share with its 95 % interval."""
        return f"{share(self.hits, self.n)}, {self.hits} hits"


def measure_others(world: World) -> Iterator[DraftFigure]:
    """Yield recall and precision of further right passages."""
    index = CorpusIndex(tuple(world.passages), 0)
    planted = found = right = 0
    for one in write_by_rules(index):
        fact = fact_of(one, world) if one.kind == "single" else None
        if fact is None or index.passages[one.passages[0]].id not in fact.told:
            continue
        outcome, others = check_complete(one, index, frozenset())
        if outcome.verdict != "no":
            evidence = {index.passages[passage].id for passage in one.passages}
            got, told = {index.passages[other].id for other in others}, set(fact.told) - evidence
            planted, found, right = planted + len(told), found + len(got), right + len(got & told)
    yield DraftFigure("complete: second right passages found", right, planted)
    yield DraftFigure("complete: of those found, right", right, found)


def measure_sets(world: World, size: int) -> Iterator[DraftFigure]:
    """Yield the share of unanswerable questions that the corpus answers, and the hit rate of a perfect retriever."""
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
    """Yield the shares of faulty questions written and kept by a judge whose verdicts are wrong at the rate `lies`."""
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
