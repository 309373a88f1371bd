"""Services of the page that outlive a request: evaluations, live feeds, cached figures, uploads."""
