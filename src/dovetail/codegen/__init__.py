"""Code generation: device images in, code that a driver takes out. One folder a kind of code."""

from dovetail.codegen.checking import check_targets
from dovetail.codegen.failures import CodeFailure, CodeRefused
from dovetail.codegen.generator import (
    BuildTarget,
    CodeGenerationError,
    CodeGenerator,
    InvalidCode,
    generators_of,
    words_for,
)

__all__ = [
    "BuildTarget",
    "CodeFailure",
    "CodeGenerationError",
    "CodeGenerator",
    "CodeRefused",
    "InvalidCode",
    "check_targets",
    "generators_of",
    "words_for",
]
