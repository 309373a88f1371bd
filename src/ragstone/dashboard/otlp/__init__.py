"""Receives traces by OTLP over HTTP: an application of its own, on a port of its own."""
