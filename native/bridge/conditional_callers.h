// Conditional callers: functions with an attribute whose body calls an action. Their last
// parameters, which the body does not use, are the condition. Their calls become conditional calls
// (conditional_calls.h), plain calls of the action, or no calls.
#pragma once

#include "conditional_calls.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dovetail {

struct ConditionalCallerRecord {
  std::string Name;
  /// The function that it calls. Set if it returns nothing and makes exactly one direct call, whose
  /// value it does not use.
  std::optional<std::string> Action;
  /// The number of calls in its body, except calls of intrinsics.
  unsigned CallCount;
  /// Whether anything except calls and compiler lists such as llvm.used refers to it.
  bool IsReferenced;
  /// Callers and their conditions, in the order of the code.
  std::vector<std::pair<std::string, ConditionRecord>> Calls;
};

/// Lists the conditional callers in module order.
std::vector<ConditionalCallerRecord> conditionalCallers(ModuleHandle &Handle,
                                                        const std::string &AttrName);

/// The replacement for a call of a caller with a condition: a conditional call of the named
/// function with another condition, a plain call of the action (true), or no call (false).
using Expansion = std::variant<bool, std::pair<std::string, Condition>>;
using ExpansionMap = std::map<std::pair<std::string, Condition>, Expansion>;

/// Inlines all conditional callers, including their computations with the arguments, expands their
/// calls, and erases the callers.
void expandConditionalCallers(ModuleHandle &Handle, const std::string &AttrName,
                              const ExpansionMap &Expansions);

} // namespace dovetail
