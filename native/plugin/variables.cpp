#include "variables.h"
#include "values.h"
#include "variable_properties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace dovetail {

namespace {

/// Whether the source specifies the location of a variable in device memory.
bool isDeviceMemory(const VarDecl &VD, const ASTContext &Ctx) {
  if (VD.getType().getAddressSpace() != LangAS::Default)
    return true;
  return hasVariableProperties(VD, Ctx);
}

bool isConstant(const VarDecl &VD, const ASTContext &Ctx) {
  QualType T = VD.getType().getNonReferenceType();
  if (!Ctx.getBaseElementType(T).isConstQualified())
    return false;
  const VarDecl *Initialized = VD.getInitializingDeclaration();
  // Devices do not run destructors of global variables.
  return Initialized && Initialized->hasConstantInitialization() &&
         VD.needsDestruction(Ctx) == QualType::DK_none;
}

} // namespace

std::optional<VariableViolation> checkDeviceVariable(const VarDecl &VD, const ASTContext &Ctx) {
  if (VD.getTLSKind() != VarDecl::TLS_None)
    return VariableViolation{"thread-local", "thread-local"};
  if (VD.isConstexpr() || isDeviceMemory(VD, Ctx) || isConstant(VD, Ctx))
    return std::nullopt;
  return VariableViolation{"global-variable", "non-constant"};
}

std::vector<const VarDecl *> disallowedReferences(const VarDecl &Constant, const ASTContext &Ctx) {
  llvm::SmallSetVector<const VarDecl *, 4> Reached;
  Reached.insert(&Constant);
  std::vector<const VarDecl *> Disallowed;
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    const VarDecl *Initialized = Reached[Next]->getInitializingDeclaration();
    if (Next && checkDeviceVariable(*Reached[Next], Ctx))
      Disallowed.push_back(Reached[Next]);
    else if (Initialized && Initialized->hasConstantInitialization())
      if (const APValue *Value = Initialized->evaluateValue())
        visitReferences(*Value, [&](const ValueDecl &Named) {
          if (const auto *VD = dyn_cast<VarDecl>(&Named); VD && VD->hasGlobalStorage())
            Reached.insert(VD->getCanonicalDecl());
        });
  }
  return Disallowed;
}

} // namespace dovetail
