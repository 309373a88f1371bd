"""Extraction of facts from passages by rules; one module for each form of statement."""
