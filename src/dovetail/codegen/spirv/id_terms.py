"""Rewrite sums so that each work-item id occurs at most once.

Intel's CPU runtime miscompiles some vectorized sums in which an id occurs more than once, such as
`~get_local_id(0) - get_local_id(0)`, or `(get_global_id(0) + 1) * 2 + get_local_id(0)`, since
global ids are computed from local ones: results are wrong from the second vector of a work-group
on. A multiple of an id plus terms without it is compiled correctly.
"""

from dovetail.codegen.spirv.forms import is_builtin
from dovetail.ir import Function, Module, link_definitions

_GLOBAL_ID = "_Z33__spirv_BuiltInGlobalInvocationIdi"
_LOCAL_ID = "_Z32__spirv_BuiltInLocalInvocationIdi"
_COMPUTED = "__dovetail.global_id"

# Not `WorkgroupSize`: the last work-group may be smaller than the others.
_DEFINITION = f"""
declare spir_func i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32)
declare spir_func i64 @_Z36__spirv_BuiltInEnqueuedWorkgroupSizei(i32)
declare spir_func i64 @{_LOCAL_ID}(i32)
declare spir_func i64 @_Z27__spirv_BuiltInGlobalOffseti(i32)
define linkonce_odr spir_func i64 @{_COMPUTED}(i32 %dimension) {{
  %group = call spir_func i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32 %dimension)
  %size = call spir_func i64 @_Z36__spirv_BuiltInEnqueuedWorkgroupSizei(i32 %dimension)
  %local = call spir_func i64 @{_LOCAL_ID}(i32 %dimension)
  %offset = call spir_func i64 @_Z27__spirv_BuiltInGlobalOffseti(i32 %dimension)
  %start = mul i64 %group, %size
  %first = add i64 %start, %offset
  %id = add i64 %first, %local
  ret i64 %id
}}
"""


def collect_id_terms(module: Module) -> None:
    """Rewrite sums in which an id occurs more than once."""
    _compute_global_ids(module)
    module.collect_id_terms((_GLOBAL_ID, _LOCAL_ID))


def _compute_global_ids(module: Module) -> None:
    """Replace queries for the global id if the module, or one linked with it, uses local ids."""
    functions = module.functions()
    names = {function.name for function in functions}
    if _GLOBAL_ID not in names:
        return
    if _LOCAL_ID not in names and not any(map(_is_shared, functions)):
        return
    module.rename({_GLOBAL_ID: _COMPUTED})
    link_definitions(module, _DEFINITION, "global ids")
    module.set_linkage({_COMPUTED: "internal"})
    module.inline_functions([_COMPUTED])


def _is_shared(function: Function) -> bool:
    """Return whether a function is called across modules."""
    if function.is_declaration:
        return not is_builtin(function.name)
    return function.calling_convention != "spir_kernel" and function.linkage != "internal"
