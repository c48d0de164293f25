"""Changed inputs for every reader: `python -m fuzz --help`, docs/security.md."""
