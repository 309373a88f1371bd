"""File formats of a report: one module each, chosen by the file's suffix."""
