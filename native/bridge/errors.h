// Errors: llvm::Error and llvm::Expected inside the bridge, IRError at its border to Python.
#pragma once

#include "llvm/Support/Error.h"

#include <stdexcept>
#include <utility>

namespace dovetail {

/// What functions that Python calls throw. Python sees dovetail.errors.IRError.
struct IRError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void throwOnError(llvm::Error Err) {
  if (Err)
    throw IRError(llvm::toString(std::move(Err)));
}

template <typename T> T valueOrThrow(llvm::Expected<T> Value) {
  throwOnError(Value.takeError());
  return std::move(*Value);
}

} // namespace dovetail
