"""Precision and recall of each check, on sound candidates of the world and on deliberately broken ones.

recall     share of the broken candidates that the check rejects
precision  share of the rejected candidates that are broken, with as many sound as broken candidates as input
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from benchmarks.drafts.judge import WorldJudge
from benchmarks.drafts.world import World, WorldFact
from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.checks.complete import check_complete, check_necessary
from ragstone.drafts.checks.outcome import CheckName, CheckOutcome
from ragstone.drafts.checks.run_checks import run_checks
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.judged.asker import DraftAsker, DraftOptions
from ragstone.drafts.judged.checks import DraftJudge
from ragstone.drafts.questions import write_by_rules
from ragstone.stats.interval import rate_interval

KNOWN = 0.3
"""Share of the facts that the judge of the world knows by heart."""

LIE = 0.1

Breaker = Callable[[DraftCandidate, str], DraftCandidate]


@dataclass(frozen=True, slots=True)
class CheckFigure:
    """Counts of correct and false rejections of a check.

    Attributes:
        name: the check, and who runs it.
        caught: number of broken candidates that it rejected.
        broken: number of broken candidates.
        wronged: number of sound candidates that it rejected.
    """

    name: str
    caught: int
    broken: int
    wronged: int

    @property
    def cells(self) -> tuple[str, str]:
        """Recall and precision, each with its 95 % interval and its n."""
        return share(self.caught, self.broken), share(self.caught, self.caught + self.wronged)


def share(hits: int, n: int) -> str:
    """Return a share with its 95 % interval."""
    if not n:
        return "none"
    found = rate_interval(hits, n)
    return f"{hits / n:.3f} ({found.low:.3f} to {found.high:.3f}) of {n}"


def check_figures(world: World, most: int) -> Iterator[CheckFigure]:
    """Yield the figures of all checks, those of rules first."""
    index = CorpusIndex(tuple(world.passages), 0)
    written = write_by_rules(index)
    sound = [one for one in written if one.kind == "single" and _is_sound(one, world, index)][:most]
    for check, breakers in _BREAKERS.items():
        yield _by_rules(check, breakers, sound, index, world.language)
    yield _complete(written, world, index)
    yield _necessary([*islice(_pairs(written, index), most)], world, index)
    for lies in (0.0, LIE):
        for check in ("round_trip", "closed_book"):
            yield asyncio.run(_judged(check, sound, index, world, lies))


def fact_of(candidate: DraftCandidate, world: World) -> WorldFact | None:
    """Return the fact of the world that a candidate asks about."""
    fact = candidate.facts[0]
    return world.facts.get((fact.subject, fact.attribute))


def _is_sound(candidate: DraftCandidate, world: World, index: CorpusIndex) -> bool:
    fact = fact_of(candidate, world)
    told = fact is not None and index.passages[candidate.passages[0]].id in fact.told
    return fact is not None and told and not fact.contradicted


def _by_rules(
    check: CheckName,
    breakers: Sequence[Breaker],
    sound: Sequence[DraftCandidate],
    index: CorpusIndex,
    language: str,
) -> CheckFigure:
    """Break the candidates in turn in each way; the form of a question is checked as if a model had written it."""
    broken = [breakers[place % len(breakers)](one, language) for place, one in enumerate(sound)]
    return CheckFigure(
        check,
        sum(check in _failed(one, index) for one in broken),
        len(broken),
        sum(check in _failed(one, index) for one in sound),
    )


def _failed(candidate: DraftCandidate, index: CorpusIndex) -> tuple[CheckName, ...]:
    return asyncio.run(run_checks(candidate, index, frozenset(), None)).failed


def _complete(written: Sequence[DraftCandidate], world: World, index: CorpusIndex) -> CheckFigure:
    """Check `complete`: candidates count as broken if another passage contradicts their fact."""
    caught = broken = wronged = 0
    for one in written:
        fact = fact_of(one, world) if one.kind == "single" else None
        if fact is not None and index.passages[one.passages[0]].id in fact.told:
            rejected = check_complete(one, index, frozenset()).outcome.verdict == "no"
            broken += bool(fact.contradicted)
            caught += rejected and bool(fact.contradicted)
            wronged += rejected and not fact.contradicted
    return CheckFigure("complete (contradicted elsewhere)", caught, broken, wronged)


def _pairs(written: Sequence[DraftCandidate], index: CorpusIndex) -> Iterator[DraftCandidate]:
    """Yield a question for two attributes of a thing, each stated in a passage of its own."""
    first: dict[str, DraftCandidate] = {}
    for one in written:
        if one.kind == "single":
            other = first.setdefault(one.facts[0].subject, one)
            if index.families[one.passages[0]] != index.families[other.passages[0]]:
                answer = "; ".join(
                    f"{fact.attribute}: {fact.value}" for fact in (other.facts[0], one.facts[0])
                )
                yield replace(
                    other, kind="multi", question=f"{other.question} {one.question}", answer=answer,
                    evidence=(*other.evidence, *one.evidence), facts=(*other.facts, *one.facts),
                )  # fmt: skip


def _necessary(multi: Sequence[DraftCandidate], world: World, index: CorpusIndex) -> CheckFigure:
    """Check `necessary`: a question on two passages is broken by adding all its evidence to the first passage."""
    passages = list(index.passages)
    broken: list[DraftCandidate] = []
    for one in multi:
        first = passages[one.passages[0]]
        added = one.evidence[1].quote(index.passages)
        broken.append(
            replace(
                one,
                evidence=(replace(one.evidence[0], passage=len(passages)), one.evidence[1]),
                facts=(replace(one.facts[0], passage=len(passages)), one.facts[1]),
            )
        )
        passages.append(replace(first, text=f"{first.text} {added}", id=f"{first.id}+{one.passages[1]}"))
    wider = CorpusIndex(tuple(passages), 0)
    sound = [one for one in multi if not _says_both(one, world, index)]
    return CheckFigure(
        "necessary",
        sum(_says_no(check_necessary(one, wider)) for one in broken),
        len(broken),
        sum(_says_no(check_necessary(one, index)) for one in sound),
    )


def _says_no(outcome: CheckOutcome | None) -> bool:
    return outcome is not None and outcome.verdict == "no"


def _says_both(candidate: DraftCandidate, world: World, index: CorpusIndex) -> bool:
    """Return whether one of the two passages of a question states both facts in the world."""
    facts = [world.facts.get((fact.subject, fact.attribute)) for fact in candidate.facts]
    ids = [index.passages[passage].id for passage in candidate.passages]
    return any(all(fact and one in fact.told for fact in facts) for one in ids)


async def _judged(
    check: CheckName, sound: Sequence[DraftCandidate], index: CorpusIndex, world: World, lies: float
) -> CheckFigure:
    """Run a check of the judge; for `closed_book` the questions that the judge knows by heart count as broken."""
    judge = WorldJudge(world, lies=lies, known=KNOWN)
    asker = DraftAsker(judge, None)
    async with asker.opened(DraftOptions()):
        checks = DraftJudge(asker, index, frozenset())
        if check == "round_trip":
            broken = [_other_value(one, world.language) for one in sound]
            others = sound
        else:
            known = [one for one in sound if judge.knows(one.facts[0].subject, one.facts[0].attribute)]
            broken, others = known, [one for one in sound if one not in known]
        run = partial(checks.check, check)
        caught, wronged = await _noes(run, broken), await _noes(run, others)
    by = "a judge that lies in 10 %" if lies else "a judge"
    return CheckFigure(f"{check} ({by})", caught, len(broken), wronged)


async def _noes(
    check: Callable[[DraftCandidate], Awaitable[CheckOutcome]], candidates: Sequence[DraftCandidate]
) -> int:
    return sum([_says_no(await check(one)) for one in candidates])


def _moved(one: DraftCandidate, language: str) -> DraftCandidate:
    del language
    span = one.evidence[0]
    return replace(one, evidence=(EvidenceSpan(span.passage, span.start, span.end + 10_000),))


def _empty(one: DraftCandidate, language: str) -> DraftCandidate:
    del language
    span = one.evidence[0]
    return replace(one, evidence=(EvidenceSpan(span.passage, span.start, span.start),))


def _other_value(one: DraftCandidate, language: str) -> DraftCandidate:
    del language
    number, _, unit = one.answer.partition(" ")
    return replace(one, answer=f"{int(number) + 3} {unit}")


def _other_unit(one: DraftCandidate, language: str) -> DraftCandidate:
    unit = {"en": "dollars", "de": "Dollar", "fr": "dollars"}[language]
    return replace(one, answer=f"{one.answer.partition(' ')[0]} {unit}")


def _asking(**wordings: str) -> Breaker:
    """Return a function that replaces the question of a candidate, as a model might have written it.

    Args:
        wordings: the question by language; `{a}`, `{A}` (the article), `{x}`, `{v}`: attribute, subject, value.
    """

    def asked(one: DraftCandidate, language: str) -> DraftCandidate:
        fact = one.facts[0]
        article = fact.article or "The"
        question = wordings[language].format(
            a=fact.attribute, A=article, b=article.lower(), x=fact.subject, v=fact.value
        )
        return replace(one, question=question, facts=())

    return asked


_BREAKERS: dict[CheckName, tuple[Breaker, ...]] = {
    "verbatim": (_moved, _empty),
    "supported": (_other_value, _other_unit),
    "self_contained": (
        _asking(en="What is its {a}?", de="Was ist {b} {a} davon?", fr="Quel est {b} {a} de celui-ci ?"),
        _asking(
            en="What does this document say about the {a}?",
            de="Was steht in diesem Abschnitt über {a}?",
            fr="Que dit ce document de {b} {a} ?",
        ),
        _asking(en="What is the {a}?", de="Was ist {b} {a}?", fr="Quel est {b} {a} ?"),
    ),
    "not_copied": (
        _asking(en="The {a} of {x} is {v}?", de="{A} {a} von {x} beträgt {v}?", fr="{A} {a} de {x} est de {v} ?"),
        _asking(
            en="Is {v} what the {a} of {x} comes to?",
            de="Sind {v} das, was {b} {a} von {x} ist?",
            fr="Est-ce que {v} est {b} {a} de {x} ?",
        ),
    ),
    "language": (
        _asking(
            en="Wie hoch ist der Wert von {x}, und was sagen wir, wenn man uns danach fragt?",
            de="What is the value of {x}, and what do we say when somebody asks us about it?",
            fr="What is the value of {x}, and what do we say when somebody asks us about it?",
        ),
        _asking(
            en="Quelle est la valeur de {x}, et que dit-on à ceux qui nous la demandent ?",
            de="Quelle est la valeur de {x}, et que dit-on à ceux qui nous la demandent ?",
            fr="Wie hoch ist der Wert von {x}, und was sagen wir, wenn man uns danach fragt?",
        ),
    ),
}  # fmt: skip
