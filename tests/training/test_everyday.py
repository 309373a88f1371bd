import gzip
import json
from pathlib import Path

from training import everyday


def test_everyday_lines_report_each_kind(tmp_path: Path) -> None:
    row = {"context": ["The bridge is 330 metres long."], "subset": "bridges", "kind": "copy"}
    right = {**row, "text": "The bridge is 330 metres long.", "label_raw": "yes"}
    wrong = {
        **row,
        "text": "The bridge is 450 metres long.",
        "label_raw": "no",
        "kind": "number",
    }
    path = tmp_path / "claims.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, [right] * 10 + [wrong] * 10)).encode()))
    first, *kinds = everyday.lines(path)
    assert first.startswith("everyday claims, 20 claims: decided 1.000, right 1.000 ")
    assert [line.split()[0] for line in kinds] == ["copy", "number"]
