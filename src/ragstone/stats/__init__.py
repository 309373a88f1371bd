"""Statistics: confidence intervals, comparison of runs, agreement with people, calibration of judges.

Pure functions on numbers; no module here knows a metric, a judge or a run. The names below are imported on first use,
so importing ragstone does not import numpy. docs/explanation/statistics.md says which interval is used where, and gives
its simulated coverage.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.stats.abstention import AbstentionFigures as AbstentionFigures
    from ragstone.stats.abstention import abstention_figures as abstention_figures
    from ragstone.stats.agreement import GradeAgreement as GradeAgreement
    from ragstone.stats.agreement import LabelAgreement as LabelAgreement
    from ragstone.stats.agreement import agree_on_grades as agree_on_grades
    from ragstone.stats.agreement import agree_on_labels as agree_on_labels
    from ragstone.stats.bounded import BoundedMean as BoundedMean
    from ragstone.stats.bounded import NarrowedMean as NarrowedMean
    from ragstone.stats.bounded import bounded_mean as bounded_mean
    from ragstone.stats.bounded import bounded_pass_rate as bounded_pass_rate
    from ragstone.stats.bounded import narrowed_mean as narrowed_mean
    from ragstone.stats.calibrate import Threshold as Threshold
    from ragstone.stats.calibrate import fit_threshold as fit_threshold
    from ragstone.stats.category_agreement import CategoryAgreement as CategoryAgreement
    from ragstone.stats.category_agreement import agree_on_categories as agree_on_categories
    from ragstone.stats.ceiling import Ceiling as Ceiling
    from ragstone.stats.ceiling import human_ceiling as human_ceiling
    from ragstone.stats.changes import PassChange as PassChange
    from ragstone.stats.compare import compare_runs as compare_runs
    from ragstone.stats.comparison_figures import Comparison as Comparison
    from ragstone.stats.components import VarianceComponent as VarianceComponent
    from ragstone.stats.components import VarianceComponents as VarianceComponents
    from ragstone.stats.components import variance_components as variance_components
    from ragstone.stats.confusion import Confusion as Confusion
    from ragstone.stats.corrected_shares import CorrectedShares as CorrectedShares
    from ragstone.stats.corrected_shares import correct_shares as correct_shares
    from ragstone.stats.corrected_shares import draw_checks as draw_checks
    from ragstone.stats.correlation import kendall as kendall
    from ragstone.stats.correlation import pearson as pearson
    from ragstone.stats.correlation import spearman as spearman
    from ragstone.stats.decision_gain import DecisionGain as DecisionGain
    from ragstone.stats.decision_gain import ErrorCosts as ErrorCosts
    from ragstone.stats.decision_gain import compare_decisions as compare_decisions
    from ragstone.stats.estimate import Estimate as Estimate
    from ragstone.stats.failure_clusters import FailureCluster as FailureCluster
    from ragstone.stats.failure_clusters import FailureClusterSearch as FailureClusterSearch
    from ragstone.stats.failure_clusters import find_failure_clusters as find_failure_clusters
    from ragstone.stats.figure import Figure as Figure
    from ragstone.stats.figure import figure_of as figure_of
    from ragstone.stats.interval import Interval as Interval
    from ragstone.stats.interval import clustered_rate_interval as clustered_rate_interval
    from ragstone.stats.interval import mean_interval as mean_interval
    from ragstone.stats.interval import rate_interval as rate_interval
    from ragstone.stats.judge_card import JudgeCard as JudgeCard
    from ragstone.stats.judge_card import PositionBias as PositionBias
    from ragstone.stats.judge_card import Rewording as Rewording
    from ragstone.stats.judge_card import ScoreShift as ScoreShift
    from ragstone.stats.judge_card import SelfConsistency as SelfConsistency
    from ragstone.stats.judge_card import position_bias as position_bias
    from ragstone.stats.judge_card import rewording as rewording
    from ragstone.stats.judge_card import score_shift as score_shift
    from ragstone.stats.judge_card import self_consistency as self_consistency
    from ragstone.stats.kappa import cohen_kappa as cohen_kappa
    from ragstone.stats.kappa import fleiss_kappa as fleiss_kappa
    from ragstone.stats.kappa import krippendorff_alpha as krippendorff_alpha
    from ragstone.stats.label_change import LabelChange as LabelChange
    from ragstone.stats.label_change import compare_labels as compare_labels
    from ragstone.stats.log_odds import word_odds as word_odds
    from ragstone.stats.multiple import correct_for_multiple as correct_for_multiple
    from ragstone.stats.pairwise import PairwiseAgreement as PairwiseAgreement
    from ragstone.stats.pairwise import agree_on_pairs as agree_on_pairs
    from ragstone.stats.power import cases_needed as cases_needed
    from ragstone.stats.power import detectable_difference as detectable_difference
    from ragstone.stats.ppi import CorrectedMean as CorrectedMean
    from ragstone.stats.ppi import ppi_mean as ppi_mean
    from ragstone.stats.quantile import Quantile as Quantile
    from ragstone.stats.quantile import quantile_interval as quantile_interval
    from ragstone.stats.ranking import auroc as auroc
    from ragstone.stats.ranking import average_precision as average_precision
    from ragstone.stats.ratio import PairedRatio as PairedRatio
    from ragstone.stats.ratio import paired_mean_ratio as paired_mean_ratio
    from ragstone.stats.ratio import paired_quantile_ratio as paired_quantile_ratio
    from ragstone.stats.reliability import ReliabilityBin as ReliabilityBin
    from ragstone.stats.reliability import brier_score as brier_score
    from ragstone.stats.reliability import expected_calibration_error as expected_calibration_error
    from ragstone.stats.reliability import reliability_curve as reliability_curve
    from ragstone.stats.repeats import RepeatedCase as RepeatedCase
    from ragstone.stats.repeats import Repeats as Repeats
    from ragstone.stats.repeats import analyse_repeats as analyse_repeats
    from ragstone.stats.shares import LabelShare as LabelShare
    from ragstone.stats.shares import Shares as Shares
    from ragstone.stats.shares import label_shares as label_shares
    from ragstone.stats.shares import simultaneous_shares as simultaneous_shares
    from ragstone.stats.significance import benjamini_hochberg as benjamini_hochberg
    from ragstone.stats.significance import fisher_p_value as fisher_p_value
    from ragstone.stats.significance import mcnemar_p_value as mcnemar_p_value
    from ragstone.stats.significance import sign_flip_p_value as sign_flip_p_value
    from ragstone.stats.slices import Slice as Slice
    from ragstone.stats.slices import SliceSearch as SliceSearch
    from ragstone.stats.slices import find_slices as find_slices
    from ragstone.stats.slices import rate_difference_interval as rate_difference_interval

_MODULES = {
    "abstention": ("AbstentionFigures", "abstention_figures"),
    "agreement": ("GradeAgreement", "LabelAgreement", "agree_on_grades", "agree_on_labels"),
    "bounded": ("BoundedMean", "NarrowedMean", "bounded_mean", "bounded_pass_rate", "narrowed_mean"),
    "calibrate": ("Threshold", "fit_threshold"),
    "changes": ("PassChange",),
    "category_agreement": ("CategoryAgreement", "agree_on_categories"),
    "ceiling": ("Ceiling", "human_ceiling"),
    "compare": ("compare_runs",),
    "comparison_figures": ("Comparison",),
    "components": ("VarianceComponent", "VarianceComponents", "variance_components"),
    "confusion": ("Confusion",),
    "corrected_shares": ("CorrectedShares", "correct_shares", "draw_checks"),
    "correlation": ("kendall", "pearson", "spearman"),
    "decision_gain": ("DecisionGain", "ErrorCosts", "compare_decisions"),
    "estimate": ("Estimate",),
    "figure": ("Figure", "figure_of"),
    "failure_clusters": ("FailureCluster", "FailureClusterSearch", "find_failure_clusters"),
    "interval": ("Interval", "clustered_rate_interval", "mean_interval", "rate_interval"),
    "judge_card": (
        "JudgeCard",
        "PositionBias",
        "Rewording",
        "SelfConsistency",
        "ScoreShift",
        "position_bias",
        "rewording",
        "score_shift",
        "self_consistency",
    ),
    "kappa": ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha"),
    "label_change": ("LabelChange", "compare_labels"),
    "log_odds": ("word_odds",),
    "multiple": ("correct_for_multiple",),
    "pairwise": ("PairwiseAgreement", "agree_on_pairs"),
    "shares": ("LabelShare", "Shares", "label_shares", "simultaneous_shares"),
    "slices": ("Slice", "SliceSearch", "find_slices", "rate_difference_interval"),
    "significance": ("benjamini_hochberg", "fisher_p_value", "mcnemar_p_value", "sign_flip_p_value"),
    "power": ("cases_needed", "detectable_difference"),
    "ppi": ("CorrectedMean", "ppi_mean"),
    "quantile": ("Quantile", "quantile_interval"),
    "ratio": ("PairedRatio", "paired_mean_ratio", "paired_quantile_ratio"),
    "ranking": ("auroc", "average_precision"),
    "reliability": ("ReliabilityBin", "brier_score", "expected_calibration_error", "reliability_curve"),
    "repeats": ("RepeatedCase", "Repeats", "analyse_repeats"),
}
"""The public names of each module."""

_EXPORTS = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}

__all__ = list(_EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]  (the names imported above)

__getattr__ = lazy_exports(__name__, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
