"""Fuzzing of every reader: `python -m fuzz --help`, docs/security.md."""
