#include "rewriting.h"

#include "errors.h"

#include "llvm/Transforms/Utils/Cloning.h"

namespace dovetail {

using namespace llvm;

void rewriteOrRestore(Function &function, function_ref<void()> rewrite) {
  ValueToValueMapTy map;
  Function *saved = CloneFunction(&function, map);
  try {
    rewrite();
  } catch (const IRError &) {
    for (BasicBlock &block : function)
      block.dropAllReferences();
    while (!function.empty())
      function.back().eraseFromParent();
    function.splice(function.begin(), saved);
    for (auto [copy, argument] : zip_equal(saved->args(), function.args()))
      copy.replaceAllUsesWith(&argument);
    saved->eraseFromParent();
    throw;
  }
  saved->eraseFromParent();
}

} // namespace dovetail
