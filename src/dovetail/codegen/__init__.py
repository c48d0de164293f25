"""Code generation: device images in, code for drivers out. One folder for each kind of code."""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.codegen.checking import check_targets as check_targets
    from dovetail.codegen.failures import CodeFailure as CodeFailure
    from dovetail.codegen.failures import CodeRefused as CodeRefused
    from dovetail.codegen.generator import (
        NO_VALUES as NO_VALUES,
    )
    from dovetail.codegen.generator import (
        BuildTarget as BuildTarget,
    )
    from dovetail.codegen.generator import (
        CodeGenerationError as CodeGenerationError,
    )
    from dovetail.codegen.generator import (
        CodeGenerator as CodeGenerator,
    )
    from dovetail.codegen.generator import (
        InvalidCode as InvalidCode,
    )
    from dovetail.codegen.generator import (
        Values as Values,
    )
    from dovetail.codegen.generator import (
        code_key_parts as code_key_parts,
    )
    from dovetail.codegen.generator import (
        generators_of as generators_of,
    )
