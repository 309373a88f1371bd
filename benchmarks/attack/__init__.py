"""Hostile inputs over whatever reads: the page, its API, judges' replies, datasets, specs, configuration, texts."""
