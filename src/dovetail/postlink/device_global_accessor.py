"""The accessor kernel, which copies bytes between memory and the device globals of its image.

Few drivers give access to variables in device code, but all can start kernels. So each image with
Dovetail's device globals gets an accessor kernel. The runtime uses it once after building the
image, to set the pointers of device globals, and to copy values that are in the image itself.
"""

from collections.abc import Iterator, Sequence

from dovetail.errors import CompileError, IRError
from dovetail.image import ManagedGlobal
from dovetail.ir import Module, demangle, link_definitions
from dovetail.postlink.device_globals import Variable
from dovetail.targets.ir_family import IRFamily, family_name

_ADDRESS_SIZE = 8

_ACCESSOR = """
{declarations}

define {convention} void @"{accessor}"(ptr addrspace(1) %memory, i32 %variable, i64 %offset,
                                    i64 %length, i64 %stride, i32 %writes) {{
{item}
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
"""

_SPIRV_ITEM = "  %item = call spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)"
_SPIRV_DECLARATIONS = "declare spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32) nounwind"

# The pass that defines built-in functions has run already.
_NVPTX_ITEM = """
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %member = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %group, %size
  %number = add i32 %first, %member
  %item = zext i32 %number to i64
"""
_NVPTX_DECLARATIONS = """
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def needs_accessor(module: Module) -> bool:
    """Return whether an image needs an accessor: those for AMD's GPUs do not."""
    return family_name(module.triple) in (IRFamily.SPIRV64, IRFamily.NVPTX64)


def add_accessor(module: Module, variables: Sequence[Variable], entry: str) -> str:
    """Add the accessor, make the variables internal, and return the accessor's symbol.

    The symbol is derived from `entry`, an entry point of only this image, because images may be
    linked with each other.
    """
    accessor = f"__dovetail_device_globals_of_{entry}"
    is_nvptx = family_name(module.triple) == IRFamily.NVPTX64
    text = _text(accessor, [each.symbol for each in variables], is_nvptx=is_nvptx)
    link_definitions(module, text, "accessor")
    module.set_linkage({each.symbol: "internal" for each in variables})
    # The runtime sets pointers before any kernel runs. They need an initializer, because some
    # compilers treat a variable without one as a declaration.
    pointers = [each.symbol for each in variables if not each.described.has_image_scope]
    module.make_zero(pointers)
    return accessor


def _text(accessor: str, symbols: Sequence[str], *, is_nvptx: bool) -> str:
    numbered = list(enumerate(symbols))
    return _ACCESSOR.format(
        accessor=accessor,
        convention="ptx_kernel" if is_nvptx else "spir_kernel",
        item=_NVPTX_ITEM if is_nvptx else _SPIRV_ITEM,
        # Declarations do not need the variables' types.
        declarations="\n".join(
            [
                _NVPTX_DECLARATIONS if is_nvptx else _SPIRV_DECLARATIONS,
                *(f'@"{symbol}" = external addrspace(1) global i8' for symbol in symbols),
            ]
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
    """Yield the properties that the runtime needs of variables, numbered by index."""
    sizes = {each.name: each.size for each in module.global_variables()}
    for number, variable in enumerate(variables):
        if variable.stride < variable.described.size or sizes[variable.symbol] % variable.stride:
            raise IRError(
                f"{module.name}: variable '{variable.symbol}': {variable.stride} is not the size of"
                " an element"
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
    """Return the initial values of all elements, or nothing if all are zero."""
    try:
        data = module.initial_bytes(variable.symbol)
    except IRError as error:
        (name,) = demangle([variable.symbol])
        raise CompileError(
            f"{module.name}: error: the initial value of device global '{name}' is not a constant:"
            f" {error.message}",
            hint="set addresses from the host or a kernel",
        ) from None
    size, stride = variable.described.size, variable.stride
    # An element starts with the pointer and ends with the initial value, padded to 8 bytes.
    place = stride - -(-size // _ADDRESS_SIZE) * _ADDRESS_SIZE
    values = b"".join(data[start + place :][:size] for start in range(0, len(data), stride))
    return values if any(values) else b""
