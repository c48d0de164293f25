"""Dovetail beside Intel's SYCL: its headers take our examples, its runtime our program files."""
