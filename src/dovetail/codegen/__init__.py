"""Code generation: device images in, code that a driver takes out. One folder a kind of code."""

from dovetail.codegen.generator import (
    BuildTarget,
    CodeGenerationError,
    CodeGenerator,
    InvalidCode,
    check_target,
    generators_of,
    joined_errors,
    words_for,
)

__all__ = [
    "BuildTarget",
    "CodeGenerationError",
    "CodeGenerator",
    "InvalidCode",
    "check_target",
    "generators_of",
    "joined_errors",
    "words_for",
]
