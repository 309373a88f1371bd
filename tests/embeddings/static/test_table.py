import hashlib

import numpy as np
from tests.testing.for_each import for_each

from ragstone.embeddings.static.table import FOLDER, NUMBERS, SCALES, VOCABULARY, load_static
from training import static_table

HASHES = {
    NUMBERS: "2a0b151bdff09bda0b6e26c2a83819d635acc0a903b457c1e42575ffda7a7a7d",
    SCALES: "19f22cfd8182ebce9bf88441f7f4ecf5c1b303bfec4dc26cbaee8085e32d4304",
    VOCABULARY: "608ca83fc874507e0ff72d0505dc39d9cc95b100e0ce979dbc1625aedd94b532",
}
"""The table is part of what a score means: another one would be another judge."""


def test_the_table_is_mapped_and_loaded_once() -> None:
    table = load_static()
    assert table.numbers.shape == (32_000, 256)
    assert len(table.pieces) == len(table.scales) == 32_000
    assert not table.numbers.flags.writeable
    assert load_static() is table


@for_each("name", HASHES)
def test_table_files_have_the_recorded_hashes(name: str) -> None:
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == HASHES[name]


def test_table_files_take_less_than_ten_megabytes() -> None:
    assert sum((FOLDER / name).stat().st_size for name in HASHES) < 10e6


def test_table_rows_equal_their_source_up_to_rounding() -> None:
    rows = np.array([[3, 278], [17, 31_999]])
    theirs = static_table.read_table(static_table.source())[rows]
    found = load_static().rows(rows)
    assert found.shape == (2, 2, 256)
    assert np.abs(found - theirs).max() <= np.abs(theirs).max() / 254 + 1e-6
