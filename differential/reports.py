"""Saves faulty kernels as standalone programs that check their results."""

from __future__ import annotations

from pathlib import Path

from differential.checking import Fault
from differential.model import Kernel
from differential.sources import standalone_source


def save(fault: Fault, folder: Path, seed: int, original: Kernel) -> Path:
    """Write a program with the faulty kernel and return its path."""
    kind = fault.kind.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}-seed{seed}-kernel{original.number}-O{fault.config.level}.cpp"
    options = f"-fsycl -O{fault.config.level} -fsycl-optional-features={fault.config.design}"
    setting = "" if fault.config.vectorizer else "CL_CONFIG_CPU_VECTORIZER_MODE=1 "
    comment = (
        f"{fault.kind}: seed {seed}, kernel {original.number}, {fault.config}\n"
        f"{setting}dovetail run {options} {path.name}\n"
        f"{fault.detail}"
    )
    clang_vectors = fault.config.clang_vectors
    text = standalone_source(fault.kernel, comment=comment, clang_vectors=clang_vectors)
    path.write_text(text)
    return path
