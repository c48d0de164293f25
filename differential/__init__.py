"""Random kernels compared with the host: `python -m differential --help`, docs/differential-testing.md."""
