"""The embedded judge: answers every prompt that words and small models can answer, and says which it cannot."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import fields, is_dataclass
from functools import partial, singledispatch
from threading import Thread
from typing import TypeVar, cast

from ragstone.errors import CannotJudge
from ragstone.judges.base import Judge, Reply
from ragstone.judges.local.contradiction import contradiction
from ragstone.judges.local.correctness import Correctness, correctness
from ragstone.judges.local.relevance import Relevance, relevance
from ragstone.judges.local.statements import claims, statements
from ragstone.judges.local.support import Support, support
from ragstone.judges.local.usefulness import usefulness
from ragstone.prompts import (
    Answer,
    AttributeStatements,
    Attribution,
    Attributions,
    ClaimLocation,
    ClaimLocations,
    Claims,
    Decision,
    Decisions,
    ExtractClaims,
    ExtractStatements,
    ExtractTruths,
    Grounding,
    JudgeAgreement,
    JudgeClaims,
    JudgePassages,
    JudgeStatements,
    JudgeUsefulness,
    LocateClaims,
    PassageStatement,
    PassageStatements,
    Prompt,
    RateAccuracy,
    RateAnswer,
    RateContexts,
    RateGrounding,
    RatePassage,
    RateStatement,
    Rating,
    Statements,
    Truth,
    Truths,
)
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)
_LONG = 20_000
"""Characters from which on a prompt is answered in a thread: below it takes less than a tenth of a second."""


class LocalJudge(Judge):
    """The judge inside the package: no key, no network, deterministic.

    It finds out whether evidence supports a claim, whether a text has to do with a question, and which
    statements a text consists of. It does not rate by free criteria (G-Eval), write questions or prose: for
    those it raises `CannotJudge`. What its verdicts are worth stands in `docs/explanation/embedded-judge.md`.
    """

    works_offline = True

    @property
    def name(self) -> str:
        """Return `local`."""
        return "local"

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the answer of the embedded model; see `Judge.ask`."""
        long = _characters(prompt) > _LONG
        answer = await _in_thread(partial(_answer, prompt)) if long else _answer(prompt)
        return Reply(cast("A", answer), Usage(calls=1), cost=0.0)


async def _in_thread(work: Callable[[], Answer]) -> Answer:
    """Run long work where a time-out and Ctrl-C do not wait for it: nobody waits for a daemon thread."""
    loop, done = asyncio.get_running_loop(), Future[Answer]()
    done.set_running_or_notify_cancel()  # so that who is cancelled leaves it alone

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001  (whoever asked gets it)
            done.set_exception(error)

    Thread(target=run, name="ragstone-local-judge", daemon=True).start()
    return await asyncio.wrap_future(done, loop=loop)


def _characters(value: object) -> int:
    """Return how many characters the texts of a prompt have together."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, tuple | list):
        return sum(map(_characters, cast("Sequence[object]", value)))
    return sum(_characters(getattr(value, item.name)) for item in fields(value)) if is_dataclass(value) else 0


@singledispatch
def _answer(prompt: object) -> Answer:
    kind = type(prompt).__name__
    raise CannotJudge(
        f"The embedded judge cannot answer {kind}, which takes a language model: "
        "name one, such as --judge openai or judge='ollama:llama3.1'."
    )


@_answer.register
def _(prompt: ExtractClaims) -> Claims:
    return Claims(claims=tuple(found.text for found in claims(prompt.text)))


@_answer.register
def _(prompt: ExtractStatements) -> Statements:
    return Statements(statements=tuple(found.text for found in claims(prompt.text)))


@_answer.register
def _(prompt: ExtractTruths) -> Truths:
    return Truths(
        truths=tuple(
            Truth(passage=number, fact=found.text)
            for number, passage in enumerate(prompt.passages, 1)
            for found in statements(passage)[: prompt.limit]
        )
    )


@_answer.register
def _(prompt: JudgeClaims) -> Decisions:
    return Decisions(verdicts=_supported(prompt.claims, prompt.source or prompt.evidence_texts))


@_answer.register
def _(prompt: JudgeAgreement) -> Decisions:
    return Decisions(verdicts=tuple(map(_decided, contradiction(prompt.actual_output, prompt.contexts))))


@_answer.register
def _(prompt: JudgeStatements) -> Decisions:
    whole = " ".join(prompt.statements)
    found = relevance(prompt.input, prompt.statements, [whole] * len(prompt.statements), own=0.4)
    return Decisions(verdicts=tuple(map(_graded, found)))


@_answer.register
def _(prompt: JudgeUsefulness) -> Decisions:
    return Decisions(
        verdicts=tuple(map(_graded, usefulness(prompt.input, prompt.expected_output, prompt.passages)))
    )


@_answer.register
def _(prompt: AttributeStatements) -> Attributions:
    texts = [found.text for found in statements(prompt.expected_output)] or [prompt.expected_output]
    return Attributions(
        verdicts=tuple(
            Attribution(
                statement=text,
                reason=found.reason,
                verdict=found.verdict,
                passage=found.passage,
                evidence=_evidence(found),
            )
            for text, found in zip(texts, support(texts, prompt.passages), strict=True)
        )
    )


@_answer.register
def _(prompt: LocateClaims) -> ClaimLocations:
    found = [support(prompt.claims, [passage]) for passage in prompt.passages]
    return ClaimLocations(
        verdicts=tuple(
            ClaimLocation(
                passages=tuple(n for n, verdicts in enumerate(found, 1) if verdicts[index].verdict == "yes")
            )
            for index in range(len(prompt.claims))
        )
    )


@_answer.register
def _(prompt: RatePassage) -> Rating:
    return _rating(relevance(prompt.input, [prompt.passage])[0], 3)


@_answer.register
def _(prompt: RateAnswer) -> Rating:
    return _rating(relevance(prompt.input, [prompt.actual_output])[0], 3)


@_answer.register
def _(prompt: RateStatement) -> Rating:
    return _rating(support([prompt.statement], prompt.passages)[0], 3)


@_answer.register
def _(prompt: RateAccuracy) -> Rating:
    return _rating(correctness(prompt.input, prompt.actual_output, prompt.expected_output), 4)


@_answer.register
def _(prompt: RateContexts) -> Rating:
    best = max(relevance(prompt.input, prompt.passages), key=lambda found: found.score)
    return _rating(best, 2)


@_answer.register
def _(prompt: RateGrounding) -> Rating:
    texts = [found.text for found in claims(prompt.actual_output)] or [prompt.actual_output]
    supported = sum(found.verdict == "yes" for found in support(texts, prompt.passages))
    score = 2 if supported == len(texts) else 1 if supported else 0
    return Rating(reason=f"{supported} of {len(texts)} claims are found in the passages", score=score)


@_answer.register
def _(prompt: JudgePassages) -> PassageStatements:
    found = [
        (number, text)
        for number, passage in enumerate(prompt.passages, 1)
        for text in ([part.text for part in statements(passage)] or [passage.strip() or "(empty)"])
    ]
    around = [prompt.passages[number - 1] for number, _ in found]
    verdicts = relevance(prompt.input, [text for _, text in found], around)
    return PassageStatements(
        verdicts=tuple(
            PassageStatement(passage=number, statement=text, reason=verdict.reason, verdict=verdict.verdict)
            for (number, text), verdict in zip(found, verdicts, strict=True)
        )
    )


def _supported(texts: Sequence[str], passages: Sequence[str]) -> tuple[Decision, ...]:
    return tuple(map(_decided, support(texts, passages)))


def _decided(found: Support) -> Decision:
    return Decision(reason=found.reason, verdict=found.verdict, evidence=_evidence(found))


def _graded(found: Relevance) -> Decision:
    return Decision(reason=found.reason, verdict=found.verdict)


def _rating(found: Support | Relevance | Correctness, best: int) -> Rating:
    """Return the best rating for yes, the worst for no, and the middle of an even scale, or just below it, for idk."""
    score = {"yes": best, "idk": best // 2, "no": 0}[found.verdict]
    return Rating(reason=found.reason, score=score)


def _evidence(found: Support) -> Grounding:
    return Grounding(passage=found.passage, span=found.span, probability=found.probability)
