"""Checks machine code for NVIDIA's GPUs with the CUDA driver only, without Dovetail's runtime."""
