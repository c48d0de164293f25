"""Code generation: device images in, code for drivers out. One folder for each kind of code."""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.codegen.checking import check_targets as check_targets
    from dovetail.codegen.failures import CodeFailure as CodeFailure, CodeRefused as CodeRefused
    from dovetail.codegen.generator import (
        NO_VALUES as NO_VALUES,
        BuildTarget as BuildTarget,
        CodeGenerationError as CodeGenerationError,
        CodeGenerator as CodeGenerator,
        InvalidCode as InvalidCode,
        Values as Values,
        code_key_parts as code_key_parts,
        generators_of as generators_of,
    )
