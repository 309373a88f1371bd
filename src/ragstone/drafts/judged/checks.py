"""The checks that need a judge: supported, necessary, complete, round_trip, closed_book."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.complete import Completeness, count_families, find_supporting
from ragstone.drafts.checks.outcome import CheckName, CheckOutcome, passed
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.judged.asker import DraftAsker
from ragstone.drafts.words import content_set
from ragstone.errors import AccessRefused, JudgeError
from ragstone.prompts import (
    AnswerDraftQuestion,
    JudgeClaims,
    JudgeUsefulness,
    MatchDraftAnswers,
    RecallDraftAnswer,
)
from ragstone.verdict import VerdictValue

JUDGED_CHECKS: tuple[CheckName, ...] = ("supported", "necessary", "round_trip", "closed_book")
"""The checks of a question with an answer, in the order in which a judge runs them."""

ATTEMPTS = 3
"""Number of answers without the evidence; a question is `parametric` if at least half of them are right."""

_MAX_READ_PASSAGES = 12
_MAX_READ_IF_UNANSWERABLE = 10
_Finding = tuple[bool, str]
"""Whether a check passes, and the reason if it does not."""


class DraftJudge:
    """Runs the checks of candidates that need a judge."""

    def __init__(self, asker: DraftAsker, index: CorpusIndex, withheld: frozenset[int]) -> None:
        """Ask through `asker` about candidates of `index`; `withheld` passages are in no index under test."""
        self._asker, self._index, self._withheld = asker, index, withheld

    async def check(self, name: CheckName, candidate: DraftCandidate) -> CheckOutcome:
        """Return the outcome of one of `JUDGED_CHECKS`; `?` if the judge fails."""
        checks = {
            "supported": self._supported,
            "necessary": self._necessary,
            "round_trip": self._round_trip,
            "closed_book": self._closed_book,
        }
        try:
            ok, why = await checks[name](candidate)
        except JudgeError as error:
            return self._failed(name, error)
        return passed(name, ok, why, self._asker.judge.name)

    async def complete(self, candidate: DraftCandidate) -> Completeness:
        """Find the other passages that answer; for an unanswerable question, check that none does."""
        try:
            if candidate.answerable:
                counted = count_families(candidate, self._index, await self._answering(candidate))
                return counted._replace(outcome=replace(counted.outcome, judge=self._asker.judge.name))
            ok, why = await self._unanswered(candidate)
        except JudgeError as error:
            return Completeness(self._failed("complete", error))
        return Completeness(passed("complete", ok, why, self._asker.judge.name))

    async def _supported(self, candidate: DraftCandidate) -> _Finding:
        """Check that the expected output follows from the quotes."""
        false_premise = candidate.kind == "false_premise"
        claim = candidate.answer if false_premise else f"{candidate.asked} {candidate.answer}"
        prompt = JudgeClaims(evidence_texts=self._quotes(candidate), claims=(claim,))
        decision = (await self._asker.ask(prompt)).verdicts[0]
        return decision.verdict == "yes", decision.reason or "not supported"

    async def _necessary(self, candidate: DraftCandidate) -> _Finding:
        """Check that the remaining quotes do not answer when the quotes of any one passage are left out."""
        passages = self._index.passages
        for left_out in candidate.passages:
            rest = [span.quote(passages) for span in candidate.evidence if span.passage != left_out]
            prompt = AnswerDraftQuestion(passages=tuple(rest), question=candidate.question)
            if (await self._is_answered(candidate, prompt))[0]:
                return False, f"answered without {passages[left_out].id}"
        return True, ""

    async def _round_trip(self, candidate: DraftCandidate) -> _Finding:
        """Check that the judge's answer from the quotes matches the expected output."""
        opening = " ".join(candidate.opening or ())
        prompt = AnswerDraftQuestion(
            passages=self._quotes(candidate), earlier_turn=opening, question=candidate.question
        )
        matches, answer = await self._is_answered(candidate, prompt)
        return matches, f"a reader answers: {answer or 'nothing'}"

    async def _closed_book(self, candidate: DraftCandidate) -> _Finding:
        """Check that fewer than half of three answers without the quotes are right."""
        question = " ".join((*(candidate.opening or ()), candidate.question))
        prompts = [RecallDraftAnswer(question=question, repeat=number) for number in range(ATTEMPTS)]
        replies = await asyncio.gather(*(self._asker.ask(prompt) for prompt in prompts))
        answers = [reply.answer for reply in replies if reply.found == "yes" and reply.answer.strip()]
        right = (await self._match_answers(candidate, answers)).count("yes") if answers else 0
        return 2 * right < ATTEMPTS, f"{right} of {ATTEMPTS} right without the evidence"

    async def _answering(self, candidate: DraftCandidate) -> set[int]:
        """Return the passages that answer, and the near copies of the evidence."""
        answering = set(find_supporting(replace(candidate, facts=()), self._index) - self._withheld)
        likely = self._likely_passages(candidate)
        if likely:
            texts = tuple(self._index.passages[i].indexed for i in likely)
            prompt = JudgeUsefulness(passages=texts, input=candidate.asked, expected_output=candidate.answer)
            decisions = (await self._asker.ask(prompt)).verdicts
            pairs = zip(likely, decisions, strict=True)
            answering |= {passage for passage, decision in pairs if decision.verdict == "yes"}
        return answering

    async def _unanswered(self, candidate: DraftCandidate) -> _Finding:
        near = [i for i in self._index.near([candidate.question]) if i not in self._withheld]
        texts = tuple(self._index.passages[i].indexed for i in near[:_MAX_READ_IF_UNANSWERABLE])
        reply = await self._asker.ask(AnswerDraftQuestion(passages=texts, question=candidate.question))
        return reply.found == "no", f"answered by the corpus: {reply.answer}"

    async def _is_answered(self, candidate: DraftCandidate, prompt: AnswerDraftQuestion) -> tuple[bool, str]:
        """Return whether the judge's answer matches the expected output, and the answer."""
        reply = await self._asker.ask(prompt)
        right = reply.found == "yes" and "yes" in await self._match_answers(candidate, (reply.answer,))
        return right, reply.answer

    async def _match_answers(self, candidate: DraftCandidate, answers: Sequence[str]) -> list[VerdictValue]:
        prompt = MatchDraftAnswers(
            question=candidate.asked, expected_output=candidate.answer, answers=tuple(answers)
        )
        return [decision.verdict for decision in (await self._asker.ask(prompt)).verdicts]

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

    def _failed(self, check: CheckName, error: JudgeError) -> CheckOutcome:
        """Return `?` for a check in which the judge failed; raise the error if the key was refused."""
        if isinstance(error, AccessRefused):
            raise error
        return CheckOutcome(check, "?", self._asker.judge.name, str(error)[:200])
