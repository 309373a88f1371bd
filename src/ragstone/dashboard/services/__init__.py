"""What the page keeps running: evaluations, live feeds, cached figures, uploads."""
