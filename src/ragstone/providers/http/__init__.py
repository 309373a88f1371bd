"""HTTP: endpoints, sessions, retries, failures, and the transport that all providers of a run share."""
