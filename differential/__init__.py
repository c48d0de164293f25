"""Random kernels compared with the host; see docs/differential-testing.md."""
