#include "spelling.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace dovetail {

static PrintingPolicy spelling(const ASTContext &Ctx) {
  PrintingPolicy Policy = Ctx.getPrintingPolicy();
  Policy.AnonymousTagLocations = false;
  return Policy;
}

std::string quoted(QualType T, const ASTContext &Ctx) {
  return "'" + T.getAsString(spelling(Ctx)) + "'";
}

std::string nameOf(const FunctionDecl &FD, const ASTContext &Ctx) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  FD.getNameForDiagnostic(OS, spelling(Ctx), /*Qualified=*/true);
  return Text;
}

} // namespace dovetail
