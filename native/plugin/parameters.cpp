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

uint64_t sizeOf(QualType type, const ASTContext &context) {
  return context.getTypeSizeInChars(type).getQuantity();
}

/// The only field of a class that has no bases and no virtual functions, else null.
const FieldDecl *onlyField(const RecordDecl &record) {
  const auto *cxx = dyn_cast<CXXRecordDecl>(&record);
  if (cxx && (cxx->getNumBases() || cxx->isPolymorphic()))
    return nullptr;
  auto field = record.field_begin();
  if (field == record.field_end() || std::next(field) != record.field_end())
    return nullptr;
  return *field;
}

/// NumPy's code for a scalar type; a class that holds one scalar and nothing else counts as that
/// scalar (sycl::half is one). Empty for everything else.
std::string encodingOf(QualType type, const ASTContext &context) {
  type = type.getCanonicalType();
  if (type->isIncompleteType())
    return "";
  uint64_t size = sizeOf(type, context);
  if (type->isBooleanType())
    return "b1";
  if ((type->isIntegerType() || type->isEnumeralType()) && size <= 8)
    return (type->isUnsignedIntegerOrEnumerationType() ? "u" : "i") + std::to_string(size);
  if (type->isHalfType() || type->isFloat16Type())
    return "f2";
  if (type->isSpecificBuiltinType(BuiltinType::Float))
    return "f4";
  // A device's long double can be a double; the host's of 16 bytes must not pass for it.
  if (type->isSpecificBuiltinType(BuiltinType::Double) ||
      type->isSpecificBuiltinType(BuiltinType::LongDouble))
    return size == 8 ? "f8" : "";
  if (const RecordDecl *record = type->getAsRecordDecl())
    if (const FieldDecl *only = onlyField(*record))
      if (!only->isBitField() && sizeOf(only->getType(), context) == size)
        return encodingOf(only->getType(), context);
  return "";
}

/// What stands in a field: a scalar, or an address.
std::string fieldEncoding(QualType type, const ASTContext &context) {
  if (type->isObjectPointerType() || type->isVoidPointerType())
    return "u" + std::to_string(sizeOf(type, context));
  return encodingOf(type, context);
}

/// What a class, its bases and the classes of its members hold of pointers.
struct Pointers {
  unsigned count = 0;
  uint64_t offset = 0; // of the last
  QualType type;
};

void findPointers(const RecordDecl &record, uint64_t offset, const ASTContext &context,
                  Pointers &found);

void findPointers(QualType type, uint64_t offset, const ASTContext &context, Pointers &found) {
  QualType element = context.getBaseElementType(type);
  unsigned before = found.count;
  if (element->isObjectPointerType() || element->isVoidPointerType())
    found = {found.count + 1, offset, element};
  else if (const RecordDecl *record = element->getAsRecordDecl())
    findPointers(*record, offset, context, found);
  // Of an array's pointers, none is the one.
  if (type->isConstantArrayType() && found.count > before)
    found.count = 2;
}

void findPointers(const RecordDecl &record, uint64_t offset, const ASTContext &context,
                  Pointers &found) {
  const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  if (const auto *cxx = dyn_cast<CXXRecordDecl>(&record))
    for (const CXXBaseSpecifier &base : cxx->bases())
      if (const CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl(); !base.isVirtual())
        findPointers(*inner, offset + layout.getBaseClassOffset(inner).getQuantity(), context,
                     found);
  for (const FieldDecl *field : record.fields()) {
    uint64_t bits = layout.getFieldOffset(field->getFieldIndex());
    findPointers(field->getType(), offset + context.toCharUnitsFromBits(bits).getQuantity(),
                 context, found);
  }
}

/// How a device says where a pointer points to: anywhere, or to global memory.
const char *pointerKind(QualType pointer) {
  return pointer->getPointeeType().getAddressSpace() == LangAS::Default ? "pointer"
                                                                        : "global_pointer";
}

/// Walks a class: its plain fields, and its parts that need an argument of their own.
class ObjectWalk {
public:
  ObjectWalk(const ASTContext &context, ParameterFact &fact) : context(context), fact(fact) {}

  void walk(const RecordDecl &record) {
    QualType type = context.getCanonicalTagType(&record);
    if (!decorated(type, 0))
      fact.attributes = propertiesOf(type, ofParameter, context);
    fields(record, 0, "");
    // A base's field and a derived one may share a name, which then says nothing.
    llvm::StringSet<> names;
    for (const FieldFact &field : fact.fields)
      isPlain &= names.insert(field.name).second;
    if (!isPlain)
      fact.fields.clear();
  }

private:
  void fields(const RecordDecl &record, uint64_t offset, const std::string &prefix) {
    const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
    if (const auto *cxx = dyn_cast<CXXRecordDecl>(&record)) {
      isPlain &= !cxx->isPolymorphic() && !cxx->isUnion() && !cxx->getNumVBases();
      for (const CXXBaseSpecifier &specifier : cxx->bases())
        base(specifier, layout, offset, prefix);
    }
    for (const FieldDecl *field : record.fields()) {
      uint64_t bits = layout.getFieldOffset(field->getFieldIndex());
      if (field->isBitField())
        isPlain = false;
      else
        member(*field, offset + context.toCharUnitsFromBits(bits).getQuantity(), prefix);
    }
  }

  void base(const CXXBaseSpecifier &specifier, const ASTRecordLayout &layout, uint64_t offset,
            const std::string &prefix) {
    if (specifier.isVirtual())
      return; // has no fixed place
    const CXXRecordDecl *record = specifier.getType()->getAsCXXRecordDecl();
    uint64_t at = offset + layout.getBaseClassOffset(record).getQuantity();
    if (!argument(specifier.getType(), at))
      fields(*record, at, prefix);
  }

  void member(const FieldDecl &field, uint64_t offset, const std::string &prefix) {
    // What is in an anonymous struct is named as if it stood outside of it.
    if (field.isAnonymousStructOrUnion())
      return fields(*field.getType()->getAsRecordDecl(), offset, prefix);
    // Lambda captures have no names.
    isPlain &= !field.getName().empty();
    part(field.getType(), offset, prefix + field.getNameAsString());
  }

  void part(QualType type, uint64_t offset, const std::string &name) {
    if (const ConstantArrayType *list = context.getAsConstantArrayType(type))
      return array(*list, offset, name);
    if (argument(type, offset))
      return;
    if (std::string encoding = fieldEncoding(type, context); !encoding.empty())
      fact.fields.push_back({name, offset, encoding, 1});
    else if (const RecordDecl *record = type->getAsRecordDecl())
      fields(*record, offset, name + ".");
    else
      isPlain = false;
  }

  void array(const ConstantArrayType &list, uint64_t offset, const std::string &name) {
    uint64_t count = context.getConstantArrayElementCount(&list);
    QualType element = context.getBaseElementType(&list);
    if (std::string encoding = fieldEncoding(element, context); !encoding.empty()) {
      fact.fields.push_back({name, offset, encoding, count});
      return;
    }
    isPlain = false;
    if (element->getAsRecordDecl())
      for (uint64_t i = 0; i < count; ++i)
        part(element, offset + i * sizeOf(element, context), name);
  }

  /// Whether it has a way of its own to the device; else its members go there as bytes.
  bool argument(QualType type, uint64_t offset) {
    const RecordDecl *record = type->getAsRecordDecl();
    if (!record)
      return false;
    auto marks = annotations(*record, "kernel_argument");
    if (marks.empty()) {
      decorated(type, offset);
      return false;
    }
    isPlain = false;
    std::string kind;
    if (marks[0]->args_size())
      kind = (*marks[0]->args_begin())
                 ->tryEvaluateString(const_cast<ASTContext &>(context))
                 .value_or("");
    fact.members.push_back(
        {kind, offset, sizeOf(type, context), type.getAsString(context.getPrintingPolicy()), {}});
    // Local memory is an argument anyway.
    if (kind == "local")
      fact.members.back().attributes = propertiesOf(type, ofParameter, context);
    else
      decorated(type, offset);
    return true;
  }

  /// If a class has properties for a parameter and one pointer, the pointer becomes an argument of
  /// its own. A class around it that has properties, too, comes first.
  bool decorated(QualType type, uint64_t offset) {
    Properties attributes = propertiesOf(type, ofParameter, context);
    if (attributes.empty())
      return false;
    Pointers found;
    findPointers(type, offset, context, found);
    if (found.count != 1)
      return false;
    if (llvm::none_of(fact.members, [&](const MemberFact &member) {
          return member.offset == found.offset && !member.attributes.empty();
        }))
      fact.members.push_back({pointerKind(found.type), found.offset, sizeOf(found.type, context),
                              type.getAsString(context.getPrintingPolicy()),
                              std::move(attributes)});
    return true;
  }

  const ASTContext &context;
  ParameterFact &fact;
  bool isPlain = true;
};

void describePointer(QualType pointee, const ASTContext &context, ParameterFact &fact) {
  fact.kind = "pointer";
  fact.encoding = encodingOf(pointee, context);
  fact.writable = !pointee.isConstQualified();
  if (pointee->isIncompleteType() || pointee->isFunctionType())
    return;
  fact.pointeeSize = sizeOf(pointee, context);
  const RecordDecl *record = pointee->getAsRecordDecl();
  if (!record)
    return;
  ObjectWalk(context, fact).walk(*record);
  // Whoever fills the memory fills these, too; only an object passed by value has arguments in it.
  fact.members.clear();
  fact.attributes.clear();
}

} // namespace

ParameterFact describeParameter(const ParmVarDecl &parameter, const ASTContext &context) {
  QualType type = parameter.getType();
  ParameterFact fact;
  fact.name = parameter.getNameAsString();
  fact.type = type.getAsString(context.getPrintingPolicy());
  fact.size = sizeOf(type, context);
  fact.align = context.getTypeAlignInChars(type).getQuantity();
  if (type->isPointerType()) {
    describePointer(type->getPointeeType(), context, fact);
    return fact;
  }
  fact.encoding = encodingOf(type, context);
  fact.kind = fact.encoding.empty() ? "object" : "scalar";
  if (const RecordDecl *record = type->getAsRecordDecl())
    ObjectWalk(context, fact).walk(*record);
  return fact;
}

std::string signatureOf(const FunctionDecl &function, const ASTContext &context) {
  PrintingPolicy policy = context.getPrintingPolicy();
  std::string text;
  llvm::raw_string_ostream out(text);
  function.getNameForDiagnostic(out, policy, /*Qualified=*/true);
  out << '(';
  const char *separator = "";
  for (const ParmVarDecl *parameter : function.parameters()) {
    out << separator << parameter->getType().getAsString(policy);
    separator = ", ";
  }
  out << ')';
  return text;
}

} // namespace dovetail
