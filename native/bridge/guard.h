// Runs LLVM so that neither a fatal error nor a crash inside it ends the process.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <type_traits>

namespace dovetail {

class ContextHandle;

/// Bytes of stack for what recurses over code. Memory that is not touched costs nothing.
constexpr unsigned DeepStack = 1u << 30;

/// Runs `work` with the context locked. IRErrors thrown by `work` pass through; LLVM's fatal
/// errors, crashes and error diagnostics become IRErrors, the first two after poisoning the
/// context. `step` completes the sentence "LLVM crashed while ...".
/// Deep work runs on a stack of its own, so large that LLVM's recursions over long code do not run
/// out of it; nothing could be recovered then.
void runGuarded(ContextHandle &Context, const char *Step, llvm::function_ref<void()> Work,
                bool IsDeep = false);

/// The same for work that has a result.
template <typename Callable>
auto guarded(ContextHandle &Context, const char *Step, Callable &&Work, bool IsDeep = false) {
  using ResultT = std::invoke_result_t<Callable>;
  if constexpr (std::is_void_v<ResultT>) {
    runGuarded(Context, Step, Work, IsDeep);
  } else {
    std::optional<ResultT> Result;
    runGuarded(Context, Step, [&] { Result.emplace(Work()); }, IsDeep);
    return std::move(*Result);
  }
}

} // namespace dovetail
