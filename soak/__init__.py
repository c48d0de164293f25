"""Load tests of the runtime: results must be correct, and memory must not grow."""
