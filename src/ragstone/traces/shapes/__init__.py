"""Parsers of attribute values: JSON texts, messages, documents, and texts under many names."""
