#include "spelling.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace dovetail {

static PrintingPolicy spelling(const ASTContext &context) {
  PrintingPolicy policy = context.getPrintingPolicy();
  policy.AnonymousTagLocations = false;
  return policy;
}

std::string quoted(QualType type, const ASTContext &context) {
  return "'" + type.getAsString(spelling(context)) + "'";
}

std::string nameOf(const FunctionDecl &function, const ASTContext &context) {
  std::string text;
  llvm::raw_string_ostream out(text);
  function.getNameForDiagnostic(out, spelling(context), /*Qualified=*/true);
  return text;
}

} // namespace dovetail
