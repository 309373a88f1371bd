"""The checks that need a judge: supported, necessary, complete, round_trip, closed_book."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.complete import Completeness, count_families, find_supporting
from ragstone.drafts.checks.outcome import CheckName, CheckOutcome, passed
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.judged.asker import DraftAsker
from ragstone.drafts.text.words import content_set
from ragstone.errors import AccessRefused, JudgeError
from ragstone.prompts import (
    AnswerDraftQuestion,
    JudgeClaims,
    JudgeUsefulness,
    MatchDraftAnswers,
    RecallDraftAnswer,
)
from ragstone.verdict import VerdictValue

ATTEMPTS = 3
"""Number of answers without the evidence; a question is `parametric` if at least half of them are right."""

_MAX_READ_PASSAGES = 12
_MAX_READ_IF_UNANSWERABLE = 10


class DraftJudge:
    """Runs the checks of candidates that need a judge."""

    def __init__(self, asker: DraftAsker, index: CorpusIndex, withheld: frozenset[int]) -> None:
        """Ask through `asker` about candidates of `index`; `withheld` passages are in no index under test."""
        self._asker, self._index, self._withheld = asker, index, withheld

    async def supported(self, candidate: DraftCandidate) -> CheckOutcome:
        """Check that the expected output follows from the quotes."""
        claim = (
            candidate.answer if candidate.kind == "false_premise" else f"{candidate.asked} {candidate.answer}"
        )
        try:
            reply = await self._asker.ask(
                JudgeClaims(evidence_texts=self._quotes(candidate), claims=(claim,))
            )
        except JudgeError as error:
            return self._failed("supported", error)
        decision = reply.verdicts[0]
        return self._passed("supported", decision.verdict == "yes", decision.reason or "not supported")

    async def necessary(self, candidate: DraftCandidate) -> CheckOutcome:
        """Check that the remaining quotes do not answer when the quotes of any one passage are left out."""
        for left_out in candidate.passages:
            rest = [
                span.quote(self._index.passages) for span in candidate.evidence if span.passage != left_out
            ]
            try:
                reply = await self._asker.ask(
                    AnswerDraftQuestion(passages=tuple(rest), question=candidate.question)
                )
                if reply.found == "yes" and "yes" in await self._match_answers(candidate, (reply.answer,)):
                    why = f"answered without {self._index.passages[left_out].id}"
                    return self._passed("necessary", ok=False, why=why)
            except JudgeError as error:
                return self._failed("necessary", error)
        return self._passed("necessary", ok=True)

    async def complete(self, candidate: DraftCandidate) -> Completeness:
        """Find the other passages that answer; for an unanswerable question, check that none does."""
        if not candidate.answerable:
            return Completeness(await self._check_unanswered(candidate))
        likely = self._likely_passages(candidate)
        near_copies = find_supporting(replace(candidate, facts=()), self._index) - self._withheld
        answering = set(near_copies)
        if likely:
            texts = tuple(self._index.passages[i].indexed for i in likely)
            prompt = JudgeUsefulness(passages=texts, input=candidate.asked, expected_output=candidate.answer)
            try:
                decisions = (await self._asker.ask(prompt)).verdicts
            except JudgeError as error:
                return Completeness(self._failed("complete", error))
            answering |= {
                i for i, decision in zip(likely, decisions, strict=True) if decision.verdict == "yes"
            }
        counted = count_families(candidate, self._index, answering)
        return Completeness(replace(counted.outcome, judge=self._asker.judge.name), counted.others)

    async def round_trip(self, candidate: DraftCandidate) -> CheckOutcome:
        """Check that the judge's answer from the quotes matches the expected output."""
        opening = " ".join(candidate.opening or ())
        prompt = AnswerDraftQuestion(
            passages=self._quotes(candidate), earlier_turn=opening, question=candidate.question
        )
        try:
            reply = await self._asker.ask(prompt)
            matches = reply.found == "yes" and "yes" in await self._match_answers(candidate, (reply.answer,))
        except JudgeError as error:
            return self._failed("round_trip", error)
        return self._passed("round_trip", matches, f"a reader answers: {reply.answer or 'nothing'}")

    async def closed_book(self, candidate: DraftCandidate) -> CheckOutcome:
        """Check that fewer than half of three answers without the quotes are right."""
        question = " ".join((*(candidate.opening or ()), candidate.question))
        prompts = [RecallDraftAnswer(question=question, repeat=number) for number in range(ATTEMPTS)]
        try:
            replies = await asyncio.gather(*(self._asker.ask(prompt) for prompt in prompts))
            answers = tuple(
                reply.answer for reply in replies if reply.found == "yes" and reply.answer.strip()
            )
            right = (await self._match_answers(candidate, answers)).count("yes") if answers else 0
        except JudgeError as error:
            return self._failed("closed_book", error)
        return self._passed(
            "closed_book", 2 * right < ATTEMPTS, f"{right} of {ATTEMPTS} right without the evidence"
        )

    async def _check_unanswered(self, candidate: DraftCandidate) -> CheckOutcome:
        near = [i for i in self._index.near([candidate.question]) if i not in self._withheld]
        texts = tuple(self._index.passages[i].indexed for i in near[:_MAX_READ_IF_UNANSWERABLE])
        try:
            reply = await self._asker.ask(AnswerDraftQuestion(passages=texts, question=candidate.question))
        except JudgeError as error:
            return self._failed("complete", error)
        return self._passed("complete", reply.found == "no", f"answered by the corpus: {reply.answer}")

    async def _match_answers(self, candidate: DraftCandidate, answers: Sequence[str]) -> list[VerdictValue]:
        reply = await self._asker.ask(
            MatchDraftAnswers(
                question=candidate.asked, expected_output=candidate.answer, answers=tuple(answers)
            )
        )
        return [decision.verdict for decision in reply.verdicts]

    def _likely_passages(self, candidate: DraftCandidate) -> list[int]:
        """Return the passages near the question that share words with the answer, those that share most first."""
        answer_words = content_set(candidate.answer)
        near = self._index.near([candidate.asked, f"{candidate.asked} {candidate.answer}"])
        shared = {i: len(answer_words & content_set(self._index.passages[i].text)) for i in near}
        others = [i for i in near if shared[i] and i not in (*candidate.passages, *self._withheld)]
        return sorted(others, key=lambda i: (-shared[i], near.index(i)))[:_MAX_READ_PASSAGES]

    def _quotes(self, candidate: DraftCandidate) -> tuple[str, ...]:
        passages = self._index.passages
        return tuple(
            "\n".join((*passages[span.passage].headings, span.quote(passages))) for span in candidate.evidence
        )

    def _passed(self, check: CheckName, ok: bool, why: str = "") -> CheckOutcome:  # noqa: FBT001  (as `passed`)
        return passed(check, ok, why, self._asker.judge.name)

    def _failed(self, check: CheckName, error: JudgeError) -> CheckOutcome:
        """Return `?` for a check in which the judge failed; raise the error if the key was refused."""
        if isinstance(error, AccessRefused):
            raise error
        return CheckOutcome(check, "?", self._asker.judge.name, str(error)[:200])
