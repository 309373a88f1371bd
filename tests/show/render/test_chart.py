from ragstone.show.document import Plot
from ragstone.show.render.chart import draw
from ragstone.stats.interval import Interval


def whisker(mean: float, low: float, high: float, tick: float, *, least: float = 0.0) -> str:
    (drawn,) = draw(Plot((), mean, Interval(low, high, 0.95, "score", 20, 20), tick, least), 10)
    return drawn


def test_distribution_draws_every_score_in_its_bin() -> None:
    assert list(draw(Plot([0.0, *[1.0] * 1000]), 10)) == ["▁        █"]
    assert list(draw(Plot([0.55, 0.55, 0.15]), 10)) == [" ▄   █    "]


def test_no_scores_draw_nothing() -> None:
    assert list(draw(Plot(), 4)) == []


def test_the_whisker_shows_mean_interval_and_threshold_on_one_axis() -> None:
    assert whisker(0.75, 0.65, 0.85, 0.2) == "  ┊   ├●┤ "


def test_whisker_draws_threshold_inside_the_interval() -> None:
    assert whisker(0.75, 0.35, 0.95, 0.5) == "   ├─┼─●─┤"


def test_whisker_draws_narrow_interval_as_the_mean() -> None:
    assert whisker(1.0, 1.0, 1.0, 0.5) == "     ┊   ●"


def test_a_difference_is_drawn_around_zero() -> None:
    assert whisker(0.5, 0.3, 0.7, 0.0, least=-1.0) == "     ┊├●┤ "
