"""Rewrites of IR into forms that LLVM's SPIR-V back-end and drivers compile correctly.

docs/llvm-spirv.md lists their bugs. Each function here works around one of them and preserves the
semantics of the code.
"""

from contextlib import suppress

from dovetail.errors import IRError
from dovetail.ir import Module

_GLOBAL_OFFSET = "_Z27__spirv_BuiltInGlobalOffseti"
"""Returns numbers whose highest bits are never set, which optimizers do not know."""
_UNIFORM_QUERIES = tuple(
    f"__spirv_BuiltIn{name}"
    for name in (
        "WorkgroupId",
        "WorkgroupSize",
        "EnqueuedWorkgroupSize",
        "NumWorkgroups",
        "GlobalSize",
        "GlobalOffset",
    )
)


def forget_memory_effects(module: Module) -> None:
    """Remove the `memory` attribute of all functions.

    The back-end emits SPIR-V's `Const` for functions that read memory through their arguments, but
    `Const` requires that they do not. Drivers analyze memory effects themselves.
    """
    names = (f.name for f in module.functions() if not f.name.startswith("llvm."))
    module.set_function_attributes({name: {"memory": None} for name in names})


def use_supported_integers(module: Module) -> None:
    """Replace integers by ones of 1, 8, 16, 32 or 64 bits, the widths of SPIR-V kernels.

    The back-end uses the next wider type for others and computes with undefined upper bits. It also
    fails for vectors of booleans that are bitcast to integers.
    """
    module.split_wide_integers()
    module.promote_integers()


def mask_widened_parts(module: Module) -> None:
    """Replace `zext (trunc x)` by a mask as wide as `x`.

    The back-end emits a mask of the result's width.
    """
    module.mask_widened_parts()


def pass_by_reference(module: Module) -> None:
    """Move copies of classes that are passed by value into the called functions.

    Intel's CPU runtime miscompiles copies of small classes where it vectorizes.
    """
    module.pass_by_reference()


def copy_by_fields(module: Module) -> None:
    """Copy small classes field by field instead of as integers.

    Optimizers copy a class of 8 bytes as one integer. If a field of one byte is also read by
    itself, Intel's CPU runtime splits the integer, passes the rest to functions as an integer of 7
    bytes, and where it vectorizes mixes up the bytes of work-items.
    """
    module.copy_by_fields()


def pin_variable_types(module: Module) -> None:
    """Prevent the back-end from changing the types, and thereby the sizes, of local variables.

    It would declare a variable with the type that is loaded from its start, if that is a pointer.
    """
    module.pin_variable_types()


def pin_pointer_types(module: Module) -> None:
    """Make pointee types explicit, so that the back-end deduces none."""
    module.pin_pointer_types()


def use_byte_pointers(module: Module) -> None:
    """Make all pointer parameters of functions, except kernels, pointers to bytes.

    LLVM's pointers are opaque, SPIR-V's have pointee types, which the back-end deduces across
    calls. So code for all devices could get a type from code for some devices, such as a pointer to
    `double`. Parameters with `byref` have the type of that attribute, without deduction.
    """
    module.set_byte_references(
        [
            each.name
            for each in module.functions()
            if not each.is_declaration and each.calling_convention != "spir_kernel"
        ]
    )


def hide_values(module: Module) -> None:
    """Combine values that drivers would fold wrongly with a mask that they cannot compute.

    In all functions: integers that are converted to floating point, numbers that are converted to
    `half`, and quotients that may be zero by zero; signs of integers that may have wrapped
    around, which Intel's CPU runtime treats as linear functions of the work-item; and minima,
    maxima and complements that its code generator confuses in vector registers. In functions
    with barriers: also negations, because that runtime recomputes some values after barriers, and
    then uses a wrong operand for a negation, or crashes. Functions whose values are already hidden
    are skipped.
    """
    module.hide_values(("__spirv_ControlBarrier", "__spirv_Group"), query=_GLOBAL_OFFSET)


def hide_loop_conditions(module: Module) -> None:
    """Make conditions in loops depend on the iteration, so that drivers do not duplicate the loops.

    If a condition is the same in all iterations but not for all work-items, Intel's CPU runtime
    moves it out of the loop, and where it vectorizes it then uses one of the two results for all
    work-items.
    """
    module.hide_loop_conditions(_UNIFORM_QUERIES, query=_GLOBAL_OFFSET)


def use_common_vectors(module: Module) -> None:
    """Replace vectors by ones of 2, 4, 8 or 16 elements with constant indices.

    SPIR-V has no vectors of 5 or 32 elements. Where Intel's CPU runtime vectorizes, vectors of
    three lose elements, and so do other vectors at variable indices. The back-end selects vectors
    by a scalar condition, which SPIR-V allows only since 1.4.
    """
    module.widen_vector_parameters(
        [
            function.name
            for function in module.functions()
            if function.calling_convention != "spir_kernel"
            and not is_builtin(function.name)
            and any("<3 x " in text for text in (function.return_type, *function.parameter_types))
        ]
    )
    module.expand_variable_indices()
    module.splat_conditions()
    module.split_vectors((2, 4, 8, 16))


def select_offsets(module: Module) -> None:
    """Select between offsets into a local variable instead of between addresses.

    Where Intel's CPU runtime vectorizes, loads of bytes from the selected address are wrong.
    """
    module.select_offsets()


def mark_lifetimes(module: Module) -> None:
    """Add lifetime markers to local variables.

    Without them, Intel's CPU runtime initializes a variable once for all work-items of a
    work-group if the value is uniform, and loses it for vectorized work-items.
    """
    module.mark_lifetimes()


def is_builtin(name: str) -> bool:
    """Return whether the back-end replaces calls of a function by instructions."""
    return name.startswith("llvm.") or "__spirv_" in name


def remove_dead_code(module: Module) -> None:
    """Remove code that the back-end would omit or fold, so that its output matches the IR."""
    module.run_passes("function(unreachableblockelim,instsimplify,dce)")


def use_plain_constants(module: Module) -> None:
    """Replace constants of class types by arrays of bytes.

    The back-end fails for the initializers of some classes with vectors and padding.
    """
    names = [
        variable.name
        for variable in module.global_variables()
        if variable.is_constant
        and variable.linkage in ("internal", "private")
        and not variable.is_declaration
        and variable.value_type.startswith(("{", "<{", "%"))
    ]
    for name in names:
        # Constants with addresses remain: their bytes are not known yet.
        with suppress(IRError):
            module.make_bytes([name])


def use_no_vectors(module: Module) -> None:
    """Replace all vector operations by operations on elements."""
    module.split_vectors(())
