"""Average the weights of two training runs of the encoder (Wortsman et al., arXiv:2203.05482, section 2).

    python -m training.average FILE --share .6     .6 of build/training/encoder.pt and .4 of FILE

The mean ranks claims of new writers a little better than either, and loses less of what the earlier run had learnt.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from training.paths import ENCODER


def averaged(late: Mapping[str, Tensor], early: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """Return the mean of two sets of weights, with weight `share` for `late` and the rest for `early`.

    Raises:
        ValueError: they do not have the same names.
    """
    if late.keys() != early.keys():
        raise ValueError(f"not the same network: {sorted(late.keys() ^ early.keys())}")
    return {name: torch.lerp(early[name], weight, share) for name, weight in late.items()}


def main() -> None:
    """Replace the trained weights with the mean."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path, help="weights that `training.encoder` kept earlier")
    parser.add_argument("--share", type=float, default=0.5, help="of the later training")
    options = parser.parse_args()
    torch.save(averaged(torch.load(ENCODER), torch.load(options.file), options.share), ENCODER)


if __name__ == "__main__":
    main()
