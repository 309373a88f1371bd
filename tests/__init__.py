"""A package, so that no other package of this name comes before it."""
