"""The kinds of build steps, one module for each.

Importing one loads no compiler and no LLVM: a build whose steps are all cached needs the records
only. What `run` needs is imported in it, or by `preload` while the step's inputs are being made.
"""
