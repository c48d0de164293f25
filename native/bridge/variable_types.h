// Local variables: their types and lifetimes, which code generators must not change.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Makes a local variable an array of bytes, used through a pointer to bytes, unless it is only
/// read and written as what it is declared as. LLVM's SPIR-V back-end deduces what pointers point
/// to from how they are used and, if a variable is used as something else than its type says,
/// declares it as that.
void pinVariableTypes(ModuleHandle &Handle);

/// Has local variables without a lifetime live from the beginning of their function to its end.
void markLifetimes(ModuleHandle &Handle);

/// Has all pointers that are not computed from others used through pointers to bytes, so that there
/// is nothing left to deduce.
void pinPointerTypes(ModuleHandle &Handle);

} // namespace dovetail
