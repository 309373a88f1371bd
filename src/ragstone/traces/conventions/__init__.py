"""Attribute conventions of spans, one module for each convention.

Each module has a function `read(span, kind)` that returns fields of `SpanContent` by name; a field that the convention
does not record is left out or None. `ragstone.traces.content` merges them.
"""
