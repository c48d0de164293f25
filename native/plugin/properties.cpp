#include "properties.h"
#include "spelling.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::UTF32; // of the macros below

namespace dovetail {

namespace {

/// A constant as text, or what is wrong with it.
struct Text {
  std::string value;
  std::string fault;
};

Text wrong(std::string fault) { return {"", std::move(fault)}; }

Text checked(std::string text) {
  // The facts are JSON, and so is what later steps write.
  return llvm::json::isUTF8(text) ? Text{std::move(text), ""} : wrong("takes text in UTF-8");
}

/// The form of std::to_string.
std::string floatingText(llvm::APFloat number) {
  bool isInexact;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  std::string text(512, '\0');
  text.resize(snprintf(text.data(), text.size(), "%f", number.convertToDouble()));
  return text;
}

/// A character of any width as UTF-8. One byte of `char` is a character by itself or none.
Text characterText(const llvm::APSInt &code, QualType type) {
  if (type->isCharType())
    return checked(std::string(1, static_cast<char>(code.getExtValue())));
  char text[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *end = text;
  uint64_t point = code.getZExtValue();
  if (point > UNI_MAX_LEGAL_UTF32 || !llvm::ConvertCodePointToUTF8(point, end))
    return wrong("takes characters of Unicode");
  return checked(std::string(text, end));
}

/// Signed and unsigned char are numbers: std::int8_t is one.
bool isCharacter(QualType type) {
  return type->isAnyCharacterType() && !type->isSpecificBuiltinType(BuiltinType::SChar) &&
         !type->isSpecificBuiltinType(BuiltinType::UChar);
}

Text numberText(const llvm::APSInt &number, QualType type) {
  if (type->isBooleanType())
    return {number.getBoolValue() ? "true" : "false", ""};
  if (isCharacter(type))
    return characterText(number, type);
  return {llvm::toString(number, 10), ""};
}

bool isString(QualType type) {
  if (type->isNullPtrType())
    return true;
  const auto *character =
      type->isPointerType() ? type->getPointeeType()->getAs<BuiltinType>() : nullptr;
  return character && (character->getKind() == BuiltinType::Char_S ||
                       character->getKind() == BuiltinType::Char_U);
}

/// An array as the pointer that a function would be given for it. For attributes clang makes it a
/// pointer to the array, or leaves it an array.
const Expr &decayed(const Expr &argument, ASTContext &context) {
  const Expr *written = argument.IgnoreParenImpCasts();
  if (!written->getType()->isArrayType() || written->isPRValue())
    return argument;
  return *ImplicitCastExpr::Create(context, context.getDecayedType(written->getType()),
                                   CK_ArrayToPointerDecay, const_cast<Expr *>(written),
                                   /*BasePath=*/nullptr, VK_PRValue, FPOptionsOverride());
}

const char *const notConstant = "takes constants";

/// A null pointer is the empty text: so headers say that a property has no value.
Text stringText(const Expr &argument, ASTContext &context) {
  if (auto text = argument.tryEvaluateString(context))
    return checked(std::move(*text));
  Expr::EvalResult result;
  bool isNull = argument.EvaluateAsRValue(result, context) && result.Val.isLValue() &&
                result.Val.isNullPointer();
  return isNull ? Text() : wrong(notConstant);
}

Text nameText(const Expr &argument, ASTContext &context) {
  const Expr &name = decayed(argument, context);
  if (!isString(name.getType()) || name.getType()->isNullPtrType())
    return wrong("takes the names of properties first, which are strings; this has type " +
                 quoted(argument.IgnoreParenImpCasts()->getType().getUnqualifiedType(), context));
  Text text = stringText(name, context);
  if (text.fault.empty() && text.value.empty())
    return wrong("takes names that are not empty");
  return text;
}

Text valueText(const Expr &argument, ASTContext &context) {
  const Expr &value = decayed(argument, context);
  QualType type = value.getType().getCanonicalType().getUnqualifiedType();
  if (isString(type))
    return stringText(value, context);
  bool isNumber = type->isIntegralOrEnumerationType() || type->isRealFloatingType();
  if (!isNumber)
    return wrong("takes values that are strings, numbers, booleans, characters or enumerators; "
                 "this has type " +
                 quoted(argument.IgnoreParenImpCasts()->getType().getUnqualifiedType(), context));
  Expr::EvalResult result;
  if (!value.EvaluateAsRValue(result, context))
    return wrong(notConstant);
  if (result.Val.isInt())
    return numberText(result.Val.getInt(), type);
  return result.Val.isFloat() ? Text{floatingText(result.Val.getFloat()), ""} : wrong(notConstant);
}

/// The arguments of one attribute, taken apart.
class List {
public:
  List(const AttributeUse &list, const ASTContext &context)
      : place(list.place), isAnnotation(list.name == ofMember),
        context(const_cast<ASTContext &>(context)) {
    ArrayRef<const Expr *> arguments = list.arguments;
    if (!arguments.empty() && isFiller(*arguments.front(), filterBegin))
      arguments = takeFilter(arguments.drop_front());
    count = arguments.size();
    names = arguments.take_front(count / 2);
    values = arguments.drop_front(count / 2);
  }

  std::optional<PropertyFault> read() {
    for (const Expr *name : filter)
      if (Text text = nameText(*name, context); !text.fault.empty())
        return PropertyFault{name->getSourceRange(), std::move(text.fault)};
      else
        kept.push_back(std::move(text.value));
    if (count % 2)
      return PropertyFault{place, "takes as many values as names of properties; it has an odd "
                                  "number of arguments, " +
                                      std::to_string(count)};
    for (auto [name, value] : llvm::zip_equal(names, values))
      if (auto fault = property(*name, *value))
        return fault;
    return std::nullopt;
  }

  Properties properties;

private:
  ArrayRef<const Expr *> takeFilter(ArrayRef<const Expr *> arguments) {
    isFiltered = true;
    size_t length = 0;
    while (length < arguments.size() && !isFiller(*arguments[length], filterEnd))
      ++length;
    filter = arguments.take_front(length);
    return arguments.drop_front(std::min(length + 1, arguments.size()));
  }

  std::optional<PropertyFault> property(const Expr &nameGiven, const Expr &valueGiven) {
    Text name = nameText(nameGiven, context);
    if (!name.fault.empty())
      return PropertyFault{nameGiven.getSourceRange(), std::move(name.fault)};
    // Of an attribute of LLVM's own nobody could tell it.
    if (!isAnnotation && llvm::Attribute::getAttrKindFromName(name.value) != llvm::Attribute::None)
      return PropertyFault{nameGiven.getSourceRange(),
                           "takes names that LLVM does not use for attributes of its own; '" +
                               name.value + "' is one"};
    if (isFiltered && !llvm::is_contained(kept, name.value))
      return std::nullopt;
    Text value = valueText(valueGiven, context);
    if (!value.fault.empty())
      return PropertyFault{valueGiven.getSourceRange(), std::move(value.fault)};
    for (const auto &[known, before] : properties)
      if (known == name.value) {
        if (before == value.value)
          return std::nullopt;
        return PropertyFault{nameGiven.getSourceRange(), "gives property '" + known +
                                                             "' two values, '" + before +
                                                             "' and '" + value.value + "'"};
      }
    properties.emplace_back(std::move(name.value), std::move(value.value));
    return std::nullopt;
  }

  SourceLocation place;
  bool isAnnotation;
  ASTContext &context;
  bool isFiltered = false;
  ArrayRef<const Expr *> filter, names, values;
  size_t count = 0;
  std::vector<std::string> kept;
};

bool isDependent(const AttributeUse &list) {
  return llvm::any_of(list.arguments, [](const Expr *argument) {
    return argument->isValueDependent() || argument->isTypeDependent();
  });
}

} // namespace

std::optional<PropertyFault> faultIn(const AttributeUse &list, const ASTContext &context) {
  return List(list, context).read();
}

Properties propertiesIn(const AttributeUses &attributes, StringRef kind,
                        const ASTContext &context) {
  Properties result;
  for (const AttributeUse &use : attributes) {
    if (use.name != kind || isDependent(use))
      continue;
    List list(use, context);
    list.read();
    for (auto &property : list.properties)
      if (llvm::none_of(result, [&](const auto &it) { return it.first == property.first; }))
        result.push_back(std::move(property));
  }
  return result;
}

Properties propertiesOf(const Decl &declaration, StringRef kind, const ASTContext &context) {
  // Later declarations have an attribute of each kind that earlier ones have.
  if (!declaration.getMostRecentDecl()->hasAttrs())
    return {};
  return propertiesIn(attributesOfAll(declaration), kind, context);
}

Properties propertiesOf(QualType type, StringRef kind, const ASTContext &context) {
  const RecordDecl *record = type->getAsRecordDecl();
  return record ? propertiesOf(*record, kind, context) : Properties();
}

} // namespace dovetail
