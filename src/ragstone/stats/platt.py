"""Platt scaling: turn a judge's score into a probability by a logistic curve with two parameters.

Suitable from a few dozen labels on. Source: Platt 1999; the safeguarded Newton method of Lin, Lin and Weng 2007.
"""

from dataclasses import dataclass

import numpy as np

from ragstone.stats._arrays import FloatArray, Numbers, finite, labels01
from ragstone.stats._sample import same_length

_MAX_ITERATIONS = 200
_MIN_STEP = 1e-12


@dataclass(frozen=True, slots=True)
class Platt:
    """The curve 1 / (1 + exp(-(slope · score + intercept))).

    Attributes:
        slope: how steeply the probability rises with the score.
        intercept: the log-odds of yes at a score of 0.
    """

    slope: float
    intercept: float

    def __call__(self, scores: Numbers) -> FloatArray:
        """Return the probability of yes for each score."""
        return _logistic(self.slope * finite(scores, "scores") + self.intercept)


def fit_platt(labels: Numbers, scores: Numbers) -> Platt:
    """Fit the curve to labels (0 or 1) by maximum likelihood with Platt's smoothed targets.

    The targets (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2) instead of 1 and 0 keep the curve from becoming a step where
    the classes happen to be separable.

    Raises:
        ValueError: Lengths differ, there is no case, a label is not 0 or 1, or a score is not finite.
    """
    if not same_length(labels=labels, scores=scores):
        raise ValueError("there is no labelled case to calibrate on; give at least a few dozen")
    truth, judged = labels01(labels), finite(scores, "scores")
    yes, no = float(truth.sum()), float(truth.size - truth.sum())
    target = np.where(truth == 1.0, (yes + 1.0) / (yes + 2.0), 1.0 / (no + 2.0))
    centre, scale = float(judged.mean()), float(judged.std()) or 1.0
    design = np.column_stack([(judged - centre) / scale, np.ones(judged.size)])
    weights = _newton(design, target, np.array([0.0, np.log((yes + 1.0) / (no + 1.0))]))
    slope = float(weights[0]) / scale
    return Platt(slope, float(weights[1]) - slope * centre)


def _newton(design: FloatArray, target: FloatArray, weights: FloatArray) -> FloatArray:
    loss = _loss(design, target, weights)
    for _ in range(_MAX_ITERATIONS):
        probability = _logistic(design @ weights)
        gradient = design.T @ (probability - target)
        # The ridge only keeps a constant score (a singular Hessian) from dividing by zero.
        hessian = (design.T * (probability * (1.0 - probability))) @ design + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        step_size = 1.0
        while (
            new_loss := _loss(design, target, weights - step_size * step)
        ) > loss and step_size > _MIN_STEP:
            step_size /= 2.0
        if new_loss > loss:
            break
        weights, loss = weights - step_size * step, new_loss
        if float(np.abs(step_size * step).max()) < _MIN_STEP:
            break
    return weights


def _loss(design: FloatArray, target: FloatArray, weights: FloatArray) -> float:
    logit = design @ weights
    return float((np.logaddexp(0.0, logit) - target * logit).sum())


def _logistic(logit: FloatArray) -> FloatArray:
    return 0.5 * (1.0 + np.tanh(logit / 2.0))
