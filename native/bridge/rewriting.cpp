#include "rewriting.h"

#include "errors.h"
#include "module.h"

#include "llvm/Transforms/Utils/Cloning.h"

namespace dovetail {

using namespace llvm;

void rewriteOrRestore(Function &F, function_ref<void()> Rewrite) {
  ValueToValueMapTy VMap;
  Function *Saved = CloneFunction(&F, VMap);
  try {
    Rewrite();
  } catch (const IRError &) {
    for (BasicBlock &BB : F)
      BB.dropAllReferences();
    while (!F.empty())
      F.back().eraseFromParent();
    F.splice(F.begin(), Saved);
    for (auto [Copy, Arg] : zip_equal(Saved->args(), F.args()))
      Copy.replaceAllUsesWith(&Arg);
    Saved->eraseFromParent();
    throw;
  }
  Saved->eraseFromParent();
}

void inlineFunctions(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("inlining functions", [&](Module &M) {
    for (const std::string &Name : Names) {
      Function &F = findDefinition(M, Name);
      for (User *U : make_early_inc_range(F.users())) {
        auto *Call = dyn_cast<CallBase>(U);
        if (!Call || Call->getCalledFunction() != &F)
          continue;
        InlineFunctionInfo Info;
        InlineResult Result = InlineFunction(*Call, Info);
        if (!Result.isSuccess())
          throw IRError("'" + Name + "' cannot be inlined: " + Result.getFailureReason());
      }
      if (F.hasLocalLinkage() && F.use_empty())
        F.eraseFromParent();
    }
  });
}

} // namespace dovetail
