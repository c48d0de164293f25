// Calls that are made on some devices alone.
//
// A conditional caller is a function with the attribute
//
//   [[__sycl_detail__::add_ir_attributes_function("sycl-call-if-on-device-conditionally", true)]]
//
// All that it does is call its first parameter, the action; its other arguments are the numbers of
// the condition. Passes take the action out of it, so the call itself becomes conditional.
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

bool isConditionalCaller(const clang::FunctionDecl &function, const clang::ASTContext &context);

/// The condition of a call of such a function; nothing if one of its numbers is not a constant.
std::optional<Condition> conditionOf(const clang::CallExpr &call, const clang::ASTContext &context);

/// Reports what keeps passes from taking the action out of a conditional caller: at the calls that
/// lead there from the user's code if these are to blame, else where the function is.
void checkConditionalCaller(const clang::FunctionDecl &caller,
                            llvm::ArrayRef<clang::SourceLocation> calls, clang::Sema &sema);

void reportVariableCondition(clang::SourceLocation call, clang::Sema &sema);

} // namespace dovetail
