"""Who may use the page: authentication and login."""
