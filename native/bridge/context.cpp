#include "context.h"

#include "child.h"
#include "errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

/// Keeps LLVM's diagnostics for later; LLVM's own handler prints them and ends the process at the
/// first error.
class CollectingHandler final : public DiagnosticHandler {
public:
  explicit CollectingHandler(ContextHandle &Owner) : Owner(Owner) {}

  bool handleDiagnostics(const DiagnosticInfo &Diag) override {
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Diag.print(Printer);
    Text = json::fixUTF8(Text); // it may quote anything that the input holds
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
    (void)LLVM.release(); // destroying it could crash again
  LLVM.reset();
}

void ContextHandle::requireSound() const {
  if (Poisoned)
    throw IRError("LLVM failed in this context before; its modules cannot be used any more");
}

void ContextHandle::throwCollectedErrors() {
  if (Errors.empty())
    return;
  std::string Message = join(Errors, "\n");
  Errors.clear();
  throw IRError(Message);
}

std::vector<std::string> ContextHandle::takeWarnings() {
  std::lock_guard Lock(Mutex);
  return takeWarningsLocked();
}

} // namespace dovetail
