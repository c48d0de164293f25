#include "attributes.h"
#include "substitution.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

template <class Annotation> std::optional<AttributeUse> fromAnnotation(const Annotation &It) {
  StringRef Name = It.getAnnotation();
  if (!Name.consume_front(AnnotationPrefix))
    return std::nullopt;
  AttributeUse Use{Name, It.getLocation(), {}};
  for (const Expr *Arg : It.args())
    if (!isPlaceholder(*Arg, NoArgument))
      Use.Args.push_back(Arg);
  return Use;
}

} // namespace

StringRef currentName(StringRef Name) {
  return llvm::StringSwitch<StringRef>(Name)
      .Case("add_ir_function_attributes", FunctionProperties)
      .Case("add_ir_global_variable_attributes", VariableProperties)
      .Case("add_ir_kernel_parameter_attributes", ParameterProperties)
      .Case("add_ir_member_annotation", MemberProperties)
      .Default(Name);
}

bool isPropertyList(StringRef Name) {
  return Name == FunctionProperties || Name == VariableProperties || Name == ParameterProperties ||
         Name == MemberProperties;
}

bool hasAspectArguments(StringRef Name) {
  return Name == "device_has" || Name == "requires" || Name == "uses_aspects";
}

std::vector<const AnnotateAttr *> annotations(const Decl &D, StringRef AttrName) {
  std::vector<const AnnotateAttr *> Found;
  if (!D.hasAttrs())
    return Found;
  for (const auto *AA : D.specific_attrs<AnnotateAttr>()) {
    StringRef Name = AA->getAnnotation();
    if (Name.consume_front(AnnotationPrefix) && Name == AttrName)
      Found.push_back(AA);
  }
  return Found;
}

bool isMarkedExternal(const FunctionDecl &FD) {
  return FD.isExternallyVisible() && !annotations(FD, ExternalFunction).empty();
}

std::optional<AttributeUse> asSYCLAttribute(const Attr &A) {
  if (const auto *AA = dyn_cast<AnnotateAttr>(&A))
    return fromAnnotation(*AA);
  if (const auto *AA = dyn_cast<AnnotateTypeAttr>(&A))
    return fromAnnotation(*AA);
  return std::nullopt;
}

AttributeUses attributesOf(const Decl &D) {
  AttributeUses Uses;
  if (D.hasAttrs())
    for (const auto *AA : D.specific_attrs<AnnotateAttr>())
      if (auto Use = asSYCLAttribute(*AA))
        Uses.push_back(std::move(*Use));
  return Uses;
}

AttributeUses attributesOfAllDecls(const Decl &D) {
  // A redeclaration does not inherit an annotation if it has one of the same name.
  AttributeUses Uses = attributesOf(*D.getMostRecentDecl());
  for (const Decl *Other : D.redecls())
    for (AttributeUse &Use : attributesOf(*Other))
      if (llvm::none_of(Uses, [&](const AttributeUse &It) { return It.Loc == Use.Loc; }))
        Uses.push_back(std::move(Use));
  return Uses;
}

AttributeUses typeAttributes(const FunctionDecl &FD, Sema &S) {
  AttributeUses Uses;
  // The type as written: a deduced type may have lost the attributes.
  const TypeSourceInfo *Written = FD.getTypeSourceInfo();
  QualType T = Written ? Written->getType() : FD.getType();
  while (const auto *AT = dyn_cast<AttributedType>(T)) {
    if (const Attr *A = AT->getAttr())
      if (auto Use = asSYCLAttribute(*A)) {
        substituteArguments(*Use, FD, S);
        Uses.push_back(std::move(*Use));
      }
    T = AT->getModifiedType();
  }
  return Uses;
}

AttributeUses functionAttributes(const FunctionDecl &FD, Sema &S) {
  AttributeUses Uses = attributesOfAllDecls(FD);
  for (const FunctionDecl *Redecl : FD.redecls())
    llvm::append_range(Uses, typeAttributes(*Redecl, S));
  return Uses;
}

bool containsPropertyList(const AttributeUses &Attrs) {
  return llvm::any_of(Attrs, [](const auto &Use) { return isPropertyList(Use.Name); });
}

bool isPlaceholder(const Expr &Arg, StringRef Text) {
  const auto *Lit = dyn_cast<StringLiteral>(Arg.IgnoreParenImpCasts());
  return Lit && Lit->isOrdinary() && Lit->getString() == Text;
}

void dropSYCLAttributes(Decl &D) {
  if (!D.hasAttrs())
    return;
  AttrVec Others = D.getAttrs();
  llvm::erase_if(Others, [](const Attr *A) { return asSYCLAttribute(*A).has_value(); });
  D.dropAttrs();
  if (!Others.empty())
    D.setAttrs(Others);
}

} // namespace dovetail
