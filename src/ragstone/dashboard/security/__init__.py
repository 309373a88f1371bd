"""Authentication and login of the page."""
