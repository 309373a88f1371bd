"""One process of an attack: it has a folder of its own, and tries parts of areas."""

import os
import sys
import tempfile
import time
import warnings
from importlib import import_module
from pathlib import Path
from random import Random

from benchmarks.attack.watch import Watch

_FOLDERS = ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
_WATCHES: list[Watch] = []


def begin(folder: str) -> None:
    """Give a process a folder of its own, in which alone it may write, and watch it."""
    own = Path(tempfile.mkdtemp(dir=folder))
    os.environ.update(dict.fromkeys(_FOLDERS, str(own)))
    os.environ["RAGSTONE_STORE"] = str(own / "default.sqlite3")
    os.chdir(own)
    tempfile.tempdir = str(own)
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    _WATCHES.append(Watch(own))
    _WATCHES[0].start()


def attack(name: str, seed: str, count: int) -> tuple[int, list[str], float]:
    """Return the number of inputs that were tried, the findings, and the seconds."""
    area = import_module(f"benchmarks.attack.areas.{name}").attempts
    begun, number, findings = time.monotonic(), 0, list[str]()
    with tempfile.TemporaryDirectory(prefix=f"{name}-") as folder:
        for attempt in area(Path(folder), Random(seed), count):
            number += 1
            found = _WATCHES[0].problem(attempt)
            if found:
                findings.append(f"{name} (seed {seed!r}, input {number}): {attempt[0]}: {found}")
    return number, findings, time.monotonic() - begun
