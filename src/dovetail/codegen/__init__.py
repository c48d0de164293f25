"""Code generation: device images in, code that a driver takes out. One folder a kind of code."""

from dovetail.codegen.checking import check_targets
from dovetail.codegen.failures import CodeFailure, CodeRefused
from dovetail.codegen.generator import (
    NO_VALUES,
    BuildTarget,
    CodeGenerationError,
    CodeGenerator,
    InvalidCode,
    Values,
    generators_of,
    words_for,
)

__all__ = [
    "NO_VALUES",
    "BuildTarget",
    "CodeFailure",
    "CodeGenerationError",
    "CodeGenerator",
    "CodeRefused",
    "InvalidCode",
    "Values",
    "check_targets",
    "generators_of",
    "words_for",
]
