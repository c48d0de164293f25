// Conditional calls: calls of a declaration with a given attribute. They represent calls of another
// function, the action, that are made if a condition holds:
//
//   call void @conditionally(ptr @action, ARGUMENTS OF THE ACTION..., i32 N1, i32 N2, ...)
//
// The integers are the condition. The bridge does not interpret them.
#pragma once

#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Module;
class StringRef;
class Use;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

using Condition = std::vector<int32_t>;

/// A condition in code. An integer that is not constant is nullopt.
struct ConditionRecord {
  std::vector<std::optional<int32_t>> Numbers;
};

struct ConditionalCallRecord {
  std::string Caller;
  std::string Callee;
  std::string Action;
  ConditionRecord Cond;
};

/// Lists the conditional calls in the order of the module's code.
std::vector<ConditionalCallRecord> conditionalCalls(ModuleHandle &Handle,
                                                    const std::string &AttrName);

/// Actions with conditions, and the functions to call instead, or nullopt for no call.
using ConditionalTargets = std::map<std::pair<std::string, Condition>, std::optional<std::string>>;

/// Replaces the listed conditional calls by calls of their targets, and removes those without a
/// target. A target that is not in the module is declared like the action.
void rewriteConditionalCalls(ModuleHandle &Handle, const std::string &AttrName,
                             const ConditionalTargets &Targets);

/// Whether the use is the action of a conditional call. Always false if the attribute is empty.
bool isAction(const llvm::Use &U, llvm::StringRef AttrName);

/// Returns the calls of functions with the attribute, either of definitions or of declarations, in
/// the order of the code.
std::vector<llvm::CallInst *> callsOfMarked(llvm::Module &M, llvm::StringRef AttrName,
                                            bool AreDefined);

/// Returns the integers that are passed from argument `Start` on.
llvm::Expected<ConditionRecord> readCondition(const llvm::CallBase &Call, unsigned Start);
/// Returns the same integers, or an error if one is not constant.
llvm::Expected<Condition> readConstantCondition(const llvm::CallBase &Call, unsigned Start);

/// Replaces a direct call by a conditional call with the callee as the action.
void makeConditional(llvm::CallInst &Call, llvm::Function &Conditional, const Condition &Cond);
/// Removes a call whose value is not needed.
void removeCall(llvm::CallBase &Call);

} // namespace dovetail
