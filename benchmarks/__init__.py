"""Benchmarks as ratios of two sides that run in turns: `make bench` or `python -m benchmarks`."""
