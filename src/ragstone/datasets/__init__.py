"""Readers of test cases: one module per format, and one table of the field names of other tools.

The module of a file format has one function, `rows(source)`, that yields raw rows, or a `BadRow` in the place of a
broken one. `rows.cases` builds test cases from them; the readers do not depend on `TestCase`. For an object of
another framework (`langchain`, `llama_index`, `haystack`) the function is `row(output)`, and `from_…` beside it takes
the fields that the output lacks.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.datasets.haystack import from_haystack
    from ragstone.datasets.langchain import from_langchain
    from ragstone.datasets.llama_index import from_llama_index
    from ragstone.datasets.load import BadRowWarning, Dataset, load_dataset, read_dataset, source_name
    from ragstone.datasets.mapping import MappedDataset, with_columns
    from ragstone.datasets.rows.row import BadRow
    from ragstone.datasets.traces import TraceDataset, from_traces

_EXPORTS = {
    "BadRow": "ragstone.datasets.rows.row",
    "BadRowWarning": "ragstone.datasets.load",
    "Dataset": "ragstone.datasets.load",
    "from_haystack": "ragstone.datasets.haystack",
    "from_langchain": "ragstone.datasets.langchain",
    "from_llama_index": "ragstone.datasets.llama_index",
    "MappedDataset": "ragstone.datasets.mapping",
    "with_columns": "ragstone.datasets.mapping",
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
    "MappedDataset",
    "TraceDataset",
    "from_haystack",
    "from_langchain",
    "from_llama_index",
    "from_traces",
    "load_dataset",
    "read_dataset",
    "source_name",
    "with_columns",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
