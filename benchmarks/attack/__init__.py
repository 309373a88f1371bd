"""Hostile inputs for all readers: the page, its API, judges' replies, datasets, specs, configuration, texts."""
