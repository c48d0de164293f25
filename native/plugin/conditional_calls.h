// Calls under a condition on the device.
//
// A conditional caller is a function with the attribute
//
//   [[__sycl_detail__::add_ir_attributes_function("sycl-call-if-on-device-conditionally", true)]]
//
// It calls its first parameter, the action, and does nothing else. Its other arguments encode the
// condition as numbers. Passes extract the action, so that the call itself becomes conditional.
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class FunctionDecl;
class Sema;
} // namespace clang

namespace dovetail {

using Condition = std::vector<int64_t>;

bool isConditionalCaller(const clang::FunctionDecl &FD, const clang::ASTContext &Ctx);

/// Returns the condition of a call of a conditional caller; nothing if a number is not constant.
std::optional<Condition> conditionOf(const clang::CallExpr &Call, const clang::ASTContext &Ctx);

/// Checks that passes can extract the action of a conditional caller. Reports errors at `CallLocs`,
/// the calls in user code that lead to the caller, if these cause the error, otherwise at the
/// caller.
void checkConditionalCaller(const clang::FunctionDecl &Caller,
                            llvm::ArrayRef<clang::SourceLocation> CallLocs, clang::Sema &S);

void reportNonConstantCondition(clang::SourceLocation CallLoc, clang::Sema &S);

} // namespace dovetail
