"""Requests to judges: how an answer is requested, parsed, stored and identified."""
