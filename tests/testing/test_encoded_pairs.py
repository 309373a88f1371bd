"""The recording of what the encoder says is what it says."""

from random import Random

import pytest
from tests.testing.encoded_pairs import digest, made_with, recorded
from tests.testing.record_pairs import pairs, read


@pytest.fixture(scope="module")
def outputs() -> dict[bytes, tuple[float, ...]]:
    found = recorded()
    assert found, "the encoder has changed: python -m tests.testing.record_pairs"
    return found


def test_every_pair_is_recorded(outputs: dict[bytes, tuple[float, ...]]) -> None:
    assert {digest(pair) for pair in pairs()} == outputs.keys()


def test_encoder_output_equals_the_recording(outputs: dict[bytes, tuple[float, ...]]) -> None:
    sample = Random(made_with()).sample(pairs(), 40)
    for pair, said in read(sample):
        # another processor may round an input of a linear map to the next integer
        assert outputs[digest(pair)] == pytest.approx(said, abs=0.25)
