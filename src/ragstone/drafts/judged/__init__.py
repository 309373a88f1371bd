"""Drafting with a language model: writing and checking of questions."""
