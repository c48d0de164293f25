"""The compilers of targets: where they are, which release, what they know, and running them.

One module a compiler. What one says of itself is asked once and kept, since every build asks.
"""
