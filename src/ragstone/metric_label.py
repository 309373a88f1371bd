"""The name of a metric: in a spec, and as people read it.

The label is the metric's title, with its options where two metrics of a run share a title, and with its threshold where
they differ in nothing else. It is stored with the plan of a run, so that every surface shows the same one.
"""

import re
from collections.abc import Iterable, Mapping

_THRESHOLD = re.compile(r"threshold=[^,)]*(, )?")


ACCEPTANCE, SUFFICIENCY = "answer_acceptance", "context_sufficiency"
"""The metrics that judge a test case as a whole."""


PER_TURN = "_per_turn"
"""What the name of a metric ends with that is measured for each turn: its verdicts are on turns, not on an answer."""


def base_name(spec: str) -> str:
    """Return the name in a spec, without options and cut-off: `ndcg` of `ndcg(k=5)`.

    A metric that is measured for each turn has another name: `ndcg_per_turn` of `ndcg(per_turn=True)`.
    """
    name, _, options = spec.partition("(")
    return name.partition("@")[0].strip() + (PER_TURN if "per_turn=True" in options else "")


def is_review(spec: str) -> bool:
    """Return whether a metric, by its spec, judges a test case as a whole."""
    return base_name(spec) in (ACCEPTANCE, SUFFICIENCY)


def metric_label(spec: str, titles: Mapping[str, str]) -> str:
    """Return the label of a metric.

    Args:
        spec: its spec.
        titles: the title of each metric of the run, by its spec.
    """
    title = titles[spec]
    others = [other for other, its_title in titles.items() if its_title == title and other != spec]
    if not others:
        return title
    for left_out in (_THRESHOLD, None):
        label = _label(title, spec, left_out)
        if label not in [_label(title, other, left_out) for other in others]:
            return label
    return spec


def metric_labels(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the label of each metric by its spec, in order of appearance.

    Args:
        named: spec and title of each metric; a metric may occur several times.
    """
    titles: dict[str, str] = {}
    for spec, title in named:
        titles.setdefault(spec, title)
    return {spec: metric_label(spec, titles) for spec in titles}


def _label(title: str, spec: str, left_out: re.Pattern[str] | None = None) -> str:
    options = spec.partition("(")[2].removesuffix(")").strip()
    if left_out is not None:
        options = left_out.sub("", options).removesuffix(", ")
    return f"{title}({options})" if options else title
