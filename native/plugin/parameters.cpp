#include "parameters.h"
#include "attributes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace {

uint64_t sizeOf(QualType T, const ASTContext &Context) {
  return Context.getTypeSizeInChars(T).getQuantity();
}

/// The only field of a class that has no bases and no virtual functions, else null.
const FieldDecl *onlyField(const RecordDecl &R) {
  const auto *Class = dyn_cast<CXXRecordDecl>(&R);
  if (Class && (Class->getNumBases() || Class->isPolymorphic()))
    return nullptr;
  auto Field = R.field_begin();
  if (Field == R.field_end() || std::next(Field) != R.field_end())
    return nullptr;
  return *Field;
}

/// NumPy's code for a scalar type; a class that holds one scalar and nothing else counts as that
/// scalar (sycl::half is one). Empty for everything else.
std::string encodingOf(QualType T, const ASTContext &Context) {
  T = T.getCanonicalType();
  if (T->isIncompleteType())
    return "";
  uint64_t Size = sizeOf(T, Context);
  if (T->isBooleanType())
    return "b1";
  if ((T->isIntegerType() || T->isEnumeralType()) && Size <= 8)
    return (T->isUnsignedIntegerOrEnumerationType() ? "u" : "i") + std::to_string(Size);
  if (T->isHalfType() || T->isFloat16Type())
    return "f2";
  if (T->isSpecificBuiltinType(BuiltinType::Float))
    return "f4";
  if (T->isSpecificBuiltinType(BuiltinType::Double))
    return "f8";
  if (const RecordDecl *R = T->getAsRecordDecl())
    if (const FieldDecl *Only = onlyField(*R))
      if (!Only->isBitField() && sizeOf(Only->getType(), Context) == Size)
        return encodingOf(Only->getType(), Context);
  return "";
}

/// Walks a class passed by value: its plain fields, and its parts that need an argument of their
/// own.
class ObjectWalk {
public:
  ObjectWalk(const ASTContext &Context, dovetail::ParameterFact &Fact)
      : Context(Context), Fact(Fact) {}

  void walk(const RecordDecl &R) {
    record(R, 0, "");
    if (!AllFieldsPlain)
      Fact.Fields.clear();
  }

private:
  void record(const RecordDecl &R, uint64_t Offset, const std::string &Prefix) {
    const ASTRecordLayout &Layout = Context.getASTRecordLayout(&R);
    if (const auto *Class = dyn_cast<CXXRecordDecl>(&R)) {
      AllFieldsPlain &= !Class->isPolymorphic() && !Class->isUnion() && !Class->getNumVBases();
      for (const CXXBaseSpecifier &Base : Class->bases())
        base(Base, Layout, Offset, Prefix);
    }
    for (const FieldDecl *Field : R.fields()) {
      uint64_t Bits = Layout.getFieldOffset(Field->getFieldIndex());
      if (Field->isBitField())
        AllFieldsPlain = false;
      else
        part(Field->getType(), Offset + Context.toCharUnitsFromBits(Bits).getQuantity(),
             Prefix + Field->getNameAsString());
    }
  }

  void base(const CXXBaseSpecifier &Base, const ASTRecordLayout &Layout, uint64_t Offset,
            const std::string &Prefix) {
    if (Base.isVirtual())
      return; // has no fixed place
    const CXXRecordDecl *Class = Base.getType()->getAsCXXRecordDecl();
    uint64_t At = Offset + Layout.getBaseClassOffset(Class).getQuantity();
    if (!argument(Base.getType(), At))
      record(*Class, At, Prefix);
  }

  void part(QualType T, uint64_t Offset, const std::string &Name) {
    if (const ConstantArrayType *Array = Context.getAsConstantArrayType(T))
      return array(*Array, Offset, Name);
    if (argument(T, Offset))
      return;
    if (std::string Encoding = encodingOf(T, Context); !Encoding.empty()) {
      // Lambda captures have no names.
      AllFieldsPlain &= !Name.empty();
      Fact.Fields.push_back({Name, Offset, Encoding, 1});
    } else if (const RecordDecl *R = T->getAsRecordDecl())
      record(*R, Offset, Name.empty() ? "" : Name + ".");
    else
      AllFieldsPlain = false;
  }

  void array(const ConstantArrayType &Array, uint64_t Offset, const std::string &Name) {
    uint64_t Count = Context.getConstantArrayElementCount(&Array);
    QualType Element = Context.getBaseElementType(&Array);
    if (std::string Encoding = encodingOf(Element, Context); !Encoding.empty()) {
      AllFieldsPlain &= !Name.empty();
      Fact.Fields.push_back({Name, Offset, Encoding, Count});
      return;
    }
    AllFieldsPlain = false;
    // Arrays of pointers have nothing to find, however long they are.
    if (Element->getAsRecordDecl())
      for (uint64_t I = 0; I < Count; ++I)
        part(Element, Offset + I * sizeOf(Element, Context), Name);
  }

  bool argument(QualType T, uint64_t Offset) {
    const RecordDecl *R = T->getAsRecordDecl();
    if (!R)
      return false;
    auto Marks = dovetail::annotations(*R, "kernel_argument");
    if (Marks.empty())
      return false;
    AllFieldsPlain = false;
    std::string Kind;
    if (Marks[0]->args_size())
      Kind = (*Marks[0]->args_begin())
                 ->tryEvaluateString(const_cast<ASTContext &>(Context))
                 .value_or("");
    Fact.Members.push_back(
        {Kind, Offset, sizeOf(T, Context), T.getAsString(Context.getPrintingPolicy())});
    return true;
  }

  const ASTContext &Context;
  dovetail::ParameterFact &Fact;
  bool AllFieldsPlain = true;
};

} // namespace

dovetail::ParameterFact dovetail::describeParameter(const ParmVarDecl &Parameter,
                                                    const ASTContext &Context) {
  QualType T = Parameter.getType();
  ParameterFact Fact;
  Fact.Name = Parameter.getNameAsString();
  Fact.Type = T.getAsString(Context.getPrintingPolicy());
  Fact.Size = sizeOf(T, Context);
  Fact.Align = Context.getTypeAlignInChars(T).getQuantity();
  if (T->isPointerType()) {
    QualType Pointee = T->getPointeeType();
    Fact.Kind = "pointer";
    Fact.Encoding = encodingOf(Pointee, Context);
    Fact.Writable = !Pointee.isConstQualified();
    return Fact;
  }
  Fact.Encoding = encodingOf(T, Context);
  Fact.Kind = Fact.Encoding.empty() ? "object" : "scalar";
  if (const RecordDecl *R = T->getAsRecordDecl(); R && Fact.Encoding.empty())
    ObjectWalk(Context, Fact).walk(*R);
  return Fact;
}

std::string dovetail::signatureOf(const FunctionDecl &F, const ASTContext &Context) {
  PrintingPolicy Policy = Context.getPrintingPolicy();
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  F.getNameForDiagnostic(Out, Policy, /*Qualified=*/true);
  Out << '(';
  const char *Separator = "";
  for (const ParmVarDecl *Parameter : F.parameters()) {
    Out << Separator << Parameter->getType().getAsString(Policy);
    Separator = ", ";
  }
  Out << ')';
  return Text;
}
