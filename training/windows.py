"""Claim and closest sentences of the evidence, as text: what a cross-encoder reads.

python -m training.windows           writes build/training/windows.jsonl
"""

import json
from collections.abc import Iterator

from ragstone.judges.local.support import support
from training.labelled_data import HELD_OUT, TRAINED, group_of, support_rows
from training.paths import SYNTHETIC, WINDOWS, folder

_SHORT = 250
"""Characters up to which a passage is read whole."""


def rows() -> Iterator[dict[str, object]]:
    """Yield every row of every set with the passage, or its closest sentences where the passage is long."""
    for name in (*TRAINED, "xsumfaith"):
        for row in support_rows(name):
            yield {"set": name, "test": row.test, "text": row.text, "window": _window(row.passages[0], row.text),
                   "label": row.label, "group": row.group}  # fmt: skip
    for line in SYNTHETIC.read_text("utf-8").splitlines():
        pair = json.loads(line)
        if pair["source"] in HELD_OUT:
            continue
        window = _window(pair["passage"], pair["text"])
        yield {"set": "synthetic", "source": pair["source"], "test": False, "text": pair["text"], "window": window,
               "label": pair["label"], "group": group_of(pair["passage"])}  # fmt: skip


def _window(passage: str, text: str) -> str:
    if len(passage) <= _SHORT:
        return passage
    found = support([text], [passage])[0]
    start, end = found.span or (0, _SHORT)
    return passage[start : max(end, start + 1)]


def main() -> None:
    """Write the rows."""
    folder()
    with WINDOWS.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows())


if __name__ == "__main__":
    main()
