"""Statistics: confidence intervals, comparison of runs, agreement with people, calibration of judges.

Pure functions on numbers; no module here knows a metric, a judge or a run. The names below are imported on first use,
so importing ragstone does not import numpy. docs/explanation/statistics.md says which interval is used where, and gives
its simulated coverage.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.stats.abstention import AbstentionFigures, abstention_figures
    from ragstone.stats.agreement import GradeAgreement, LabelAgreement, agree_on_grades, agree_on_labels
    from ragstone.stats.bounded import BoundedMean, bounded_mean, bounded_pass_rate
    from ragstone.stats.calibrate import Threshold, fit_threshold
    from ragstone.stats.category_agreement import CategoryAgreement, agree_on_categories
    from ragstone.stats.ceiling import Ceiling, human_ceiling
    from ragstone.stats.compare import Comparison, compare_runs
    from ragstone.stats.components import VarianceComponent, VarianceComponents, variance_components
    from ragstone.stats.confusion import Confusion
    from ragstone.stats.corrected_shares import CorrectedShares, correct_shares, draw_checks
    from ragstone.stats.correlation import kendall, pearson, spearman
    from ragstone.stats.decision_gain import DecisionGain, ErrorCosts, compare_decisions
    from ragstone.stats.estimate import Estimate
    from ragstone.stats.failure_clusters import (
        FailureCluster,
        FailureClusterSearch,
        find_failure_clusters,
    )
    from ragstone.stats.figure import Figure, figure_of
    from ragstone.stats.interval import Interval, clustered_rate_interval, mean_interval, rate_interval
    from ragstone.stats.judge_card import (
        JudgeCard,
        PositionBias,
        Rewording,
        ScoreShift,
        SelfConsistency,
        position_bias,
        rewording,
        score_shift,
        self_consistency,
    )
    from ragstone.stats.kappa import cohen_kappa, fleiss_kappa, krippendorff_alpha
    from ragstone.stats.label_change import LabelChange, compare_labels
    from ragstone.stats.log_odds import word_odds
    from ragstone.stats.multiple import correct_for_multiple
    from ragstone.stats.narrowed import NarrowedMean, narrowed_mean
    from ragstone.stats.pairwise import PairwiseAgreement, agree_on_pairs
    from ragstone.stats.pass_change import PassChange
    from ragstone.stats.power import cases_needed, detectable_difference
    from ragstone.stats.ppi import CorrectedMean, ppi_mean
    from ragstone.stats.quantile import Quantile, quantile_interval
    from ragstone.stats.ranking import auroc, average_precision
    from ragstone.stats.ratio import PairedRatio, paired_mean_ratio, paired_quantile_ratio
    from ragstone.stats.reliability import (
        ReliabilityBin,
        brier_score,
        expected_calibration_error,
        reliability_curve,
    )
    from ragstone.stats.repeats import RepeatedCase, Repeats, analyse_repeats
    from ragstone.stats.shares import LabelShare, Shares, label_shares, simultaneous_shares
    from ragstone.stats.significance import (
        benjamini_hochberg,
        fisher_p_value,
        mcnemar_p_value,
        sign_flip_p_value,
    )
    from ragstone.stats.slices import Slice, SliceSearch, find_slices, rate_difference_interval

_MODULES = {
    "abstention": ("AbstentionFigures", "abstention_figures"),
    "agreement": ("GradeAgreement", "LabelAgreement", "agree_on_grades", "agree_on_labels"),
    "bounded": ("BoundedMean", "bounded_mean", "bounded_pass_rate"),
    "calibrate": ("Threshold", "fit_threshold"),
    "category_agreement": ("CategoryAgreement", "agree_on_categories"),
    "ceiling": ("Ceiling", "human_ceiling"),
    "compare": ("Comparison", "compare_runs"),
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
    "narrowed": ("NarrowedMean", "narrowed_mean"),
    "pairwise": ("PairwiseAgreement", "agree_on_pairs"),
    "pass_change": ("PassChange",),
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

__all__ = [
    "AbstentionFigures",
    "BoundedMean",
    "CategoryAgreement",
    "Ceiling",
    "Comparison",
    "Confusion",
    "CorrectedMean",
    "CorrectedShares",
    "DecisionGain",
    "ErrorCosts",
    "Estimate",
    "FailureCluster",
    "FailureClusterSearch",
    "Figure",
    "GradeAgreement",
    "Interval",
    "JudgeCard",
    "LabelAgreement",
    "LabelChange",
    "LabelShare",
    "NarrowedMean",
    "PairedRatio",
    "PairwiseAgreement",
    "PassChange",
    "PositionBias",
    "Quantile",
    "ReliabilityBin",
    "RepeatedCase",
    "Repeats",
    "Rewording",
    "ScoreShift",
    "SelfConsistency",
    "Shares",
    "Slice",
    "SliceSearch",
    "Threshold",
    "VarianceComponent",
    "VarianceComponents",
    "abstention_figures",
    "agree_on_categories",
    "agree_on_grades",
    "agree_on_labels",
    "agree_on_pairs",
    "analyse_repeats",
    "auroc",
    "average_precision",
    "benjamini_hochberg",
    "bounded_mean",
    "bounded_pass_rate",
    "brier_score",
    "cases_needed",
    "clustered_rate_interval",
    "cohen_kappa",
    "compare_decisions",
    "compare_labels",
    "compare_runs",
    "correct_for_multiple",
    "correct_shares",
    "detectable_difference",
    "draw_checks",
    "expected_calibration_error",
    "figure_of",
    "find_failure_clusters",
    "find_slices",
    "fisher_p_value",
    "fit_threshold",
    "fleiss_kappa",
    "human_ceiling",
    "kendall",
    "krippendorff_alpha",
    "label_shares",
    "mcnemar_p_value",
    "mean_interval",
    "narrowed_mean",
    "paired_mean_ratio",
    "paired_quantile_ratio",
    "pearson",
    "position_bias",
    "ppi_mean",
    "quantile_interval",
    "rate_difference_interval",
    "rate_interval",
    "reliability_curve",
    "rewording",
    "score_shift",
    "self_consistency",
    "sign_flip_p_value",
    "simultaneous_shares",
    "spearman",
    "variance_components",
    "word_odds",
]

__getattr__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}
)


def __dir__() -> list[str]:
    return __all__
