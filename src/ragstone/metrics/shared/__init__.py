"""Base classes and calculations that several metrics share."""
