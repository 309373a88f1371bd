"""Paths of intermediate files of training, and of the judge's weights."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "training"
PAIRS = BUILD / "pairs.jsonl"
CLAUSES = BUILD / "clauses.jsonl"
ENCODER = BUILD / "encoder.pt"
CHANCES = BUILD / "chances.npz"
READINGS = BUILD / "readings.jsonl"
DECISION = BUILD / "decision.npz"
CURVE = BUILD / "encoder.jsonl"
FEATURES = BUILD / "features.npz"
STAMPS = BUILD / "made_from.json"
MODELS = BUILD / "models.npz"
WEIGHTS = ROOT / "src" / "ragstone" / "judges" / "local"


def folder() -> Path:
    """Create the folder for intermediate files, and return it."""
    BUILD.mkdir(parents=True, exist_ok=True)
    return BUILD
