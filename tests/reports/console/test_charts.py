from ragstone.reports.console.charts import distribution, whisker
from ragstone.reports.console.glyphs import ASCII_GLYPHS, UNICODE_GLYPHS
from ragstone.stats.interval import Interval


def interval(low: float, high: float) -> Interval:
    return Interval(low, high, 0.95, "score", 20, 20)


def test_distribution_draws_every_score_in_its_bin() -> None:
    assert distribution([0.0, *[1.0] * 1000], 10, UNICODE_GLYPHS) == "▁        █"
    assert distribution([0.55, 0.55, 0.15], 10, UNICODE_GLYPHS) == " ▄   █    "


def test_no_scores_draw_nothing() -> None:
    assert distribution([], 4, UNICODE_GLYPHS) == "    "


def test_the_whisker_shows_mean_interval_and_threshold_on_one_axis() -> None:
    assert whisker(0.75, interval(0.65, 0.85), 0.2, 10, UNICODE_GLYPHS) == "  ┊   ├●┤ "


def test_whisker_draws_threshold_inside_the_interval() -> None:
    assert whisker(0.75, interval(0.35, 0.95), 0.5, 10, ASCII_GLYPHS) == "   |-+-o-|"


def test_whisker_draws_narrow_interval_as_the_mean() -> None:
    assert whisker(1.0, interval(1.0, 1.0), 0.5, 10, UNICODE_GLYPHS) == "     ┊   ●"
