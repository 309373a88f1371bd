import subprocess
import sys

import ragstone


def test_public_names_are_sorted_and_there() -> None:
    assert ragstone.__all__ == sorted(ragstone.__all__)
    assert all(getattr(ragstone, name) is not None for name in ragstone.__all__)


def test_importing_it_imports_nothing_heavy() -> None:
    heavy = ("pydantic", "numpy", "aiohttp", "rich", "click")
    code = f"import ragstone, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
