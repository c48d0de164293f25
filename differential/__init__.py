"""Random kernels compared with the host; see docs/testing.md."""
