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
using llvm::Expected;
using llvm::StringRef;
using llvm::UTF32; // for the macros of ConvertUTF.h

namespace dovetail {

namespace {

llvm::Error makeError(SourceRange Range, const llvm::Twine &Message) {
  return llvm::make_error<PropertyListError>(Range, Message.str());
}

/// Formats a number like std::to_string.
std::string floatingText(llvm::APFloat Number) {
  bool IsInexact;
  Number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &IsInexact);
  std::string Text(512, '\0');
  Text.resize(snprintf(Text.data(), Text.size(), "%f", Number.convertToDouble()));
  return Text;
}

/// Whether a type is a character type. Signed and unsigned char are integers, such as std::int8_t.
bool isCharacter(QualType T) {
  return T->isAnyCharacterType() && !T->isSpecificBuiltinType(BuiltinType::SChar) &&
         !T->isSpecificBuiltinType(BuiltinType::UChar);
}

bool isString(QualType T) {
  if (T->isNullPtrType())
    return true;
  const auto *Character = T->isPointerType() ? T->getPointeeType()->getAs<BuiltinType>() : nullptr;
  return Character && (Character->getKind() == BuiltinType::Char_S ||
                       Character->getKind() == BuiltinType::Char_U);
}

/// Decays an array as in a call. In attributes, clang leaves an array as it is or takes its
/// address.
const Expr *decayed(const Expr *Arg, ASTContext &Ctx) {
  const Expr *Written = Arg->IgnoreParenImpCasts();
  if (!Written->getType()->isArrayType() || Written->isPRValue())
    return Arg;
  return ImplicitCastExpr::Create(Ctx, Ctx.getDecayedType(Written->getType()),
                                  CK_ArrayToPointerDecay, const_cast<Expr *>(Written),
                                  /*BasePath=*/nullptr, VK_PRValue, FPOptionsOverride());
}

/// Converts a constant argument to text.
class ArgumentText {
public:
  ArgumentText(const Expr &Arg, ASTContext &Ctx) : Arg(Arg), Value(*decayed(&Arg, Ctx)), Ctx(Ctx) {}

  Expected<std::string> asName() const {
    if (!isString(Value.getType()) || Value.getType()->isNullPtrType())
      return typeError("expects property names as strings");
    Expected<std::string> Name = string();
    if (Name && Name->empty())
      return error("expects property names that are not empty");
    return Name;
  }

  Expected<std::string> asValue() const {
    QualType T = Value.getType().getCanonicalType().getUnqualifiedType();
    if (isString(T))
      return string();
    if (!T->isIntegralOrEnumerationType() && !T->isRealFloatingType())
      return typeError("expects property values that are strings, numbers, booleans, characters or "
                       "enumerators");
    Expr::EvalResult Result;
    if (!Value.EvaluateAsRValue(Result, Ctx))
      return notConstant();
    if (Result.Val.isInt())
      return number(Result.Val.getInt(), T);
    if (Result.Val.isFloat())
      return floatingText(Result.Val.getFloat());
    return notConstant();
  }

private:
  llvm::Error error(const llvm::Twine &Message) const {
    return makeError(Arg.getSourceRange(), Message);
  }

  llvm::Error notConstant() const { return error("expects constant expressions"); }

  llvm::Error typeError(const llvm::Twine &Message) const {
    QualType T = Arg.IgnoreParenImpCasts()->getType().getUnqualifiedType();
    return error(Message + ", got a value of type " + quoted(T, Ctx));
  }

  Expected<std::string> checked(std::string Text) const {
    // Facts are JSON, and so is the output of later steps.
    if (!llvm::json::isUTF8(Text))
      return error("expects text in UTF-8");
    return Text;
  }

  /// Encodes a character of any width in UTF-8. A `char` has to be a complete character.
  Expected<std::string> character(const llvm::APSInt &Code, QualType T) const {
    if (T->isCharType())
      return checked(std::string(1, static_cast<char>(Code.getExtValue())));
    char Text[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
    char *End = Text;
    uint64_t Point = Code.getZExtValue();
    if (Point > UNI_MAX_LEGAL_UTF32 || !llvm::ConvertCodePointToUTF8(Point, End))
      return error("expects Unicode characters");
    return checked(std::string(Text, End));
  }

  Expected<std::string> number(const llvm::APSInt &Number, QualType T) const {
    if (T->isBooleanType())
      return Number.getBoolValue() ? "true" : "false";
    if (isCharacter(T))
      return character(Number, T);
    return llvm::toString(Number, 10);
  }

  /// Returns an empty text for a null pointer, which headers use for properties without a value.
  Expected<std::string> string() const {
    if (auto Text = Value.tryEvaluateString(Ctx))
      return checked(std::move(*Text));
    Expr::EvalResult Result;
    if (Value.EvaluateAsRValue(Result, Ctx) && Result.Val.isLValue() && Result.Val.isNullPointer())
      return "";
    return notConstant();
  }

  const Expr &Arg;
  const Expr &Value;
  ASTContext &Ctx;
};

/// Parses the arguments of one attribute: an optional filter, names and values.
class PropertyListParser {
public:
  PropertyListParser(const AttributeUse &Use, const ASTContext &Ctx)
      : Loc(Use.Loc), IsAnnotation(Use.Name == MemberProperties),
        Ctx(const_cast<ASTContext &>(Ctx)) {
    ArrayRef<const Expr *> Args = Use.Args;
    if (!Args.empty() && isPlaceholder(*Args.front(), FilterBegin))
      Args = splitFilter(Args.drop_front());
    Count = Args.size();
    Names = Args.take_front(Count / 2);
    Values = Args.drop_front(Count / 2);
  }

  llvm::Error parse() {
    for (const Expr *Arg : Filter) {
      Expected<std::string> Name = ArgumentText(*Arg, Ctx).asName();
      if (!Name)
        return Name.takeError();
      Kept.push_back(std::move(*Name));
    }
    if (Count % 2)
      return makeError(Loc, "expects as many values as names of properties, got an odd number of "
                            "arguments, " +
                                llvm::Twine(Count));
    for (auto [Name, Value] : llvm::zip_equal(Names, Values))
      if (llvm::Error Err = parseProperty(*Name, *Value))
        return Err;
    return llvm::Error::success();
  }

  Properties Props; // up to the first error

private:
  ArrayRef<const Expr *> splitFilter(ArrayRef<const Expr *> Args) {
    IsFiltered = true;
    size_t Length = 0;
    while (Length < Args.size() && !isPlaceholder(*Args[Length], FilterEnd))
      ++Length;
    Filter = Args.take_front(Length);
    return Args.drop_front(std::min(Length + 1, Args.size()));
  }

  llvm::Error parseProperty(const Expr &NameArg, const Expr &ValueArg) {
    Expected<std::string> Name = ArgumentText(NameArg, Ctx).asName();
    if (!Name)
      return Name.takeError();
    // In the IR it would be indistinguishable from LLVM's attribute.
    if (!IsAnnotation && llvm::Attribute::getAttrKindFromName(*Name) != llvm::Attribute::None)
      return makeError(NameArg.getSourceRange(),
                       "expects property names that are not attributes of LLVM, got '" + *Name +
                           "'");
    if (IsFiltered && !llvm::is_contained(Kept, *Name))
      return llvm::Error::success();
    Expected<std::string> Value = ArgumentText(ValueArg, Ctx).asValue();
    if (!Value)
      return Value.takeError();
    auto Known = llvm::find_if(Props, [&](const auto &It) { return It.first == *Name; });
    if (Known == Props.end())
      Props.emplace_back(std::move(*Name), std::move(*Value));
    else if (Known->second != *Value)
      return makeError(NameArg.getSourceRange(), "gives property '" + *Name + "' two values, '" +
                                                     Known->second + "' and '" + *Value +
                                                     "'; use one");
    return llvm::Error::success();
  }

  SourceLocation Loc;
  bool IsAnnotation;
  ASTContext &Ctx;
  bool IsFiltered = false;
  ArrayRef<const Expr *> Filter, Names, Values;
  size_t Count = 0;
  std::vector<std::string> Kept;
};

bool isDependent(const AttributeUse &Use) {
  return llvm::any_of(
      Use.Args, [](const Expr *Arg) { return Arg->isValueDependent() || Arg->isTypeDependent(); });
}

} // namespace

char PropertyListError::ID;

void PropertyListError::log(llvm::raw_ostream &OS) const { OS << Message; }

llvm::Error checkPropertyList(const AttributeUse &Use, const ASTContext &Ctx) {
  return PropertyListParser(Use, Ctx).parse();
}

Properties propertiesIn(const AttributeUses &Attrs, StringRef Kind, const ASTContext &Ctx) {
  Properties Result;
  for (const AttributeUse &Use : Attrs) {
    if (Use.Name != Kind || isDependent(Use))
      continue;
    PropertyListParser Parser(Use, Ctx);
    // AttributeChecker reports errors.
    llvm::consumeError(Parser.parse());
    for (auto &Property : Parser.Props)
      if (llvm::none_of(Result, [&](const auto &It) { return It.first == Property.first; }))
        Result.push_back(std::move(Property));
  }
  return Result;
}

Properties propertiesOf(const Decl &D, StringRef Kind, const ASTContext &Ctx) {
  // The last declaration has or inherits an attribute of each kind.
  if (!D.getMostRecentDecl()->hasAttrs())
    return {};
  return propertiesIn(attributesOfAllDecls(D), Kind, Ctx);
}

Properties propertiesOf(QualType T, StringRef Kind, const ASTContext &Ctx) {
  const RecordDecl *RD = T->getAsRecordDecl();
  return RD ? propertiesOf(*RD, Kind, Ctx) : Properties();
}

} // namespace dovetail
