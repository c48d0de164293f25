#include "members.h"
#include "properties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/TargetInfo.h"

using namespace clang;

namespace dovetail {

/// A backslash stands before what would mean something there.
static void write(std::string &out, llvm::StringRef text, llvm::StringRef special) {
  for (char each : text) {
    if (special.contains(each))
      out += '\\';
    out += each;
  }
}

static std::string annotationOf(const Properties &properties) {
  std::string text = "sycl-properties:";
  const char *separator = "";
  for (const auto &[name, value] : properties) {
    text += separator;
    write(text, name, ",=\\");
    if (!value.empty()) {
      text += "=";
      write(text, value, ",\\");
    }
    separator = ",";
  }
  return text;
}

void annotateMembers(TagDecl &tag, ASTContext &context) {
  auto *record = dyn_cast<RecordDecl>(&tag);
  // Of a template only the instances have code.
  if (!record || record->isDependentContext())
    return;
  bool isRead = context.getLangOpts().SYCLIsDevice && context.getTargetInfo().getTriple().isSPIRV();
  for (FieldDecl *field : record->fields()) {
    AttributeUses uses = attributesOf(*field);
    if (!anyTakesProperties(uses))
      continue;
    Properties properties = propertiesIn(uses, ofMember, context);
    dropOurs(*field);
    if (isRead && !properties.empty())
      field->addAttr(AnnotateAttr::CreateImplicit(context, annotationOf(properties), nullptr, 0,
                                                  field->getSourceRange()));
  }
}

} // namespace dovetail
