"""Texts under evaluation."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from benchmarks.attack.inputs import text
from benchmarks.attack.watch import Attempt
from ragstone.judges.local.claim_support import contradiction
from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.relevance import passage_relevance
from ragstone.judges.local.similarity import similarity
from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import support
from ragstone.judges.local.usefulness import usefulness


def attempts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Texts under evaluation, through every function of the embedded judge."""
    del folder
    short = "The Orrin Bridge is 330 metres long and was not built by Ann Lee in 1911."
    functions: tuple[Callable[[str], object], ...] = (
        claims,
        lambda given: support([given], [short]),
        lambda given: support([short], [given, given]),
        lambda given: contradiction(given, [short]),
        lambda given: correctness("How long?", given, short),
        lambda given: passage_relevance(given, [short]),
        lambda given: usefulness("How long?", given, [short]),
        lambda given: similarity(given, short),
    )
    for number in range(count):
        given = text(rng)
        yield (
            repr(given[:60]),
            lambda given=given, number=number: _ignored(functions[number % len(functions)](given)),
        )


def _ignored(_: object) -> None:
    """Ignore the response: only its arrival matters."""
