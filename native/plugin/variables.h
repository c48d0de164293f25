// The rules for global variables in device code.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class VarDecl;
} // namespace clang

namespace dovetail {

/// The rule that a variable violates, and an adjective for messages.
struct VariableViolation {
  llvm::StringRef Rule;
  llvm::StringRef What;
};

/// Returns why device code may not use a variable with static storage duration; nothing for
/// constants and for variables in device memory.
std::optional<VariableViolation> checkDeviceVariable(const clang::VarDecl &VD,
                                                     const clang::ASTContext &Ctx);

/// Returns the forbidden variables to which a constant refers, directly or through constants.
std::vector<const clang::VarDecl *> disallowedReferences(const clang::VarDecl &Constant,
                                                         const clang::ASTContext &Ctx);

} // namespace dovetail
