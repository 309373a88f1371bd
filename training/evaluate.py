"""Print the agreement of the embedded judge's support scores with human labels, set by set.

    python -m training.evaluate          the support table alone; `make agreement` prints everything

Support sets are scored by a model that never saw them. Sets of the training list are scored by the model fitted without
them (dev: the part that decisions were made on; test: the quarter that nobody inspected), the measured ones by the
shipped model. Thresholds are fitted on the other sets. AUROC counts a tie as one half. Intervals are 95 % bootstraps
over contexts.
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
_LEGEND = """\
left out: all rows of a set, scored by a model fitted without the set, its contexts and all pairs made from it.
dev: those of them that decisions were made on; test: the rest, no row of which was ever read.
measured only: never trained on, scored by the shipped weights.
BA: balanced accuracy at a threshold fixed on the other sets. [ ]: 95 % bootstrap over contexts. Ties count one half,
as if broken at random. overlap: the share of the claim's content words that the context has."""
_HEADER = f"{'set':28} {'rows':>5}  {'AUROC: overlap':>14}  {'judge':>20}  {'BA: overlap':>12}  {'judge':>20}"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The rows of one set for a line of the table.

    Attributes:
        name: label of the line.
        table: the rows.
        scores: the judge's scores.
        threshold: minimum score for which the judge says yes.
        overlap_threshold: minimum overlap for which the baseline says yes.
    """

    name: str
    table: Table
    scores: NDArray[np.float64]
    threshold: float
    overlap_threshold: float

    def line(self, draws: int) -> str:
        """Return the line of the table, with intervals from `draws` resamples."""
        labels, groups, overlap = self.table.labels, self.table.groups.tolist(), self.table.overlap

        def auroc_of(rows: NDArray[np.int64]) -> float:
            return auroc(labels[rows], self.scores[rows])

        def accuracy_of(rows: NDArray[np.int64]) -> float:
            return balanced_accuracy(labels[rows], self.scores[rows] >= self.threshold)

        all_rows = np.arange(len(labels))
        auroc_low, auroc_high = interval(groups, auroc_of, draws=draws)
        ba_low, ba_high = interval(groups, accuracy_of, draws=draws)
        return (
            f"{self.name:28} {len(labels):5}  {auroc(labels, overlap):14.3f}"
            f"  {auroc_of(all_rows):.3f} [{auroc_low:.3f}, {auroc_high:.3f}]"
            f"  {balanced_accuracy(labels, overlap >= self.overlap_threshold):12.3f}"
            f"  {accuracy_of(all_rows):.3f} [{ba_low:.3f}, {ba_high:.3f}]  {PUBLISHED.get(self.table.name, '')}"
        )

    def figures(self) -> NDArray[np.float64]:
        """Return AUROC and balanced accuracy of the baseline, then of the judge."""
        labels, overlap = self.table.labels, self.table.overlap
        return np.array(
            [
                auroc(labels, overlap),
                balanced_accuracy(labels, overlap >= self.overlap_threshold),
                auroc(labels, self.scores),
                balanced_accuracy(labels, self.scores >= self.threshold),
            ]
        )


def left_out_parts() -> dict[str, list[Part]]:
    """Return each training set whole, its dev part and its test part, scored by the model that never saw the set."""
    tables = [load()[name] for name in TRAINED]
    with np.load(MODELS) as models:
        scores = [models[f"held_out.{name}"] for name in TRAINED]
    parts: dict[str, list[Part]] = {"left out": [], "dev": [], "test": []}
    for i, table in enumerate(tables):
        others = [j for j in range(len(tables)) if j != i]
        judge_threshold = common_threshold(
            [(tables[j].where(~tables[j].test), scores[j][~tables[j].test]) for j in others]
        )
        overlap_threshold = common_threshold(
            [(t, t.overlap) for j in others if (t := tables[j].where(~tables[j].test))]
        )
        rows = {"left out": np.ones(len(table.labels), bool), "dev": ~table.test, "test": table.test}
        for label, mask in rows.items():
            parts[label].append(
                Part(
                    f"{table.name} ({label})",
                    table.where(mask),
                    scores[i][mask],
                    judge_threshold,
                    overlap_threshold,
                )
            )
    return parts


def measured_parts() -> Iterator[Part]:
    """Yield the sets that never enter training, scored by the shipped model."""
    tables = load()
    dev = [tables[name].where(~tables[name].test) for name in TRAINED]
    with np.load(MODELS) as models:
        judge_threshold = common_threshold(
            [(t, models[f"held_out.{t.name}"][~tables[t.name].test]) for t in dev]
        )
    overlap_threshold = common_threshold([(t, t.overlap) for t in dev])
    dev_groups = set(np.concatenate([t.groups for t in dev]).tolist())
    for name in MEASURED:
        table = tables[name].where(~np.isin(tables[name].groups, list(dev_groups)))
        yield Part(f"{name} (measured only)", table, _shipped(table), judge_threshold, overlap_threshold)


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
    print(_HEADER)
    for part in (*chain.from_iterable(left_out.values()), *measured_parts()):
        print(part.line(draws), flush=True)
    for label, parts in left_out.items():
        overlap_auroc, overlap_ba, judge_auroc, judge_ba = np.mean([part.figures() for part in parts], axis=0)
        print(
            f"mean of {len(parts)} sets ({label}): AUROC {overlap_auroc:.3f} -> {judge_auroc:.3f}, "
            f"BA {overlap_ba:.3f} -> {judge_ba:.3f}"
        )
    print(_LEGEND)
    print(f"thresholds on the probability: yes {threshold('yes'):.3f}, unsure {threshold('unsure'):.3f}")


if __name__ == "__main__":
    main()
