// Types and lifetimes of local variables, which code generators must not change.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Converts local variables to byte arrays, accessed by pointers to bytes, unless they are only
/// loaded and stored as their declared type. LLVM's SPIR-V back-end deduces pointee types from uses
/// and, if a variable is used as another type, declares it as that type.
void pinVariableTypes(ModuleHandle &Handle);

/// Adds lifetime markers that cover the whole function to local variables without markers.
void markLifetimes(ModuleHandle &Handle);

/// Replaces all uses of pointers that are not computed from others by pointers to bytes, so that
/// the back-end has nothing to deduce.
void pinPointerTypes(ModuleHandle &Handle);

} // namespace dovetail
