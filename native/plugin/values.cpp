#include "values.h"
#include "clang/AST/APValue.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace dovetail {

static bool isNumber(const APValue &Value) {
  return !Value.hasValue() || Value.isInt() || Value.isFloat() || Value.isFixedPoint();
}

void visitReferences(const APValue &Value, llvm::function_ref<void(const ValueDecl &)> Callback) {
  switch (Value.getKind()) {
  case APValue::LValue:
    if (const auto *Named = Value.getLValueBase().dyn_cast<const ValueDecl *>())
      Callback(*Named);
    else if (const auto *E = Value.getLValueBase().dyn_cast<const Expr *>())
      if (const auto *Temp = dyn_cast<MaterializeTemporaryExpr>(E))
        if (const APValue *Object = Temp->getOrCreateValue(/*MayCreate=*/false))
          visitReferences(*Object, Callback);
    return;
  case APValue::MemberPointer:
    if (const ValueDecl *Named = Value.getMemberPointerDecl())
      Callback(*Named);
    return;
  case APValue::Struct:
    for (unsigned I = 0; I < Value.getStructNumBases(); ++I)
      visitReferences(Value.getStructBase(I), Callback);
    for (unsigned I = 0; I < Value.getStructNumFields(); ++I)
      visitReferences(Value.getStructField(I), Callback);
    return;
  case APValue::Union:
    return visitReferences(Value.getUnionValue(), Callback);
  case APValue::Array:
    // Skip tables of numbers, which can be long.
    if (Value.getArrayInitializedElts() && isNumber(Value.getArrayInitializedElt(0)))
      return;
    for (unsigned I = 0; I < Value.getArrayInitializedElts(); ++I)
      visitReferences(Value.getArrayInitializedElt(I), Callback);
    if (Value.hasArrayFiller())
      visitReferences(Value.getArrayFiller(), Callback);
    return;
  default:
    return;
  }
}

} // namespace dovetail
