"""Read test cases: one reader a format, one place where the field names of other tools are known.

Each plain file is a format, and has one function, `rows(source)`, that yields rows as it finds them, or a
`BadRow` in the place of a broken one. `_case` makes test cases of them; nothing else knows what a test case
is.
"""

from ragstone.datasets._load import BadRowWarning, Dataset, load_dataset, read_dataset, source_name
from ragstone.datasets._row import BadRow

__all__ = ["BadRow", "BadRowWarning", "Dataset", "load_dataset", "read_dataset", "source_name"]
