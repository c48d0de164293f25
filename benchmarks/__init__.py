"""Figures as ratios, both sides measured in one run: `make bench`, or `python -m benchmarks`."""
