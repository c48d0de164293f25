"""The compilers of targets: finding them, querying versions and supported devices, running them.

One module for each compiler. Results of queries are cached, since every build needs them.
"""
