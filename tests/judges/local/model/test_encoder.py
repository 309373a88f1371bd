"""The encoder in numpy: as the published network computes it, and the same for any company."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragstone.judges.local.model import encoder as module
from ragstone.judges.local.model.encoder import LENGTH, Task, TextPair, encoder, read_pairs
from ragstone.judges.local.model.recent_outputs import RecentOutputs

PASSAGE = "The pool opens at 7 a.m. from Tuesday to Sunday. It is closed on Mondays."


def test_the_outputs_are_as_many_as_the_task_has() -> None:
    tasks: tuple[tuple[Task, int], ...] = (
        ("support", 3),
        ("relevance", 1),
        ("usefulness", 1),
        ("correctness", 1),
    )
    for task, outputs in tasks:
        [found] = read_pairs(task, [TextPair("", "The pool is closed on Mondays.", PASSAGE)])
        assert len(found) == outputs
        assert np.isfinite(found).all()


def test_outputs_of_a_pair_do_not_depend_on_the_batch() -> None:
    one = TextPair("", "The pool opens at seven.", PASSAGE)
    [alone] = encoder().read("support", [one])
    others = [TextPair("", text, PASSAGE) for text in ("Something else.", "", PASSAGE * 9)]
    for company in ([one, *others], [*others, one], [others[0], one] * 4):
        found = encoder().read("support", company)
        assert [found[i].tolist() for i, pair in enumerate(company) if pair == one] == [
            alone.tolist()
        ] * company.count(one)


def test_many_pairs_are_read_in_their_order_and_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_outputs", RecentOutputs(module._REMEMBERED))
    pairs = [TextPair("", f"The pool opens at {hour}.", PASSAGE) for hour in (*range(20), *range(3))]
    together = read_pairs("support", pairs)
    assert together == [tuple(encoder().read("support", [pair])[0].tolist()) for pair in pairs]
    monkeypatch.setattr(module, "encoder", lambda: pytest.fail("a pair was read again"))
    assert read_pairs("support", pairs[::-1]) == together[::-1]


def test_long_texts_are_cut_to_the_length_of_the_network() -> None:
    words = "word " * 1000
    [whole] = encoder().read("support", [TextPair(words, words, words)])
    [fitting] = encoder().read("support", [TextPair("word " * 28, "word " * 64, "word " * LENGTH)])
    assert whole.tolist() == fitting.tolist()


def test_empty_texts_are_read() -> None:
    assert np.isfinite(read_pairs("support", [TextPair("", "", "")])).all()
    assert read_pairs("support", []) == []


def test_question_changes_the_outputs() -> None:
    questions = ("", "On which day is the pool closed?")
    bare, asked = read_pairs("support", [TextPair(question, "Monday.", PASSAGE) for question in questions])
    assert bare != asked


def test_marks_depend_on_pieces_of_the_other_text() -> None:
    numbers = np.zeros(2000, np.bool_)
    numbers[[1021, 1022]] = True
    first, second = [101, 7, 8, 1021, 9, 102], [8, 1021, 5, 9, 1022, 102]
    found = module.marks([*first, *second], len(first), numbers).tolist()
    # 7 is alone; 8 and 9 stand after other pieces; 1021 follows 8 in both; the number 1022 is in the second text only
    assert found == [0, 0, 1, 5, 1, 1, 1, 5, 0, 1, 3, 1]


def test_digit_pieces_are_numbers() -> None:
    assert module.digits(["7", "##330", "seven", "a7", "##st", "[SEP]"]).tolist() == [
        True,
        True,
        *[False] * 4,
    ]


def test_a_copy_and_a_changed_number_are_marked_apart() -> None:
    pieces, numbers = encoder().pieces, encoder().digits

    def marked(text: str) -> list[int]:
        pair, opening = module.joined(pieces, "", text, "The fee is 30 euros.")
        return module.marks(pair, opening, numbers)[1 : opening - 1].tolist()

    assert marked("The fee is 30 euros.") == [1, 2, 2, 5, 2, 2]
    assert marked("The fee is 40 euros.") == [1, 2, 2, 3, 1, 2]


def test_encoder_layer_equals_the_published_attention_formulas() -> None:
    """One layer of random weights against the formulas written out (Vaswani et al., arXiv:1706.03762)."""
    rng = np.random.default_rng(1)
    width, heads = 24, 12

    def made(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    qkv, output, inner, outer = (
        (made(inputs, outputs), made(outputs))
        for inputs, outputs in ((width, 3 * width), (width, width), (width, 4 * width), (4 * width, width))
    )
    lines: list[Any] = [lambda rows, own=own: rows @ own[0] + own[1] for own in (qkv, output, inner, outer)]
    gains = made(2, width), made(2, width)
    layer = module.EncoderLayer(lines[0], lines[1], gains[0], lines[2], lines[3], gains[1])
    hidden, distances = made(5, width), made(heads, 5, 5)

    def norm(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True) * weights[0] + weights[1]

    query, key, value = np.split(hidden @ qkv[0] + qkv[1], 3, axis=1)
    mixed = np.zeros_like(hidden)
    for head in range(heads):
        part = slice(2 * head, 2 * head + 2)
        scores = np.exp(query[:, part] @ key[:, part].T / np.sqrt(2) + distances[head])
        mixed[:, part] = scores / scores.sum(1, keepdims=True) @ value[:, part]
    after = norm(hidden + mixed @ output[0] + output[1], gains[0])
    x = after @ inner[0] + inner[1]
    activated = x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    wanted = norm(after + activated @ outer[0] + outer[1], gains[1])
    np.testing.assert_allclose(layer(hidden, distances, [len(hidden)]), wanted, rtol=2e-3, atol=2e-3)
    two = layer(np.concatenate([hidden, hidden[:3], hidden]), distances, [5, 3, 5], first_only=True)
    np.testing.assert_allclose(two[::2], wanted[[0, 0]], rtol=2e-3, atol=2e-3)


def test_near_distances_have_a_class_of_their_own_and_far_ones_share_theirs() -> None:
    classes = module.distance_classes(LENGTH)
    assert classes.diagonal().tolist() == [0] * LENGTH
    assert classes[7, :8].tolist() == [7, 6, 5, 4, 3, 2, 1, 0]  # the pieces before a place
    assert classes[0, :8].tolist() == [0, 17, 18, 19, 20, 21, 22, 23]  # those after it
    # from 8 on by the logarithm: 8 * 16 ** (k / 8) is where class 8 + k begins, as in T5's published buckets
    far = {8: 8, 11: 8, 12: 9, 16: 10, 23: 11, 32: 12, 64: 14, 91: 15, 128: 15, 175: 15}
    assert {distance: int(classes[distance, 0]) for distance in far} == far


def test_damaged_encoder_weights_raise_value_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / module.FILE).write_bytes(b"not the weights")
    (tmp_path / module.HASH_FILE).write_text("0" * 64)
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=r"damaged: sha256 of encoder.npz is .* install ragstone again"):
        module._arrays()
