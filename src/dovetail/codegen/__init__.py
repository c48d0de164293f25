"""Code generation: device images in, code for drivers out. One folder for each kind of code."""

from dovetail.codegen.checking import check_targets
from dovetail.codegen.failures import CodeFailure, CodeRefused
from dovetail.codegen.generator import (
    NO_VALUES,
    BuildTarget,
    CodeGenerationError,
    CodeGenerator,
    InvalidCode,
    Values,
    code_key_parts,
    generators_of,
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
    "code_key_parts",
    "generators_of",
]
