// Runs LLVM so that neither a fatal error nor a crash inside it ends the process.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <type_traits>
#include <utility>

namespace dovetail {

class ContextHandle;

/// The stack size in bytes for work that recurses over code. Untouched memory costs nothing.
constexpr unsigned DeepStackSize = 1u << 30;

/// Runs `Work` with the context locked. Throws an IRError if `Work` returns an error or LLVM
/// reports a fatal error, crashes or emits error diagnostics; a fatal error or crash also poisons
/// the context. `Step` completes the sentence "LLVM crashed while ...".
/// Deep work runs on a separate stack that is large enough for LLVM's recursion over long code,
/// because a stack overflow could not be recovered from.
void runGuarded(ContextHandle &Context, const char *Step, llvm::function_ref<llvm::Error()> Work,
                bool IsDeep = false);

template <typename T> struct IsExpected : std::false_type {};
template <typename T> struct IsExpected<llvm::Expected<T>> : std::true_type {};

/// Calls `Work` and returns its result as an Expected or, if it has no value, as an Error.
template <typename Callable> auto callFallible(Callable &&Work) {
  using ResultT = std::invoke_result_t<Callable>;
  if constexpr (std::is_void_v<ResultT>) {
    Work();
    return llvm::Error(llvm::Error::success());
  } else if constexpr (std::is_same_v<ResultT, llvm::Error> || IsExpected<ResultT>::value) {
    return Work();
  } else {
    return llvm::Expected<ResultT>(Work());
  }
}

/// Runs `Work` guarded and returns its value. `Work` may return an Expected, an Error, any other
/// type, or nothing.
template <typename Callable>
auto guarded(ContextHandle &Context, const char *Step, Callable &&Work, bool IsDeep = false) {
  using ResultT = decltype(callFallible(Work));
  if constexpr (std::is_same_v<ResultT, llvm::Error>) {
    runGuarded(Context, Step, [&] { return callFallible(Work); }, IsDeep);
  } else {
    std::optional<ResultT> Result;
    auto Store = [&] {
      Result.emplace(callFallible(Work));
      return Result->takeError();
    };
    runGuarded(Context, Step, Store, IsDeep);
    return std::move(**Result);
  }
}

} // namespace dovetail
