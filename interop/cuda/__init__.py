"""Kernels of ours on NVIDIA's driver, without any runtime of ours: is the machine code right?"""
