"""Requests and responses of the page's API."""
