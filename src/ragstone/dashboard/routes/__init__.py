"""One module per page or resource of the API."""
