"""Conversion of raw rows to test cases."""
