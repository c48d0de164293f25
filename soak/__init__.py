"""Load on the runtime for as long as one likes: right results, and memory that does not grow."""
