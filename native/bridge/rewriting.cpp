#include "rewriting.h"

#include "module.h"

#include "llvm/Transforms/Utils/Cloning.h"

namespace dovetail {

using namespace llvm;

namespace {

Error inlineCalls(Function &F) {
  for (User *U : make_early_inc_range(F.users())) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledFunction() != &F)
      continue;
    InlineFunctionInfo Info;
    InlineResult Result = InlineFunction(*Call, Info);
    if (!Result.isSuccess())
      return createStringError("'" + F.getName() +
                               "' cannot be inlined: " + Result.getFailureReason());
  }
  return Error::success();
}

} // namespace

void inlineFunctions(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("inlining functions", [&](Module &M) -> Error {
    for (const std::string &Name : Names) {
      Expected<Function &> F = findDefinition(M, Name);
      if (!F)
        return F.takeError();
      if (Error Err = inlineCalls(*F))
        return Err;
      if (F->hasLocalLinkage() && F->use_empty())
        F->eraseFromParent();
    }
    return Error::success();
  });
}

} // namespace dovetail
