"""The programs that are measured here: ragstone, and aiohttp alone. Those of the peers stand in `benchmarks/peers`."""
