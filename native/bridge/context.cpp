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
  explicit CollectingHandler(ContextHandle &owner) : owner(owner) {}

  bool handleDiagnostics(const DiagnosticInfo &diagnostic) override {
    std::string text;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    diagnostic.print(printer);
    text = json::fixUTF8(text); // it may quote anything that the input holds
    if (diagnostic.getSeverity() == DS_Error)
      owner.errors.push_back(std::move(text));
    else if (diagnostic.getSeverity() == DS_Warning)
      owner.warnings.push_back(std::move(text));
    return true;
  }

private:
  ContextHandle &owner;
};

ContextHandle::ContextHandle() {
  std::shared_lock inside(insideLLVM());
  llvm = std::make_unique<LLVMContext>();
  llvm->setDiagnosticHandler(std::make_unique<CollectingHandler>(*this));
}

ContextHandle::~ContextHandle() {
  std::shared_lock inside(insideLLVM());
  if (poisoned)
    (void)llvm.release(); // destroying it could crash again
  llvm.reset();
}

void ContextHandle::requireSound() const {
  if (poisoned)
    throw IRError("LLVM failed in this context before; its modules cannot be used any more");
}

void ContextHandle::throwCollectedErrors() {
  if (errors.empty())
    return;
  std::string message = join(errors, "\n");
  errors.clear();
  throw IRError(message);
}

std::vector<std::string> ContextHandle::takeWarnings() {
  std::lock_guard lock(inUse);
  return takeWarningsLocked();
}

} // namespace dovetail
