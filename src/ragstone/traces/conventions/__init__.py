"""One convention of attributes a file: what its attributes, in a span, say of the interaction.

Each file has a function `read(span, kind)` that returns fields of `SpanContent` by name; a field that the convention
does not tell is left out or None. `ragstone.traces.content` joins them.
"""
