#include "debug_owners.h"

namespace dovetail {

using namespace llvm;

DICompileUnit *DebugOwners::ownerOf(const DIGlobalVariableExpression *variable,
                                    const llvm::Module &source) {
  if (!owners) {
    owners.emplace();
    for (DICompileUnit *unit : source.debug_compile_units())
      for (DIGlobalVariableExpression *listed : unit->getGlobalVariables())
        owners->try_emplace(listed, unit);
  }
  return owners->lookup(variable);
}

} // namespace dovetail
