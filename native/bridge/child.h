// Runs LLVM in a copy of this process.
//
// LLVM's SPIR-V back-end keeps global state from one module to the next, keyed by addresses that
// are used again, so that a second emission in one process can come out wrong. In a child each one
// is the first. A crash is the child's alone, and emissions can run at the same time.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <shared_mutex>
#include <string>

namespace dovetail {

class ContextHandle;

/// Returns what `work` returns in the child, which may spoil its copy of the context's objects.
/// IRErrors, fatal errors and crashes in the child become IRErrors here; its warnings join the
/// context's. `step` completes the sentence "LLVM crashed while ...".
std::string runInChild(ContextHandle &Context, const char *Step,
                       llvm::function_ref<std::string()> Work);

/// Held shared by every thread that is inside LLVM, and alone at the moment of forking: a child
/// inherits locks as they are, and would wait forever for one that another thread held.
/// Always taken after a context's own lock.
std::shared_mutex &insideLLVM();

} // namespace dovetail
