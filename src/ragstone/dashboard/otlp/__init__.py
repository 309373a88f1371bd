"""Receives traces by OTLP over HTTP: a separate application on a separate port."""
