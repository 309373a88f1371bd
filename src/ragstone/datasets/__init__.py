"""Read test cases: one reader a format, one place where the field names of other tools are known.

Each plain file is a format, and has one function, `rows(source)`, that yields rows as it finds them, or a
`BadRow` in the place of a broken one. `_case` makes test cases of them; nothing else knows what a test case
is. For an object of another framework (`langchain`, `llama_index`, `haystack`) the function is `row(output)`, and
`from_…` beside it says what the output leaves open.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.datasets.haystack import from_haystack
    from ragstone.datasets.langchain import from_langchain
    from ragstone.datasets.llama_index import from_llama_index
    from ragstone.datasets.load import BadRowWarning, Dataset, load_dataset, read_dataset, source_name
    from ragstone.datasets.rows.row import BadRow
    from ragstone.datasets.traces import TraceDataset, from_traces

_PLACES = {
    "BadRow": "ragstone.datasets.rows.row",
    "BadRowWarning": "ragstone.datasets.load",
    "Dataset": "ragstone.datasets.load",
    "from_haystack": "ragstone.datasets.haystack",
    "from_langchain": "ragstone.datasets.langchain",
    "from_llama_index": "ragstone.datasets.llama_index",
    "TraceDataset": "ragstone.datasets.traces",
    "from_traces": "ragstone.datasets.traces",
    "load_dataset": "ragstone.datasets.load",
    "read_dataset": "ragstone.datasets.load",
    "source_name": "ragstone.datasets.load",
}

__all__ = [
    "BadRow",
    "BadRowWarning",
    "Dataset",
    "TraceDataset",
    "from_haystack",
    "from_langchain",
    "from_llama_index",
    "from_traces",
    "load_dataset",
    "read_dataset",
    "source_name",
]

__getattr__ = lazy_exports(__name__, _PLACES)
