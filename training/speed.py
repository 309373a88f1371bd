"""Start-up time, speed and memory of the judge.

python -m training.speed             one core; set OPENBLAS_NUM_THREADS=1 to be sure of it
python -m training.speed core        as without the extra `fast`
"""

import re
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ragstone.judges.local.model.linear import accelerated
from ragstone.judges.local.support import support
from training.labelled_data import Row, support_rows

_FIRST_VERDICT = """
import time
began = time.process_time(), time.perf_counter()
from ragstone.judges.local.support import support
support(["The bridge was opened in 1889."], ["The bridge was opened in 1889 and is 330 metres long."])
spent = time.process_time() - began[0], time.perf_counter() - began[1]
from training.speed import peak
print(f"first verdict after {spent[0]:.2f} s of CPU, {spent[1]:.2f} s of clock, {peak():.0f} MB")
"""
_WITHOUT_EXTRA = "import sys; sys.modules['onnxruntime'] = None"
CONTEXT_WORDS, CLAIMS_PER_CONTEXT, CONTEXTS = 300, 10, 40
MAX_OWN_CONTEXTS = 200
"""Maximum number of contexts that are measured with the claims made about them."""


def peak() -> float:
    """Return the peak memory of this program in MB; on Linux, without that of the process that started it."""
    status = Path("/proc/self/status")
    if status.exists() and (match := re.search(r"VmHWM:\s*(\d+) kB", status.read_text("ascii"))):
        return int(match[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def with_unrelated_claims(rows: Sequence[Row]) -> list[tuple[str, list[str]]]:
    """Return contexts with the same number of claims each, nearly all of which were made from other contexts."""
    words = " ".join(row.passages[0] for row in rows[:400]).split()
    texts = list(dict.fromkeys(row.text for row in rows))  # pairs are cached after the first reading
    return [
        (
            " ".join(words[i * CONTEXT_WORDS : (i + 1) * CONTEXT_WORDS]),
            texts[i * CLAIMS_PER_CONTEXT : (i + 1) * CLAIMS_PER_CONTEXT],
        )
        for i in range(CONTEXTS)
    ]


def with_own_claims(rows: Sequence[Row]) -> list[tuple[str, list[str]]]:
    """Return contexts, filled up with others, each with the claims that were made about it."""
    texts: dict[str, list[str]] = {}
    for row in rows:
        texts.setdefault(row.passages[0], []).append(row.text)
    passages = list(texts)
    filled = (
        " ".join(passages[i : i + CONTEXT_WORDS]).split()[:CONTEXT_WORDS] for i in range(MAX_OWN_CONTEXTS)
    )
    return [
        (" ".join(words), list(dict.fromkeys(texts[passage])))
        for passage, words in zip(passages, filled, strict=False)
    ]


def main() -> None:
    """Print the figures."""
    core = "core" in sys.argv
    if core:
        sys.modules["onnxruntime"] = None  # type: ignore[assignment]  (documented: its import fails)
    print(
        subprocess.run(  # noqa: S603 - our own text, above
            [sys.executable, "-c", _WITHOUT_EXTRA + _FIRST_VERDICT if core else _FIRST_VERDICT],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
    )
    rows = [row for row in support_rows("factcheckbench_stance") if not row.test]
    for name, contexts in (
        ("claims of other contexts", with_unrelated_claims(rows)),
        ("claims of these contexts", with_own_claims(rows)),
    ):
        start = time.process_time()
        for passage, texts in contexts:
            support(texts, [passage])
        seconds = time.process_time() - start
        count = sum(len(texts) for _, texts in contexts)
        print(
            f"{count / seconds:.0f} claims a second of CPU, {count} {name} of {CONTEXT_WORDS} words, "
            f"by {'onnxruntime' if accelerated() else 'numpy'}"
        )
    print(f"peak memory {peak():.0f} MB")


if __name__ == "__main__":
    main()
