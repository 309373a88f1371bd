"""The measured programs: ragstone, and aiohttp alone. Those of the peers are in `benchmarks/peers`."""
