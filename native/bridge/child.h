// Runs LLVM in a copy of this process.
//
// LLVM's SPIR-V back-end keeps global state between modules, keyed by addresses that are reused, so
// a second emission in the same process can be wrong. In a child each emission is the first. A
// crash affects only the child, and emissions can run at the same time.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <shared_mutex>
#include <string>

namespace dovetail {

class ContextHandle;

/// Runs `Work` in a child, which may leave its copy of the context's objects in any state, and
/// returns its result. Throws an IRError if `Work` returns an error or LLVM reports a fatal error
/// or crashes. The child's warnings are added to the context's. `Step` completes the sentence "LLVM
/// crashed while ...".
std::string runInChild(ContextHandle &Context, const char *Step,
                       llvm::function_ref<llvm::Expected<std::string>()> Work);

/// Every thread inside LLVM holds this mutex shared; forking holds it exclusively. A child inherits
/// the state of locks and would wait forever for one that another thread held. Always locked after
/// a context's mutex.
std::shared_mutex &insideLLVM();

} // namespace dovetail
