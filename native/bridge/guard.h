// Runs LLVM so that neither a fatal error nor a crash inside it ends the process.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <type_traits>

namespace dovetail {

class ContextHandle;

/// Runs `work` with the context locked. IRErrors thrown by `work` pass through; LLVM's fatal
/// errors, crashes and error diagnostics become IRErrors, the first two after poisoning the
/// context. `step` completes the sentence "LLVM crashed while ...".
void runGuarded(ContextHandle &context, const char *step, llvm::function_ref<void()> work);

/// The same for work that has a result.
template <class Work> auto guarded(ContextHandle &context, const char *step, Work &&work) {
  using Result = std::invoke_result_t<Work>;
  if constexpr (std::is_void_v<Result>) {
    runGuarded(context, step, work);
  } else {
    std::optional<Result> result;
    runGuarded(context, step, [&] { result.emplace(work()); });
    return std::move(*result);
  }
}

} // namespace dovetail
