"""The kinds of build steps, one module for each.

Importing these modules loads neither a compiler stage nor LLVM, since a build whose steps are all
cached needs only the records. `run` imports what it needs, or `preload` does while clang compiles.
"""
