"""Forms of IR that LLVM's SPIR-V back-end compiles correctly; docs/llvm-spirv.md has its faults.

Each function below sees to one of them. None changes what code does.
"""

from contextlib import suppress

from dovetail.errors import IRError
from dovetail.ir import Module


def forget_memory_effects(module: Module) -> None:
    """Have no function promise what memory it touches.

    The back-end writes SPIR-V's `Const` for functions that read what their arguments point to, and
    `Const` promises that they do not. Drivers find out by themselves what is true.
    """
    names = (f.name for f in module.functions() if not f.name.startswith("llvm."))
    module.set_function_attributes({name: {"memory": None} for name in names})


def use_supported_integers(module: Module) -> None:
    """Have all integers have 1, 8, 16, 32 or 64 bits, as SPIR-V's kernels have them.

    The back-end takes the next wider type for others and computes with the bits that are not there.
    It also gives up over vectors of booleans that are taken for integers.
    """
    module.split_wide_integers()
    module.promote_integers()


def mask_widened_parts(module: Module) -> None:
    """Have masks be as wide as what they mask.

    The back-end takes `zext (trunc x)` for a mask of `x` that has the width of the result.
    """
    module.mask_widened_parts()


def pass_by_reference(module: Module) -> None:
    """Have functions copy classes themselves that they take by value.

    Intel's CPU runtime makes wrong copies of small ones where it computes several work-items at
    once.
    """
    module.pass_by_reference()


def copy_by_fields(module: Module) -> None:
    """Copy small classes field by field instead of as integers.

    Optimisers copy a class of 8 bytes as one integer. If a field of one byte is also read on its
    own, Intel's CPU runtime splits the integer, passes the rest to functions as an integer of 7
    bytes, and mixes up the bytes of work-items where it computes several at once.
    """
    module.copy_by_fields()


def pin_variable_types(module: Module) -> None:
    """Have local variables keep their types, and with them their sizes.

    The back-end would declare a variable as what is read from its beginning, if that is a pointer.
    """
    module.pin_variable_types()


def pin_pointer_types(module: Module) -> None:
    """Leave nothing to deduce about what pointers point to."""
    module.pin_pointer_types()


def hide_values(module: Module) -> None:
    """Hide values that drivers would fold wrongly behind a mask that they cannot compute.

    Everywhere: integers that become floating-point numbers, numbers that become `half`, and
    quotients that may be zero by zero; and signs of integers that may have wrapped around, which
    Intel's CPU runtime takes for linear functions of the work-item. Where work-items wait:
    negations too, because that runtime computes some values again after barriers, and takes
    anything for the operand of a negation, or crashes. Functions whose values are already hidden
    are left as they are.
    """
    module.hide_values(
        ("__spirv_ControlBarrier", "__spirv_Group"), query="_Z27__spirv_BuiltInGlobalOffseti"
    )


def use_common_vectors(module: Module) -> None:
    """Use vectors of 2, 4, 8 and 16 elements only, with constant indices.

    SPIR-V has no vectors of 5 or of 32 elements. Where Intel's CPU runtime vectorises, vectors of
    three lose elements, and so do other vectors at indices that are not constant. The back-end
    selects vectors by a single condition, which SPIR-V has only from 1.4 on.
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


def mark_lifetimes(module: Module) -> None:
    """Have each local variable begin and end its life in its function.

    Intel's CPU runtime initialises others once for all work-items of a work-group, where that is
    the same for all, and forgets it for those that it computes together.
    """
    module.mark_lifetimes()


def is_builtin(name: str) -> bool:
    """Whether the back-end makes instructions of calls to a function."""
    return name.startswith("llvm.") or "__spirv_" in name


def remove_dead_code(module: Module) -> None:
    """Remove what the back-end would leave out or fold.

    Its output could not be compared with the IR otherwise.
    """
    module.run_passes("function(unreachableblockelim,instsimplify,dce)")


def use_plain_constants(module: Module) -> None:
    """Make constants of class types arrays of bytes.

    The back-end gives up over the initial values of some classes with vectors and padding.
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
        # Those with addresses stay: their bytes are not known yet.
        with suppress(IRError):
            module.make_bytes([name])


def use_no_vectors(module: Module) -> None:
    """Compute with the elements of all vectors."""
    module.split_vectors(())
