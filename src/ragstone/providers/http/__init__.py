"""HTTP for every provider: session, endpoint, transport, retries, errors."""
