"""Print the agreement of the embedded judge's verdicts with people's, set by set.

    python -m training.evaluate          the support table alone; `make agreement` prints everything

Support sets are scored by a model that never saw them: those of the training list by the model fitted without
them (dev: the part that decisions were made on; test: the quarter no one looked at), the measured ones by the
shipped model. Thresholds are fixed on the other sets. AUROC counts a tie one half; intervals are 95 %
bootstraps over contexts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.weights import scorer, threshold
from training.labelled_data import MEASURED, TRAINED
from training.measures import auroc, balance, balanced_accuracy, best_threshold, interval
from training.paths import MODELS
from training.tables import Table, load

PUBLISHED = {
    "summedits_dev": "BA over 10 domains: human .909, GPT-4 .821, ChatGPT .712, SummaC-Conv .571",
    "wice": "BA on 100 claims: GPT-4 .787",
}
_WORDS = """\
left out: all rows of a set, scored by a model fitted without the set, its contexts and all pairs made from it.
dev: those of them that decisions were made on; test: the rest, no row of which was ever read.
measured only: never trained on, scored by the shipped weights.
BA: balanced accuracy at a threshold fixed on the other sets. [ ]: 95 % bootstrap over contexts. Ties count one half,
as if broken at random. overlap: the share of the claim's content words that the context has."""
_HEAD = f"{'set':28} {'rows':>5}  {'AUROC: overlap':>14}  {'judge':>20}  {'BA: overlap':>12}  {'judge':>20}"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The rows of one set for a line of the table.

    Attributes:
        name: label of the line.
        table: the rows.
        scores: the judge's scores.
        cut: least score for which the judge says yes.
        overlap_cut: least overlap for which the baseline says yes.
    """

    name: str
    table: Table
    scores: NDArray[np.float64]
    cut: float
    overlap_cut: float

    def line(self, draws: int) -> str:
        """Return the line of the table, its intervals from so many resamples."""
        labels, groups, overlap = self.table.labels, self.table.groups.tolist(), self.table.overlap

        def ranked(rows: NDArray[np.int64]) -> float:
            return auroc(labels[rows], self.scores[rows])

        def decided(rows: NDArray[np.int64]) -> float:
            return balanced_accuracy(labels[rows], self.scores[rows] >= self.cut)

        every = np.arange(len(labels))
        low, high = interval(groups, ranked, draws=draws)
        below, above = interval(groups, decided, draws=draws)
        return (
            f"{self.name:28} {len(labels):5}  {auroc(labels, overlap):14.3f}"
            f"  {ranked(every):.3f} [{low:.3f}, {high:.3f}]"
            f"  {balanced_accuracy(labels, overlap >= self.overlap_cut):12.3f}"
            f"  {decided(every):.3f} [{below:.3f}, {above:.3f}]  {PUBLISHED.get(self.table.name, '')}"
        )

    def figures(self) -> NDArray[np.float64]:
        """Return AUROC and balanced accuracy of the baseline, then of the judge."""
        labels, overlap = self.table.labels, self.table.overlap
        return np.array(
            [
                auroc(labels, overlap),
                balanced_accuracy(labels, overlap >= self.overlap_cut),
                auroc(labels, self.scores),
                balanced_accuracy(labels, self.scores >= self.cut),
            ]
        )


def left_out_parts() -> dict[str, list[Part]]:
    """Return every training set whole, its dev and its test part, scored by the model that never saw the set."""
    tables = [load()[name] for name in TRAINED]
    with np.load(MODELS) as models:
        scores = [models[f"held_out.{name}"] for name in TRAINED]
    parts: dict[str, list[Part]] = {"left out": [], "dev": [], "test": []}
    for i, table in enumerate(tables):
        others = [j for j in range(len(tables)) if j != i]
        cut = common_threshold(
            [(tables[j].where(~tables[j].test), scores[j][~tables[j].test]) for j in others]
        )
        plain = common_threshold([(t, t.overlap) for j in others if (t := tables[j].where(~tables[j].test))])
        rows = {"left out": np.ones(len(table.labels), bool), "dev": ~table.test, "test": table.test}
        for label, kept in rows.items():
            parts[label].append(
                Part(f"{table.name} ({label})", table.where(kept), scores[i][kept], cut, plain)
            )
    return parts


def measured_parts() -> Iterator[Part]:
    """Yield the sets that never enter training, scored by the shipped model."""
    tables = load()
    dev = [tables[name].where(~tables[name].test) for name in TRAINED]
    with np.load(MODELS) as models:
        cut = common_threshold([(t, models[f"held_out.{t.name}"][~tables[t.name].test]) for t in dev])
    plain = common_threshold([(t, t.overlap) for t in dev])
    seen = set(np.concatenate([t.groups for t in dev]).tolist())
    for name in MEASURED:
        table = tables[name].where(~np.isin(tables[name].groups, list(seen)))
        yield Part(f"{name} (measured only)", table, _shipped(table), cut, plain)


def _shipped(table: Table) -> NDArray[np.float64]:
    """Return the scores of the weights in the package."""
    model = scorer("support")
    return np.array([model.score(*row) for row in zip(table.features, table.gaps, strict=True)])


def common_threshold(parts: list[tuple[Table, NDArray[np.float64]]]) -> float:
    """Return the threshold with the best balanced accuracy over sets of equal weight."""
    weights = np.concatenate([balance(table.labels) for table, _ in parts])
    labels = np.concatenate([table.labels for table, _ in parts])
    return best_threshold(labels, np.concatenate([scores for _, scores in parts]), weights)


def main(draws: int = 500) -> None:
    """Print the table, its means and a legend."""
    left_out = left_out_parts()
    print(_HEAD)
    for part in (*chain.from_iterable(left_out.values()), *measured_parts()):
        print(part.line(draws), flush=True)
    for label, parts in left_out.items():
        base, base_ba, judge, judge_ba = np.mean([part.figures() for part in parts], axis=0)
        print(
            f"mean of {len(parts)} sets ({label}): AUROC {base:.3f} -> {judge:.3f}, "
            f"BA {base_ba:.3f} -> {judge_ba:.3f}"
        )
    print(_WORDS)
    print(f"thresholds on the probability: yes {threshold('yes'):.3f}, unsure {threshold('unsure'):.3f}")


if __name__ == "__main__":
    main()
