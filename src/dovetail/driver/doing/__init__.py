"""Doing steps, one module for each group of phases.

A build whose steps are all kept does nothing, so these modules, and LLVM with some of them, are
loaded when the first step that needs one is done. `ways` has the table.
"""
