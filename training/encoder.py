"""Train the encoder on pairs of texts, on a CPU; `--again` resumes from the saved weights.

    python -m training.pairs                                    writes its training data
    python -m training.clauses                                  likewise
    python -m training.encoder --minutes 60 --end .6            first the public pairs and the project's own
    python -m training.encoder --minutes 40 --again --rounding --share snli_train=.1 mnli=.2     then mostly its own
    python -m training.export_encoder                           writes encoder.npz into the package

Held out are the claims and judgements of some writers (`HELD_OUT`), the test contexts of the human-labelled sets, and
six in sixteen of their other contexts. Needs torch, safetensors and the published weights
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
from ragstone.judges.local.model.word_pieces import WordPieces
from training.claims import HELD_OUT
from training.clauses import ClauseGroup
from training.clauses import load as load_groups
from training.measures import auroc
from training.mpnet import LAYERS, LINEAR_WEIGHTS, Encoder, pretrained, rounded, shipped, vocabulary
from training.pairs import CLAUSE, LABELS, Pair, load
from training.paths import CURVE, ENCODER

T = TypeVar("T")
BATCH_PIECES = 4800
"""Approximate number of pieces in a batch."""
BUCKET_SIZE = 2048
"""Number of rows, or of groups of clauses, that are sorted by length before they are split into batches."""
SAVE_INTERVAL = 600.0
"""Seconds between two checkpoints, each of which adds a line to the training curve."""
MAX_MEASURED = 500
MARKS_RATE = 5.0
"""Factor of the learning rate of the mark embeddings, which start from zero."""
EMA_DECAY = 0.995
"""Decay of the exponential moving average of the weights. The averaged weights are measured and saved."""
GROUP_PASSES = 2
"""How often each group of clauses occurs in one pass."""
QUESTION_SHARE = 0.3
"""Share of the claims that are encoded with their question. Short answers always are."""


@dataclass(slots=True)
class Row:
    """A pair as input of the encoder.

    Attributes:
        pair: the pair.
        ids: ids of the pieces, special pieces included.
        first_length: number of pieces of question and first text, special pieces included.
        marks: mark of each piece, which tells whether the other text contains it.
    """

    pair: Pair
    ids: list[int]
    first_length: int
    marks: NDArray[np.intp]


def encode_pairs(pairs: Sequence[Pair], seed: int = 0) -> list[Row]:
    """Tokenise pairs as the package does."""
    tokenizer, rng = WordPieces(vocabulary()), random.Random(seed)
    digit_pieces = digits(vocabulary())
    result: list[Row] = []
    for pair in pairs:
        with_question = pair.task != "support" or pair.kind == "short_answer" or rng.random() < QUESTION_SHARE
        ids, first_length = joined(tokenizer, pair.question if with_question else "", pair.first, pair.second)
        result.append(Row(pair, ids, first_length, marks(ids, first_length, digit_pieces)))
    return result


def length_batches(
    items: Sequence[T], length: Callable[[T], int], count: Callable[[T], int]
) -> Iterator[list[T]]:
    """Yield batches of about `BATCH_PIECES` pieces with items of similar length.

    Args:
        items: the items.
        length: returns the number of pieces of an item's longest row.
        count: returns the number of an item's rows.
    """
    batch: list[T] = []
    row_count = 0
    for item in sorted(items, key=length):
        if batch and length(item) * (row_count + count(item)) > BATCH_PIECES:
            yield batch
            batch, row_count = [], 0
        batch.append(item)
        row_count += count(item)
    if batch:
        yield batch


def batches(rows: Sequence[Row], rng: random.Random) -> Iterator[list[Row]]:
    """Yield batches of one task and similar length, in random order."""
    result: list[list[Row]] = []
    by_task: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_task[row.pair.task].append(row)
    for task_rows in by_task.values():
        rng.shuffle(task_rows)
        for start in range(0, len(task_rows), BUCKET_SIZE):
            result += length_batches(
                task_rows[start : start + BUCKET_SIZE], lambda row: len(row.ids), lambda _: 1
            )
    rng.shuffle(result)
    yield from result


@dataclass(slots=True)
class Group:
    """The clauses of one text, which share one label.

    Attributes:
        rows: each clause beside its evidence.
        supported: whether all of them are.
    """

    rows: list[Row]
    supported: bool


def encode_groups(groups: Sequence[ClauseGroup]) -> list[Group]:
    """Tokenise groups of clauses."""
    pairs = [
        Pair("support", group.source, group.writer, CLAUSE, "", *pair, LABELS["yes"])
        for group in groups
        for pair in group.pairs
    ]
    encoded = iter(encode_pairs(pairs))
    return [Group([next(encoded) for _ in group.pairs], group.supported) for group in groups]


def group_batches(groups: Sequence[Group], rng: random.Random) -> Iterator[list[Group]]:
    """Yield batches of groups of similar length, in random order."""
    shuffled = rng.sample(groups, len(groups))
    result = [
        batch
        for start in range(0, len(shuffled), BUCKET_SIZE)
        for batch in length_batches(
            shuffled[start : start + BUCKET_SIZE], _max_length, lambda group: len(group.rows)
        )
    ]
    rng.shuffle(result)
    yield from result


def _max_length(group: Group) -> int:
    return max(len(row.ids) for row in group.rows)


def tensors(batch: Sequence[Row]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return ids, segments, marks and the mask of pieces, each of shape (rows, length)."""
    length = max(len(row.ids) for row in batch)
    ids, segments, mark_ids, mask = (torch.zeros(len(batch), length, dtype=torch.long) for _ in range(4))
    for i, row in enumerate(batch):
        ids[i, : len(row.ids)] = torch.tensor(row.ids)
        segments[i, row.first_length : len(row.ids)] = 1
        mark_ids[i, : len(row.ids)] = torch.from_numpy(row.marks)
        mask[i, : len(row.ids)] = 1
    return ids, segments, mark_ids, mask


def outputs(model: Encoder, rows: Sequence[Row]) -> list[list[float]]:
    """Return the outputs for each row, in order."""
    model.eval()
    order = sorted(range(len(rows)), key=lambda i: (rows[i].pair.task, len(rows[i].ids)))
    by_index: dict[int, list[float]] = {}
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(order), 32):
            chunk = order[start : start + 32]
            for task in {rows[i].pair.task for i in chunk}:
                indices = [i for i in chunk if rows[i].pair.task == task]
                by_index |= zip(
                    indices, model(task, *tensors([rows[i] for i in indices])).float().tolist(), strict=True
                )
    model.train()
    return [by_index[i] for i in range(len(rows))]


def measure(model: Encoder, rows: Sequence[Row]) -> dict[str, float]:
    """Return the AUROC of each task on held-out rows, and the three-way accuracy on claims."""
    results = outputs(model, rows)
    figures: dict[str, float] = {}
    for task in {row.pair.task for row in rows}:
        indices = [i for i, row in enumerate(rows) if row.pair.task == task]
        logits = np.array([results[i] for i in indices])
        labels = np.array([rows[i].pair.label for i in indices])
        if task == "support":
            log_odds = logits[:, 2] - np.logaddexp(logits[:, 0], logits[:, 1])
            figures["support"] = auroc((labels == 2).astype(np.int64), log_odds)
            figures["three-way"] = float((logits.argmax(axis=1) == labels).mean())
        else:
            figures[task] = auroc(labels, logits[:, 0])
    return {key: round(value, 4) for key, value in sorted(figures.items())}


def batch_loss(model: Encoder, batch: Sequence[Row]) -> Tensor:
    """Return the mean loss of one batch; label 3 matches either verdict other than supported."""
    labels = torch.tensor([row.pair.label for row in batch])
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(batch[0].pair.task, *tensors(batch))
    if logits.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(logits[:, 0].float(), labels.float())
    log_p = logits.float().log_softmax(dim=1)
    log_p = torch.cat([log_p, log_p[:, :2].logsumexp(dim=1, keepdim=True)], dim=1)
    return functional.nll_loss(log_p, labels)


def group_loss(model: Encoder, batch: Sequence[Group]) -> Tensor:
    """Return the mean loss of a batch of groups; the probability of a text is the product of those of its clauses.

    On learning from labels of groups alone, with multiplied probabilities: Viola et al., "Multiple Instance Boosting
    for Object Detection" (NIPS 2005), section 3.
    """
    group_numbers = torch.tensor([i for i, group in enumerate(batch) for _ in group.rows])
    with torch.autocast("cpu", torch.bfloat16):
        logits = model("support", *tensors([row for group in batch for row in group.rows]))
    clause_log_p = logits.float().log_softmax(dim=1)[:, LABELS["yes"]]
    group_log_p = torch.zeros(len(batch)).index_add(0, group_numbers, clause_log_p).clamp(max=-1e-6)
    supported = torch.tensor([group.supported for group in batch])
    return -torch.where(supported, group_log_p, torch.log(-torch.expm1(group_log_p))).mean()


def freeze(model: Encoder, layers: int) -> None:
    """Freeze the embeddings and the lower layers of a model, and round the weights of these layers as in the package.

    This makes training cheaper and reduces forgetting.
    """
    for weight in (model.places, model.norm, model.distances, model.texts, model.marks):
        weight.requires_grad = False
    for layer in list(model.layers)[:layers]:
        layer.requires_grad_(requires_grad=False)
        for name in LINEAR_WEIGHTS:
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


def _steps(rows: Sequence[Row], groups: Sequence[Group], rng: random.Random) -> list[Step]:
    """Return the steps of one pass in random order: each pair once, each group `GROUP_PASSES` times."""
    steps = [Step(partial(batch_loss, batch=batch), len(batch)) for batch in batches(rows, rng)]
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


def train(
    model: Encoder,
    rows: Sequence[Row],
    groups: Sequence[Group],
    held_out_rows: Sequence[Row],
    schedule: Schedule,
) -> None:
    """Train with a decreasing learning rate, and save the averaged model and its figures every few minutes."""
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    base_weights = [weight for weight in weights if weight is not model.marks]
    optimiser = torch.optim.AdamW(base_weights, schedule.rate, weight_decay=0.01, fused=True)
    if model.marks.requires_grad:
        optimiser.add_param_group({"params": [model.marks], "fresh": MARKS_RATE})
    average = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(EMA_DECAY)
    )
    start_time, next_save, pairs_seen, step_count, losses = time.monotonic(), SAVE_INTERVAL, 0, 0, [0.0]
    rng, seconds = random.Random(step_count), schedule.minutes * 60
    while True:
        for step in _steps(rows, groups, rng):
            elapsed = time.monotonic() - start_time
            if elapsed >= next_save or elapsed >= seconds:
                next_save = elapsed + SAVE_INTERVAL
                _save(average.module, {"seconds": round(elapsed), "pairs": pairs_seen,
                              "loss": round(float(np.mean(losses)), 3),
                              **measure(average.module, held_out_rows)})  # fmt: skip
                losses.clear()
            if elapsed >= seconds:
                return
            for group in optimiser.param_groups:
                decay = 1 - (1 - schedule.end) * elapsed / seconds
                group["lr"] = (
                    schedule.rate * group.get("fresh", 1.0) * min(1.0, (step_count + 1) / 100) * decay
                )
            loss = step.loss(model)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            average.update_parameters(model)
            losses.append(loss.item())
            pairs_seen, step_count = pairs_seen + step.pairs, step_count + 1


def _save(model: Encoder, figures: dict[str, float]) -> None:
    with CURVE.open("a", encoding="utf-8") as file:
        file.write(json.dumps(figures) + "\n")
    torch.save(model.state_dict(), ENCODER)
    print(figures, flush=True)


def repeated(pairs: Sequence[Pair], shares: Mapping[str, float], rng: random.Random) -> list[Pair]:
    """Return the pairs, repeated or sampled by the share of their writer, else of their source."""
    groups: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.source, pair.writer].append(pair)
    result: list[Pair] = []
    for (source, writer), group in groups.items():
        repeats, fraction = divmod(shares.get(writer, shares.get(source, 1.0)), 1)
        result += int(repeats) * group + rng.sample(group, round(fraction * len(group)))
    return result


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
    all_pairs = load()
    held_out_pairs = [pair for pair in all_pairs if pair.writer in HELD_OUT]
    shares = {
        source: float(number) for source, _, number in (option.partition("=") for option in options.share)
    }
    if unknown := shares.keys() - {name for pair in all_pairs for name in (pair.source, pair.writer)}:
        parser.error(f"no pairs of {', '.join(sorted(unknown))}")
    training_pairs = repeated([pair for pair in all_pairs if pair.writer not in HELD_OUT], shares, rng)
    model = shipped(options.layers) if options.shipped else pretrained(options.layers)
    if options.again:
        model.load_state_dict(torch.load(ENCODER), strict=False)
    if options.frozen:
        freeze(model, options.frozen)
    model.rounding = options.rounding
    measured_pairs: list[Pair] = []
    for task in sorted({pair.task for pair in held_out_pairs}):
        task_pairs = [pair for pair in held_out_pairs if pair.task == task]
        measured_pairs += rng.sample(task_pairs, min(MAX_MEASURED, len(task_pairs)))
    groups = [group for group in load_groups() if group.writer not in HELD_OUT]
    schedule = Schedule(options.minutes, options.rate, options.end)
    train(model, encode_pairs(training_pairs), encode_groups(groups), encode_pairs(measured_pairs), schedule)


if __name__ == "__main__":
    main()
