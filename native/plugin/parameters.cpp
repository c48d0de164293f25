#include "parameters.h"
#include "properties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace dovetail {

namespace {

uint64_t sizeOf(QualType T, const ASTContext &Ctx) {
  return Ctx.getTypeSizeInChars(T).getQuantity();
}

/// Returns the offset of a field in bytes.
uint64_t offsetOf(const FieldDecl &Field, const ASTRecordLayout &Layout, const ASTContext &Ctx) {
  auto Bits = static_cast<int64_t>(Layout.getFieldOffset(Field.getFieldIndex()));
  return Ctx.toCharUnitsFromBits(Bits).getQuantity();
}

/// Returns the field of a class with one field and without bases and virtual functions; null for
/// other classes.
const FieldDecl *onlyField(const RecordDecl &RD) {
  const auto *CXXRD = dyn_cast<CXXRecordDecl>(&RD);
  if (CXXRD && (CXXRD->getNumBases() || CXXRD->isPolymorphic()))
    return nullptr;
  auto Field = RD.field_begin();
  if (Field == RD.field_end() || std::next(Field) != RD.field_end())
    return nullptr;
  return *Field;
}

/// Returns NumPy's code of a scalar type, or of a class that contains one scalar only, such as
/// sycl::half. The result is empty for other types.
std::string encodingOf(QualType T, const ASTContext &Ctx) {
  T = T.getCanonicalType();
  if (T->isIncompleteType())
    return "";
  uint64_t Size = sizeOf(T, Ctx);
  if (T->isBooleanType())
    return "b1";
  if ((T->isIntegerType() || T->isEnumeralType()) && Size <= 8)
    return (T->isUnsignedIntegerOrEnumerationType() ? "u" : "i") + std::to_string(Size);
  if (T->isHalfType() || T->isFloat16Type())
    return "f2";
  if (T->isSpecificBuiltinType(BuiltinType::Float))
    return "f4";
  // A device's `long double` may be a `double`. The host's, which has 16 bytes, is not supported.
  if (T->isSpecificBuiltinType(BuiltinType::Double) ||
      T->isSpecificBuiltinType(BuiltinType::LongDouble))
    return Size == 8 ? "f8" : "";
  if (const RecordDecl *RD = T->getAsRecordDecl())
    if (const FieldDecl *Only = onlyField(*RD))
      if (!Only->isBitField() && sizeOf(Only->getType(), Ctx) == Size)
        return encodingOf(Only->getType(), Ctx);
  return "";
}

/// Returns the code of a field's type, which may be an address.
std::string fieldEncoding(QualType T, const ASTContext &Ctx) {
  if (T->isObjectPointerType() || T->isVoidPointerType())
    return "u" + std::to_string(sizeOf(T, Ctx));
  return encodingOf(T, Ctx);
}

/// The pointers in a class, its bases and its members.
struct Pointers {
  unsigned Count = 0;
  uint64_t Offset = 0; // of the last pointer
  QualType T;          // of the last pointer
};

void findPointers(const RecordDecl &RD, uint64_t Offset, const ASTContext &Ctx, Pointers &Found);

void findPointers(QualType T, uint64_t Offset, const ASTContext &Ctx, Pointers &Found) {
  QualType Element = Ctx.getBaseElementType(T);
  unsigned Before = Found.Count;
  if (Element->isObjectPointerType() || Element->isVoidPointerType())
    Found = {Found.Count + 1, Offset, Element};
  else if (const RecordDecl *RD = Element->getAsRecordDecl())
    findPointers(*RD, Offset, Ctx, Found);
  // An array of one pointer does not count as a single pointer.
  if (T->isConstantArrayType() && Found.Count > Before)
    Found.Count = 2;
}

void findPointers(const RecordDecl &RD, uint64_t Offset, const ASTContext &Ctx, Pointers &Found) {
  const ASTRecordLayout &Layout = Ctx.getASTRecordLayout(&RD);
  if (const auto *CXXRD = dyn_cast<CXXRecordDecl>(&RD))
    for (const CXXBaseSpecifier &Base : CXXRD->bases())
      if (const CXXRecordDecl *Inner = Base.getType()->getAsCXXRecordDecl(); !Base.isVirtual())
        findPointers(*Inner, Offset + Layout.getBaseClassOffset(Inner).getQuantity(), Ctx, Found);
  for (const FieldDecl *Field : RD.fields())
    findPointers(Field->getType(), Offset + offsetOf(*Field, Layout, Ctx), Ctx, Found);
}

/// Returns whether a pointer points to the generic or to the global address space.
const char *pointerKind(QualType Pointer) {
  return Pointer->getPointeeType().getAddressSpace() == LangAS::Default ? "pointer"
                                                                        : "global_pointer";
}

/// Visits the fields of a class, and the parts that become kernel arguments of their own.
class ObjectVisitor {
public:
  ObjectVisitor(const ASTContext &Ctx, ParameterFact &Fact) : Ctx(Ctx), Fact(Fact) {}

  void visit(const RecordDecl &RD) {
    QualType T = Ctx.getCanonicalTagType(&RD);
    if (!addDecoratedPointer(T, 0))
      Fact.Attributes = propertiesOf(T, ParameterProperties, Ctx);
    visitFields(RD, 0, "");
    // Fields with the same name, in a base and a derived class, are ambiguous.
    llvm::StringSet<> Names;
    for (const FieldFact &Field : Fact.Fields)
      IsPlain &= Names.insert(Field.Name).second;
    if (!IsPlain)
      Fact.Fields.clear();
  }

private:
  void visitFields(const RecordDecl &RD, uint64_t Offset, const std::string &Prefix) {
    const ASTRecordLayout &Layout = Ctx.getASTRecordLayout(&RD);
    if (const auto *CXXRD = dyn_cast<CXXRecordDecl>(&RD)) {
      IsPlain &= !CXXRD->isPolymorphic() && !CXXRD->isUnion() && !CXXRD->getNumVBases();
      for (const CXXBaseSpecifier &Base : CXXRD->bases())
        visitBase(Base, Layout, Offset, Prefix);
    }
    for (const FieldDecl *Field : RD.fields())
      if (Field->isBitField())
        IsPlain = false;
      else
        visitMember(*Field, Offset + offsetOf(*Field, Layout, Ctx), Prefix);
  }

  void visitBase(const CXXBaseSpecifier &Base, const ASTRecordLayout &Layout, uint64_t Offset,
                 const std::string &Prefix) {
    if (Base.isVirtual())
      return; // its offset depends on the complete object
    const CXXRecordDecl *RD = Base.getType()->getAsCXXRecordDecl();
    uint64_t At = Offset + Layout.getBaseClassOffset(RD).getQuantity();
    if (!addArgument(Base.getType(), At))
      visitFields(*RD, At, Prefix);
  }

  void visitMember(const FieldDecl &Field, uint64_t Offset, const std::string &Prefix) {
    // Members of an anonymous struct are accessed like members of the enclosing class.
    if (Field.isAnonymousStructOrUnion())
      return visitFields(*Field.getType()->getAsRecordDecl(), Offset, Prefix);
    // Lambda captures have no names.
    IsPlain &= !Field.getName().empty();
    visitPart(Field.getType(), Offset, Prefix + Field.getNameAsString());
  }

  void visitPart(QualType T, uint64_t Offset, const std::string &Name) {
    if (const ConstantArrayType *Array = Ctx.getAsConstantArrayType(T))
      return visitArray(*Array, Offset, Name);
    if (addArgument(T, Offset))
      return;
    if (std::string Encoding = fieldEncoding(T, Ctx); !Encoding.empty())
      Fact.Fields.push_back({Name, Offset, Encoding, 1});
    else if (const RecordDecl *RD = T->getAsRecordDecl())
      visitFields(*RD, Offset, Name + ".");
    else
      IsPlain = false;
  }

  void visitArray(const ConstantArrayType &Array, uint64_t Offset, const std::string &Name) {
    uint64_t Count = Ctx.getConstantArrayElementCount(&Array);
    QualType Element = Ctx.getBaseElementType(&Array);
    if (std::string Encoding = fieldEncoding(Element, Ctx); !Encoding.empty()) {
      Fact.Fields.push_back({Name, Offset, Encoding, Count});
      return;
    }
    IsPlain = false;
    if (Element->getAsRecordDecl())
      for (uint64_t I = 0; I < Count; ++I)
        visitPart(Element, Offset + I * sizeOf(Element, Ctx), Name);
  }

  /// Adds a kernel argument for an object whose class is marked, and returns whether it did.
  /// Members of other objects are copied as bytes.
  bool addArgument(QualType T, uint64_t Offset) {
    const RecordDecl *RD = T->getAsRecordDecl();
    if (!RD)
      return false;
    auto Marks = annotations(*RD, "kernel_argument");
    if (Marks.empty()) {
      addDecoratedPointer(T, Offset);
      return false;
    }
    IsPlain = false;
    std::string Kind;
    if (Marks[0]->args_size())
      Kind =
          (*Marks[0]->args_begin())->tryEvaluateString(const_cast<ASTContext &>(Ctx)).value_or("");
    Fact.Members.push_back(
        {Kind, Offset, sizeOf(T, Ctx), T.getAsString(Ctx.getPrintingPolicy()), {}});
    // Local memory is an argument already.
    if (Kind == "local")
      Fact.Members.back().Attributes = propertiesOf(T, ParameterProperties, Ctx);
    else
      addDecoratedPointer(T, Offset);
    return true;
  }

  /// Adds a kernel argument for the only pointer of a class with properties for parameters, and
  /// returns whether there is one. Properties of an enclosing class take precedence.
  bool addDecoratedPointer(QualType T, uint64_t Offset) {
    Properties Attrs = propertiesOf(T, ParameterProperties, Ctx);
    if (Attrs.empty())
      return false;
    Pointers Found;
    findPointers(T, Offset, Ctx, Found);
    if (Found.Count != 1)
      return false;
    if (llvm::none_of(Fact.Members, [&](const MemberFact &Member) {
          return Member.Offset == Found.Offset && !Member.Attributes.empty();
        }))
      Fact.Members.push_back({pointerKind(Found.T), Found.Offset, sizeOf(Found.T, Ctx),
                              T.getAsString(Ctx.getPrintingPolicy()), std::move(Attrs)});
    return true;
  }

  const ASTContext &Ctx;
  ParameterFact &Fact;
  bool IsPlain = true;
};

void describePointer(QualType Pointee, const ASTContext &Ctx, ParameterFact &Fact) {
  Fact.Kind = "pointer";
  Fact.Encoding = encodingOf(Pointee, Ctx);
  Fact.Writable = !Pointee.isConstQualified();
  if (Pointee->isIncompleteType() || Pointee->isFunctionType())
    return;
  Fact.PointeeSize = sizeOf(Pointee, Ctx);
  const RecordDecl *RD = Pointee->getAsRecordDecl();
  if (!RD)
    return;
  ObjectVisitor(Ctx, Fact).visit(*RD);
  // Only objects passed by value contain kernel arguments.
  Fact.Members.clear();
  Fact.Attributes.clear();
}

} // namespace

ParameterFact describeParameter(const ParmVarDecl &Param, const ASTContext &Ctx) {
  QualType T = Param.getType();
  ParameterFact Fact;
  Fact.Name = Param.getNameAsString();
  Fact.Type = T.getAsString(Ctx.getPrintingPolicy());
  Fact.Size = sizeOf(T, Ctx);
  Fact.Align = Ctx.getTypeAlignInChars(T).getQuantity();
  if (T->isPointerType()) {
    describePointer(T->getPointeeType(), Ctx, Fact);
    return Fact;
  }
  Fact.Encoding = encodingOf(T, Ctx);
  Fact.Kind = Fact.Encoding.empty() ? "object" : "scalar";
  if (const RecordDecl *RD = T->getAsRecordDecl())
    ObjectVisitor(Ctx, Fact).visit(*RD);
  return Fact;
}

std::string signatureOf(const FunctionDecl &FD, const ASTContext &Ctx) {
  PrintingPolicy Policy = Ctx.getPrintingPolicy();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  FD.getNameForDiagnostic(OS, Policy, /*Qualified=*/true);
  OS << '(';
  llvm::interleaveComma(FD.parameters(), OS, [&](const ParmVarDecl *Param) {
    OS << Param->getType().getAsString(Policy);
  });
  OS << ')';
  return Text;
}

} // namespace dovetail
