"""The kernel beside an image's own ones that reads and writes the image's device globals.

No driver is sure to let a program reach variables of device code; all of them start kernels. So
each image that has device globals of ours gets one that copies bytes between memory and a variable
of the image. The runtime sets pointers with it once, when it has built the image, and copies values
with it that are in the image itself.
"""

from collections.abc import Iterator, Sequence

from dovetail.errors import CompileError, IRError
from dovetail.image import ManagedGlobal
from dovetail.ir import Module, demangle, link_text
from dovetail.postlink.device_globals import Variable
from dovetail.targets.ir_family import IRFamily, family_name

_ADDRESS_SIZE = 8

_ACCESSOR = """
{declarations}

define spir_kernel void @"{accessor}"(ptr addrspace(1) %memory, i32 %variable, i64 %offset,
                                    i64 %length, i64 %stride, i32 %writes) {{
  %item = call spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %row = udiv i64 %item, %length
  %column = urem i64 %item, %length
  %jump = mul i64 %row, %stride
  %far = add i64 %jump, %column
  %place = add i64 %far, %offset
  switch i32 %variable, label %end [
{cases}
  ]
{blocks}
found:
  %base = phi i64 {bases}
  %address = add i64 %base, %place
  %there = inttoptr i64 %address to ptr addrspace(1)
  %here = getelementptr i8, ptr addrspace(1) %memory, i64 %item
  %is_write = icmp ne i32 %writes, 0
  br i1 %is_write, label %write, label %read
write:
  %given = load i8, ptr addrspace(1) %here
  store i8 %given, ptr addrspace(1) %there
  br label %end
read:
  %kept = load i8, ptr addrspace(1) %there
  store i8 %kept, ptr addrspace(1) %here
  br label %end
end:
  ret void
}}
declare spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32) nounwind
"""


def needs_accessor(module: Module) -> bool:
    """Whether variables of an image need one; where others make programs of it, they do not."""
    return family_name(module.triple) == IRFamily.SPIRV64


def add_accessor(module: Module, variables: Sequence[Variable], entry: str) -> str:
    """Add the kernel and hide the variables from other images; return the kernel's symbol.

    `entry` is an entry point that no other image has: images may be linked with each other.
    """
    accessor = f"__dovetail_device_globals_of_{entry}"
    link_text(module, _text(accessor, [each.symbol for each in variables]), "accessor")
    module.set_linkage({each.symbol: "internal" for each in variables})
    # Pointers are set before any kernel runs, to values that the runtime has set. A variable that
    # starts with nothing would be one of another module to some compilers.
    pointers = [each.symbol for each in variables if not each.described.has_image_scope]
    module.make_zero(pointers)
    return accessor


def _text(accessor: str, symbols: Sequence[str]) -> str:
    numbered = list(enumerate(symbols))
    return _ACCESSOR.format(
        accessor=accessor,
        # What stands for a variable need not have its type.
        declarations="\n".join(
            f'@"{symbol}" = external addrspace(1) global i8' for symbol in symbols
        ),
        cases="\n".join(f"    i32 {number}, label %is.{number}" for number, _ in numbered),
        blocks="\n".join(
            f"is.{number}:\n"
            f'  %base.{number} = ptrtoint ptr addrspace(1) @"{symbol}" to i64\n'
            f"  br label %found"
            for number, symbol in numbered
        ),
        bases=", ".join(f"[ %base.{number}, %is.{number} ]" for number, _ in numbered),
    )


def managed_globals(
    module: Module, variables: Sequence[Variable], *, in_image: bool = True
) -> Iterator[ManagedGlobal]:
    """What the runtime has to know of variables; their numbers are their places in the list."""
    sizes = {each.name: each.size for each in module.global_variables()}
    for number, variable in enumerate(variables):
        if variable.stride < variable.described.size or sizes[variable.symbol] % variable.stride:
            raise IRError(
                f"{module.name}: variable '{variable.symbol}': {variable.stride} is no size of an"
                " element of it"
            )
        yield ManagedGlobal(
            variable.described.identifier,
            variable.described.size,
            sizes[variable.symbol] // variable.stride,
            variable.stride,
            variable.described.has_image_scope,
            number if in_image else None,
            b"" if variable.described.has_image_scope else _initial_values(module, variable),
        )


def _initial_values(module: Module, variable: Variable) -> bytes:
    try:
        data = module.initial_bytes(variable.symbol)
    except IRError as error:
        (name,) = demangle([variable.symbol])
        raise CompileError(
            f"{module.name}: error: device global '{name}' does not begin with a constant:"
            f" {error.message}",
            hint="let the host or a kernel set what is an address",
        ) from None
    size, stride = variable.described.size, variable.stride
    # Behind the pointer, in its own alignment: what is left of an element once its size is rounded.
    place = stride - -(-size // _ADDRESS_SIZE) * _ADDRESS_SIZE
    values = b"".join(data[start + place :][:size] for start in range(0, len(data), stride))
    return values if any(values) else b""
