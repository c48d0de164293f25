#include "members.h"
#include "properties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/TargetInfo.h"

using namespace clang;

namespace dovetail {

/// Appends text, with a backslash before special characters.
static void appendEscaped(std::string &Out, llvm::StringRef Text, llvm::StringRef Special) {
  for (char C : Text) {
    if (Special.contains(C))
      Out += '\\';
    Out += C;
  }
}

static std::string annotationOf(const Properties &Props) {
  std::string Text = "sycl-properties:";
  const char *Separator = "";
  for (const auto &[Name, Value] : Props) {
    Text += Separator;
    appendEscaped(Text, Name, ",=\\");
    if (!Value.empty()) {
      Text += "=";
      appendEscaped(Text, Value, ",\\");
    }
    Separator = ",";
  }
  return Text;
}

void annotateMembers(TagDecl &TD, ASTContext &Ctx) {
  auto *RD = dyn_cast<RecordDecl>(&TD);
  // No code is generated for templates.
  if (!RD || RD->isDependentContext())
    return;
  bool IsRead = Ctx.getLangOpts().SYCLIsDevice && Ctx.getTargetInfo().getTriple().isSPIRV();
  for (FieldDecl *Field : RD->fields()) {
    AttributeUses Uses = attributesOf(*Field);
    if (!containsPropertyList(Uses))
      continue;
    Properties Props = propertiesIn(Uses, MemberProperties, Ctx);
    dropSYCLAttributes(*Field);
    if (IsRead && !Props.empty())
      Field->addAttr(AnnotateAttr::CreateImplicit(Ctx, annotationOf(Props), nullptr, 0,
                                                  Field->getSourceRange()));
  }
}

} // namespace dovetail
