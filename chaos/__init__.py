"""Builds under hostile conditions."""
