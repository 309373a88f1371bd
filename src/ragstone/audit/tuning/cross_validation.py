"""Nested cross-validation: choose a candidate on some folds, and measure it on the held-out fold.

The results of a candidate on the cases on which it was chosen are biased upwards. In each outer fold the choice is
therefore made again, by an inner cross-validation on the other folds, and only its decisions on the held-out fold
count. Folds hold whole groups.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.audit.tuning.candidates import PLAIN, Candidate, CandidateMaker
from ragstone.audit.tuning.labelled import LabelledRun, Places
from ragstone.findings.tuning import TuningFold
from ragstone.prompts.base.guidance import Guidance
from ragstone.stats.calibrate import deal_folds
from ragstone.stats.decision_gain import DecisionGain, ErrorCosts, Merit, compare_decisions

OUTER, INNER = 5, 4

Decided = NDArray[np.bool_]
GuidedScores = Callable[[Guidance, Places], NDArray[np.float64]]
"""Measures the cases at these positions with a judge that has this guidance; NaN for a case without a score."""


class Choice(NamedTuple):
    """A candidate, and the threshold that goes with it."""

    candidate: Candidate
    threshold: float | None


@dataclass(frozen=True, slots=True)
class NestedOutcome:
    """The gain of tuning on held-out cases, and the choice on all cases.

    Attributes:
        gain: the gain of the choices made in the outer folds.
        folds: the outer folds.
        final: the choice on all cases.
    """

    gain: DecisionGain
    folds: tuple[TuningFold, ...]
    final: Choice

    @property
    def adopted(self) -> bool:
        """Whether the gain is proven, and the final choice is not the plain judge."""
        return self.gain.proven and self.final.candidate.name != PLAIN


@dataclass(frozen=True, slots=True)
class NestedTuning:
    """Chooses among candidates.

    Attributes:
        run: the labelled cases.
        maker: makes candidates from some of them.
        measure: scores cases with a candidate's guidance.
        costs: of errors; None for Cohen's kappa.
        seed: deals the folds.
        outer: outer folds.
        resamples: of the bootstrap.
    """

    run: LabelledRun
    maker: CandidateMaker
    measure: GuidedScores
    costs: ErrorCosts | None = None
    seed: int = 0
    outer: int = OUTER
    resamples: int = 2000

    def outcome(self) -> NestedOutcome:
        """Choose in every outer fold, compare held-out decisions with the plain judge's, and choose on all cases."""
        all_places = np.arange(self.run.truth.size, dtype=np.intp)
        plain = self.run.decided(self.run.scores)
        after = plain.copy()
        rng = np.random.default_rng(self.seed)
        folds: list[TuningFold] = []
        for held_out, rest in self._folds(all_places, self.outer, rng):
            choice = self.choose(rest, rng)
            after[held_out] = self._decisions(choice, held_out)
            truth = self.run.truth[held_out]
            right = ((decisions[held_out] == truth).sum() for decisions in (plain, after))
            folds.append(TuningFold(held_out.size, choice.candidate.name, *map(int, right)))
        gain = compare_decisions(
            self.run.truth,
            plain,
            after,
            clusters=self.run.codes,
            costs=self.costs,
            seed=self.seed,
            resamples=self.resamples,
        )
        return NestedOutcome(gain, tuple(folds), self.choose(all_places, rng))

    def choose(self, places: Places, rng: np.random.Generator) -> Choice:
        """Return the candidate of the highest merit over inner folds of `places`; of equals the simplest."""
        merit = Merit(self.costs)
        splits = list(self._folds(places, INNER, rng))
        best, best_value = Candidate(PLAIN), -np.inf
        for name in self.maker.names():
            decided = self.run.decided(self.run.scores)
            for held_out, rest in splits:
                candidate = self.maker.make(name, rest)
                if candidate:
                    decided[held_out] = self._decisions(self._with_threshold(candidate, rest), held_out)
            value = merit.of(self.run.truth[places], decided[places])
            if value > best_value + 1e-12 and (full_candidate := self.maker.make(name, places)):
                best, best_value = full_candidate, value
        return self._with_threshold(best, places)

    def _with_threshold(self, candidate: Candidate, places: Places) -> Choice:
        if not candidate.fits_threshold:
            return Choice(candidate, None)
        threshold = Merit(self.costs).best_cut(self.run.truth[places], self.run.scores[places])
        return Choice(candidate, min(1.0, max(0.0, threshold)))

    def _decisions(self, choice: Choice, places: Places) -> Decided:
        """Return the decisions on cases; the plain judge's score is used for a case that could not be measured."""
        plain = self.run.scores[places]
        if not choice.candidate.guidance:
            return self.run.decided(plain, choice.threshold)
        scores = self.measure(choice.candidate.guidance, places)
        return self.run.decided(np.where(np.isnan(scores), plain, scores))

    def _folds(self, places: Places, folds: int, rng: np.random.Generator) -> list[tuple[Places, Places]]:
        """Return the positions inside and outside of each fold."""
        codes = None
        if self.run.codes is not None:
            codes = np.unique(np.array(self.run.codes)[places], return_inverse=True)[1].astype(np.intp)
        fold = deal_folds(self.run.truth[places], codes, folds, rng)
        return [(places[fold == number], places[fold != number]) for number in np.unique(fold)]
