// Work-group scope: code that one work-item runs for its work-group.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// The functions that code at work-group scope calls. All are called with the same convention.
struct GroupScopeCalls {
  /// Called by all work-items of the group, with the arguments of its leader.
  std::vector<std::string> Collective;
  std::string Allocate; ///< (size, alignment): the offset of an allocation in the private frame
  std::string Frame;    ///< (): the work-item's own private frame
  std::string Barrier;  ///< (): waits for all work-items of the group; its calls are replaced
};

struct AddressSpaces {
  unsigned Local;
  unsigned Generic;
};

/// Rewrites functions at work-group scope, which all work-items of a group enter together, and
/// whose first parameter says whether the work-item is the leader:
/// - only the leader runs their code, except calls of collective functions, which all work-items
///   make after a barrier and leave before another;
/// - the leader decides branches around such calls for all;
/// - variables whose address escapes lie in local memory;
/// - private allocations get constant offsets in a frame that each work-item has.
/// Calls of functions that make collective calls must be inlined.
void lowerGroupScope(ModuleHandle &Handle, const std::vector<std::string> &Functions,
                     const GroupScopeCalls &Calls, AddressSpaces Spaces);

} // namespace dovetail
