"""What an operator asks the page and the receiver of traces: `/healthz`, `/readyz` and `/metrics`."""
