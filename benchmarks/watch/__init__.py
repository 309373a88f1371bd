"""Simulations of the guarantees of a watch's statistics."""
