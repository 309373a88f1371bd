"""Public names of the package: each can be imported, and late imports keep numpy out of the import."""

import subprocess
import sys

import pytest

from ragstone import stats


def test_every_public_name_is_importable() -> None:
    assert all(getattr(stats, name) is not None for name in stats.__all__)
    assert sorted(stats.__all__) == sorted(dir(stats))
    listed = [name for names in stats._MODULES.values() for name in names]
    assert sorted(listed) == sorted(stats.__all__)
    with pytest.raises(AttributeError, match="no attribute 'rumour'"):
        stats.rumour  # noqa: B018 - the access is what is tested


def test_importing_stats_does_not_import_numpy() -> None:
    code = "import sys, ragstone.stats; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
