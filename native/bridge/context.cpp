#include "context.h"

#include "child.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

/// Collects LLVM's diagnostics. LLVM's default handler prints them and exits at the first error.
class CollectingHandler final : public DiagnosticHandler {
public:
  explicit CollectingHandler(ContextHandle &Owner) : Owner(Owner) {}

  bool handleDiagnostics(const DiagnosticInfo &Diag) override {
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Diag.print(Printer);
    Text = json::fixUTF8(Text); // the input, which it may quote, can be anything
    if (Diag.getSeverity() == DS_Error)
      Owner.Errors.push_back(std::move(Text));
    else if (Diag.getSeverity() == DS_Warning)
      Owner.Warnings.push_back(std::move(Text));
    return true;
  }

private:
  ContextHandle &Owner;
};

ContextHandle::ContextHandle() {
  std::shared_lock LLVMLock(insideLLVM());
  LLVM = std::make_unique<LLVMContext>();
  LLVM->setDiagnosticHandler(std::make_unique<CollectingHandler>(*this));
}

ContextHandle::~ContextHandle() {
  std::shared_lock LLVMLock(insideLLVM());
  if (Poisoned)
    (void)LLVM.release(); // NOLINT(bugprone-unused-return-value): destruction could crash again
  LLVM.reset();
}

Error ContextHandle::checkUsable() const {
  if (Poisoned)
    return createStringError(
        "LLVM failed in this context before; its modules cannot be used any more");
  return Error::success();
}

Error ContextHandle::takeErrors() {
  if (Errors.empty())
    return Error::success();
  return createStringError(join(std::exchange(Errors, {}), "\n"));
}

std::vector<std::string> ContextHandle::takeWarnings() {
  std::lock_guard Lock(Mutex);
  return takeWarningsLocked();
}

} // namespace dovetail
