"""Builds with injected faults."""
