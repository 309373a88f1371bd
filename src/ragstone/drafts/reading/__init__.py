"""Splitting of documents into passages; one module for each format."""
