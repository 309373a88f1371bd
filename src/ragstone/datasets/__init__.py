"""Readers of test cases: one module per format, and one table of the field names of other tools.

The module of a file format has one function, `rows(source)`, that yields raw rows, or a `BadRow` in the place of a
broken one. `rows.cases` builds test cases from them; the readers do not depend on `TestCase`. For an object of
another framework (`langchain`, `llama_index`, `haystack`) the function is `row(output)`, and `from_…` beside it takes
the fields that the output lacks.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.datasets.haystack import from_haystack as from_haystack
    from ragstone.datasets.langchain import from_langchain as from_langchain
    from ragstone.datasets.llama_index import from_llama_index as from_llama_index
    from ragstone.datasets.load import BadRowWarning as BadRowWarning
    from ragstone.datasets.load import Dataset as Dataset
    from ragstone.datasets.load import load_dataset as load_dataset
    from ragstone.datasets.load import read_dataset as read_dataset
    from ragstone.datasets.load import source_name as source_name
    from ragstone.datasets.mapping import MappedDataset as MappedDataset
    from ragstone.datasets.mapping import with_columns as with_columns
    from ragstone.datasets.rows.row import BadRow as BadRow
    from ragstone.datasets.traces import TraceDataset as TraceDataset
    from ragstone.datasets.traces import from_traces as from_traces

_MODULES = {
    "haystack": ("from_haystack",),
    "langchain": ("from_langchain",),
    "llama_index": ("from_llama_index",),
    "load": ("BadRowWarning", "Dataset", "load_dataset", "read_dataset", "source_name"),
    "mapping": ("MappedDataset", "with_columns"),
    "rows.row": ("BadRow",),
    "traces": ("TraceDataset", "from_traces"),
}
"""The public names of each module."""

_EXPORTS = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}

__all__ = list(_EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]  (the names imported above)

__getattr__ = lazy_exports(__name__, _EXPORTS)
