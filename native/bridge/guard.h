// Runs LLVM so that neither a fatal error nor a crash inside it ends the process.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <type_traits>

namespace dovetail {

class ContextHandle;

/// Bytes of stack for what recurses over code. Memory that is not touched costs nothing.
constexpr unsigned deepStack = 1u << 30;

/// Runs `work` with the context locked. IRErrors thrown by `work` pass through; LLVM's fatal
/// errors, crashes and error diagnostics become IRErrors, the first two after poisoning the
/// context. `step` completes the sentence "LLVM crashed while ...".
/// Deep work runs on a stack of its own, so large that LLVM's recursions over long code do not run
/// out of it; nothing could be recovered then.
void runGuarded(ContextHandle &context, const char *step, llvm::function_ref<void()> work,
                bool isDeep = false);

/// The same for work that has a result.
template <class Work>
auto guarded(ContextHandle &context, const char *step, Work &&work, bool isDeep = false) {
  using Result = std::invoke_result_t<Work>;
  if constexpr (std::is_void_v<Result>) {
    runGuarded(context, step, work, isDeep);
  } else {
    std::optional<Result> result;
    runGuarded(context, step, [&] { result.emplace(work()); }, isDeep);
    return std::move(*result);
  }
}

} // namespace dovetail
