"""Train the encoder on pairs of texts, on a CPU; it resumes where it was stopped.

    python -m training.pairs                                    what it reads
    python -m training.clauses                                  likewise
    python -m training.encoder --minutes 60 --end .6            first the public pairs and the project's own
    python -m training.encoder --minutes 40 --again --rounding --share snli_train=.1 mnli=.2     then mostly its own
    python -m training.export_encoder                           writes encoder.npz into the package

The claims and judgements of some writers are held out (`HELD_OUT`), and so are six contexts in sixteen of the
human-labelled sets, besides their test contexts. Needs torch, safetensors and the published weights
(`training.mpnet`).
"""

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from ragstone.judges.local.model.encoder import digits, joined, marks
from ragstone.judges.local.text.word_pieces import WordPieces
from training.claims import HELD_OUT
from training.clauses import ClauseGroup
from training.clauses import load as load_groups
from training.measures import auroc
from training.mpnet import LAYERS, LINES, Encoder, pretrained, rounded, shipped, vocabulary
from training.pairs import CLAUSE, LABELS, Pair, load
from training.paths import CURVE, ENCODER

T = TypeVar("T")
PIECES = 4800
"""Pieces in a batch, about."""
MIXED = 2048
"""Rows, or texts of several clauses, among which batches of like length are made."""
EVERY = 600.0
"""Seconds between two points of the curve."""
MEASURED = 500
FRESH = 5.0
"""Factor of the learning rate of the marks, which start from zero."""
AVERAGED = 0.995
"""Share of the running mean of the weights that each step keeps; the mean is what is measured and kept."""
GROUP_PASSES = 2
"""How often the clauses of a text are read in one pass."""
QUESTION_KEPT = 0.3
"""Share of the claims that are read with their question; a short answer always is."""


@dataclass(slots=True)
class Row:
    """A pair in pieces.

    Attributes:
        pair: as it was read.
        ids: the pieces, marks included.
        opening: number of pieces of the first text.
        marks: for each piece, whether the other text contains it.
    """

    pair: Pair
    ids: list[int]
    opening: int
    marks: NDArray[np.intp]


def rows(pairs: Sequence[Pair], seed: int = 0) -> list[Row]:
    """Cut pairs into pieces, as the package does."""
    pieces, rng = WordPieces(vocabulary()), random.Random(seed)
    numbers = digits(vocabulary())
    made: list[Row] = []
    for pair in pairs:
        kept = pair.task != "support" or pair.kind == "short_answer" or rng.random() < QUESTION_KEPT
        ids, opening = joined(pieces, pair.question if kept else "", pair.first, pair.second)
        made.append(Row(pair, ids, opening, marks(ids, opening, numbers)))
    return made


def packed(items: Sequence[T], length: Callable[[T], int], count: Callable[[T], int]) -> Iterator[list[T]]:
    """Yield batches of about `PIECES` with items of similar length.

    Args:
        items: the items.
        length: returns the number of pieces of an item's longest row.
        count: returns the number of an item's rows.
    """
    batch: list[T] = []
    held = 0
    for item in sorted(items, key=length):
        if batch and length(item) * (held + count(item)) > PIECES:
            yield batch
            batch, held = [], 0
        batch.append(item)
        held += count(item)
    if batch:
        yield batch


def batches(known: Sequence[Row], rng: random.Random) -> Iterator[list[Row]]:
    """Yield batches of one task and similar length, in random order."""
    made: list[list[Row]] = []
    by_task: dict[str, list[Row]] = defaultdict(list)
    for row in known:
        by_task[row.pair.task].append(row)
    for some in by_task.values():
        rng.shuffle(some)
        for at in range(0, len(some), MIXED):
            made += packed(some[at : at + MIXED], lambda row: len(row.ids), lambda _: 1)
    rng.shuffle(made)
    yield from made


@dataclass(slots=True)
class Group:
    """The clauses of one text, which share one label.

    Attributes:
        rows: each clause beside its evidence.
        supported: whether all of them are.
    """

    rows: list[Row]
    supported: bool


def group_rows(groups: Sequence[ClauseGroup]) -> list[Group]:
    """Cut the clauses of texts into pieces."""
    pairs = [
        Pair("support", group.source, group.writer, CLAUSE, "", *pair, LABELS["yes"])
        for group in groups
        for pair in group.pairs
    ]
    cut = iter(rows(pairs))
    return [Group([next(cut) for _ in group.pairs], group.supported) for group in groups]


def group_batches(known: Sequence[Group], rng: random.Random) -> Iterator[list[Group]]:
    """Yield batches of groups of similar length, in random order."""
    order = rng.sample(known, len(known))
    made = [
        batch
        for at in range(0, len(order), MIXED)
        for batch in packed(order[at : at + MIXED], _longest, lambda group: len(group.rows))
    ]
    rng.shuffle(made)
    yield from made


def _longest(group: Group) -> int:
    return max(len(row.ids) for row in group.rows)


def tensors(batch: Sequence[Row]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return pieces, text numbers, marks and the mask of pieces, each of shape (rows, length)."""
    length = max(len(row.ids) for row in batch)
    ids, kinds, marked, mask = (torch.zeros(len(batch), length, dtype=torch.long) for _ in range(4))
    for i, row in enumerate(batch):
        ids[i, : len(row.ids)] = torch.tensor(row.ids)
        kinds[i, row.opening : len(row.ids)] = 1
        marked[i, : len(row.ids)] = torch.from_numpy(row.marks)
        mask[i, : len(row.ids)] = 1
    return ids, kinds, marked, mask


def outputs(model: Encoder, known: Sequence[Row]) -> list[list[float]]:
    """Return the outputs for each row, in order."""
    model.eval()
    order = sorted(range(len(known)), key=lambda i: (known[i].pair.task, len(known[i].ids)))
    found: dict[int, list[float]] = {}
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for at in range(0, len(order), 32):
            part = order[at : at + 32]
            for task in {known[i].pair.task for i in part}:
                own = [i for i in part if known[i].pair.task == task]
                found |= zip(
                    own, model(task, *tensors([known[i] for i in own])).float().tolist(), strict=True
                )
    model.train()
    return [found[i] for i in range(len(known))]


def measure(model: Encoder, known: Sequence[Row]) -> dict[str, float]:
    """Return the AUROC of each task on held-out rows, and the share of claims decided right among three."""
    found = outputs(model, known)
    result: dict[str, float] = {}
    for task in {row.pair.task for row in known}:
        own = [i for i, row in enumerate(known) if row.pair.task == task]
        values = np.array([found[i] for i in own])
        labels = np.array([known[i].pair.label for i in own])
        if task == "support":
            odds = values[:, 2] - np.logaddexp(values[:, 0], values[:, 1])
            result["support"] = auroc((labels == 2).astype(np.int64), odds)
            result["three-way"] = float((values.argmax(axis=1) == labels).mean())
        else:
            result[task] = auroc(labels, values[:, 0])
    return {key: round(value, 4) for key, value in sorted(result.items())}


def loss_of(model: Encoder, batch: Sequence[Row]) -> Tensor:
    """Return the mean loss of one batch; label 3 matches either verdict other than supported."""
    labels = torch.tensor([row.pair.label for row in batch])
    with torch.autocast("cpu", torch.bfloat16):
        found = model(batch[0].pair.task, *tensors(batch))
    if found.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(found[:, 0].float(), labels.float())
    chances = found.float().log_softmax(dim=1)
    chances = torch.cat([chances, chances[:, :2].logsumexp(dim=1, keepdim=True)], dim=1)
    return functional.nll_loss(chances, labels)


def group_loss(model: Encoder, batch: Sequence[Group]) -> Tensor:
    """Return the mean loss of a batch of groups; the chance of a text is the product of the chances of its clauses.

    On learning from labels of groups alone, with multiplied chances: Viola et al., "Multiple Instance Boosting for
    Object Detection" (NIPS 2005), section 3.
    """
    owners = torch.tensor([i for i, group in enumerate(batch) for _ in group.rows])
    with torch.autocast("cpu", torch.bfloat16):
        found = model("support", *tensors([row for group in batch for row in group.rows]))
    each = found.float().log_softmax(dim=1)[:, LABELS["yes"]]
    whole = torch.zeros(len(batch)).index_add(0, owners, each).clamp(max=-1e-6)
    supported = torch.tensor([group.supported for group in batch])
    return -torch.where(supported, whole, torch.log(-torch.expm1(whole))).mean()


def freeze(model: Encoder, layers: int) -> None:
    """Freeze the lower layers of a model, and all below them, with the weights rounded as in the package.

    This makes training cheaper and reduces forgetting.
    """
    for weight in (model.places, model.norm, model.distances, model.texts, model.marks):
        weight.requires_grad = False
    for layer in list(model.layers)[:layers]:
        layer.requires_grad_(requires_grad=False)
        for name in LINES:
            weight = getattr(layer, name)
            weight.copy_(rounded(weight))


class Step(NamedTuple):
    """One step of training.

    Attributes:
        loss: returns the loss of a model on the batch of the step.
        pairs: number of pairs in the batch.
    """

    loss: Callable[[Encoder], Tensor]
    pairs: int


def _steps(known: Sequence[Row], groups: Sequence[Group], rng: random.Random) -> list[Step]:
    """Return the steps of one pass in random order: each pair once, each group `GROUP_PASSES` times."""
    steps = [Step(partial(loss_of, batch=batch), len(batch)) for batch in batches(known, rng)]
    for _ in range(GROUP_PASSES):
        steps += [
            Step(partial(group_loss, batch=batch), sum(len(group.rows) for group in batch))
            for batch in group_batches(groups, rng)
        ]
    rng.shuffle(steps)
    return steps


class Schedule(NamedTuple):
    """Duration and learning rate of training.

    Attributes:
        minutes: minutes of wall time.
        rate: learning rate at the beginning.
        end: the rate at the end, as a share of the first.
    """

    minutes: float
    rate: float
    end: float


def learn(
    model: Encoder, known: Sequence[Row], groups: Sequence[Group], held: Sequence[Row], schedule: Schedule
) -> None:
    """Train for some minutes with a falling rate; save the model and a point of its curve every few minutes."""
    trained = [weight for weight in model.parameters() if weight.requires_grad]
    bodies = [weight for weight in trained if weight is not model.marks]
    optimiser = torch.optim.AdamW(bodies, schedule.rate, weight_decay=0.01, fused=True)
    if model.marks.requires_grad:
        optimiser.add_param_group({"params": [model.marks], "fresh": FRESH})
    mean = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGED)
    )
    began, due, seen, steps, losses = time.monotonic(), EVERY, 0, 0, [0.0]
    rng, seconds = random.Random(steps), schedule.minutes * 60
    while True:
        for step in _steps(known, groups, rng):
            spent = time.monotonic() - began
            if spent >= due or spent >= seconds:
                due = spent + EVERY
                _keep(mean.module, {"seconds": round(spent), "pairs": seen, "loss": round(float(np.mean(losses)), 3),
                              **measure(mean.module, held)})  # fmt: skip
                losses.clear()
            if spent >= seconds:
                return
            for group in optimiser.param_groups:
                falling = 1 - (1 - schedule.end) * spent / seconds
                group["lr"] = schedule.rate * group.get("fresh", 1.0) * min(1.0, (steps + 1) / 100) * falling
            loss = step.loss(model)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            mean.update_parameters(model)
            losses.append(loss.item())
            seen, steps = seen + step.pairs, steps + 1


def _keep(model: Encoder, point: dict[str, float]) -> None:
    with CURVE.open("a", encoding="utf-8") as file:
        file.write(json.dumps(point) + "\n")
    torch.save(model.state_dict(), ENCODER)
    print(point, flush=True)


def shared(pairs: Sequence[Pair], shares: Mapping[str, float], rng: random.Random) -> list[Pair]:
    """Return the pairs of each source or writer, repeated by its share; a writer's share overrides the source's."""
    groups: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.source, pair.writer].append(pair)
    found: list[Pair] = []
    for (source, writer), own in groups.items():
        whole, part = divmod(shares.get(writer, shares.get(source, 1.0)), 1)
        found += int(whole) * own + rng.sample(own, round(part * len(own)))
    return found


def main() -> None:
    """Train for some minutes of wall time."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument(
        "--share", nargs="*", default=[], metavar="NAME=NUMBER",
        help="how often the pairs of a source or a writer are read in one pass, 0.3 for a third of them; else 1",
    )  # fmt: skip
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--end", type=float, default=0.02, help="the last rate, as a share of the first")
    parser.add_argument(
        "--rounding",
        action="store_true",
        help="compute with weights rounded to four bits, as the package does",
    )
    parser.add_argument("--again", action="store_true", help="go on with the encoder that is there")
    parser.add_argument("--shipped", action="store_true", help="go on with the encoder in the package")
    parser.add_argument(
        "--frozen", type=int, default=0, metavar="LAYERS",
        help="lower layers that stay as they are, with all below them: a third of them saves a fifth of the time",
    )  # fmt: skip
    parser.add_argument(
        "--layers", type=int, default=LAYERS, help="of MPNet's twelve; those above the package's as published"
    )
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    rng = random.Random(1)
    every = load()
    held = [pair for pair in every if pair.writer in HELD_OUT]
    shares = {source: float(number) for source, _, number in (one.partition("=") for one in options.share)}
    if unknown := shares.keys() - {name for pair in every for name in (pair.source, pair.writer)}:
        parser.error(f"no pairs of {', '.join(sorted(unknown))}")
    learnt = shared([pair for pair in every if pair.writer not in HELD_OUT], shares, rng)
    model = shipped(options.layers) if options.shipped else pretrained(options.layers)
    if options.again:
        model.load_state_dict(torch.load(ENCODER), strict=False)
    if options.frozen:
        freeze(model, options.frozen)
    model.rounding = options.rounding
    held_rows: list[Pair] = []
    for task in sorted({pair.task for pair in held}):
        own = [pair for pair in held if pair.task == task]
        held_rows += rng.sample(own, min(MEASURED, len(own)))
    groups = [group for group in load_groups() if group.writer not in HELD_OUT]
    schedule = Schedule(options.minutes, options.rate, options.end)
    learn(model, rows(learnt), group_rows(groups), rows(held_rows), schedule)


if __name__ == "__main__":
    main()
