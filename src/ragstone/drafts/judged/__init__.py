"""Drafting with a language model: what it writes, and what it checks."""
