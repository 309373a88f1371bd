"""What every metric is made of: the base class, its score, its spec, the catalogue."""
