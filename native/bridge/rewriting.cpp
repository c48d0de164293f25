#include "rewriting.h"

#include "errors.h"
#include "module.h"

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

void inlineFunctions(ModuleHandle &module, const std::vector<std::string> &names) {
  module.use("inlining functions", [&](llvm::Module &ir) {
    for (const std::string &name : names) {
      Function &function = findDefinition(ir, name);
      for (User *user : make_early_inc_range(function.users())) {
        auto *call = dyn_cast<CallBase>(user);
        if (!call || call->getCalledFunction() != &function)
          continue;
        InlineFunctionInfo info;
        InlineResult result = InlineFunction(*call, info);
        if (!result.isSuccess())
          throw IRError("'" + name + "' cannot be inlined: " + result.getFailureReason());
      }
      if (function.hasLocalLinkage() && function.use_empty())
        function.eraseFromParent();
    }
  });
}

} // namespace dovetail
