"""Mutated modules for the SPIR-V reader."""
