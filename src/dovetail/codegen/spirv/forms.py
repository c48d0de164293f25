"""Forms of IR that LLVM's SPIR-V back-end compiles correctly; docs/llvm-spirv.md has its faults.

Each function below sees to one of them. None changes what code does.
"""

from collections.abc import Collection

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
    module.promote_integers()


def pass_by_reference(module: Module) -> None:
    """Have functions copy classes themselves that they take by value.

    Intel's CPU runtime makes wrong copies of small ones where it computes several work-items at
    once.
    """
    module.pass_by_reference()


def pin_variable_types(module: Module) -> None:
    """Have local variables keep their types, and with them their sizes.

    The back-end would declare a variable as what is read from its beginning, if that is a pointer.
    """
    module.pin_variable_types()


def pin_pointer_types(module: Module) -> None:
    """Leave nothing to deduce about what pointers point to."""
    module.pin_pointer_types()


def spill_negations(module: Module) -> None:
    """Have negated numbers that are needed behind a barrier go through memory.

    Intel's CPU runtime computes some values again behind barriers, and takes anything for the
    operand of a negation, or crashes.
    """
    module.spill_negations(("__spirv_ControlBarrier", "__spirv_Group"))


def use_common_vectors(module: Module, apart: Collection[str] = ()) -> None:
    """Compute with the elements of vectors of other lengths than powers of two up to 16.

    SPIR-V has none of 5 or of 32 elements. Of those of three Intel's CPU runtime loses elements
    where it computes several work-items at once and an index varies, or a function takes one; so
    such functions are inlined, too, unless they have to stay `apart`.
    """
    names = [
        function.name
        for function in module.functions()
        if not function.is_declaration
        and function.name not in apart
        and function.calling_convention != "spir_kernel"
        and any("<3 x " in text for text in (function.return_type, *function.parameter_types))
    ]
    if names:
        inlined = {"alwaysinline": "", "noinline": None, "optnone": None}
        module.set_function_attributes(dict.fromkeys(names, inlined))
        module.run_passes("always-inline")
    module.split_vectors((2, 4, 8, 16))


def use_no_vectors(module: Module) -> None:
    """Compute with the elements of all vectors."""
    module.split_vectors(())
