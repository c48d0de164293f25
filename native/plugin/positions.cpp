#include "positions.h"
#include "clang/Basic/IdentifierTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace dovetail {

namespace {

bool isClassKey(tok::TokenKind Kind) {
  return llvm::is_contained({tok::kw_class, tok::kw_struct, tok::kw_union, tok::kw_enum}, Kind);
}

/// Whether a token can end an operand of a constraint, so that a following name or keyword starts
/// the declaration.
bool endsOperand(tok::TokenKind Kind) {
  return llvm::is_contained({tok::identifier, tok::greater, tok::greatergreater, tok::r_paren,
                             tok::r_brace, tok::kw_true, tok::kw_false, tok::numeric_constant},
                            Kind);
}

} // namespace

bool isTypeKeyword(tok::TokenKind Kind) {
  return llvm::is_contained({tok::kw_void, tok::kw_bool, tok::kw_char, tok::kw_wchar_t,
                             tok::kw_char8_t, tok::kw_char16_t, tok::kw_char32_t, tok::kw_short,
                             tok::kw_int, tok::kw_long, tok::kw_signed, tok::kw_unsigned,
                             tok::kw_float, tok::kw_double, tok::kw_auto, tok::kw__Float16,
                             tok::kw___float128, tok::kw___int128, tok::kw___bf16},
                            Kind);
}

void PositionTracker::onToken(const Token &Tok) {
  if (Tok.isAnnotation() || Tok.is(tok::eof) || isOtherAttribute(Tok))
    return;
  step(Tok);
  current().Last = Tok.getKind();
}

/// Attributes in other notations do not change the state either.
bool PositionTracker::isOtherAttribute(const Token &Tok) {
  if (Tok.isOneOf(tok::kw___attribute, tok::kw___declspec, tok::kw_alignas)) {
    InOtherAttribute = true;
    return true;
  }
  if (!InOtherAttribute)
    return false;
  if (Tok.is(tok::l_paren))
    ++Depth;
  else if (Tok.is(tok::r_paren))
    InOtherAttribute = --Depth > 0;
  return true;
}

void PositionTracker::step(const Token &Tok) {
  tok::TokenKind Kind = Tok.getKind();
  if (current().Last == tok::kw_operator && operatorName(Tok))
    return;
  if (current().InConstraint)
    endConstraint(Tok);
  if (Kind == tok::identifier)
    return identifier(Tok.getIdentifierInfo());
  if (tok::getKeywordSpelling(Kind))
    return keyword(Kind);
  punctuation(Kind);
}

/// Handles a token after `operator`. Returns false for a conversion function, which continues with
/// its type.
bool PositionTracker::operatorName(const Token &Tok) {
  if (Tok.is(tok::identifier) || isTypeKeyword(Tok.getKind())) {
    current().TypeSeen = false;
    return false;
  }
  current().Here = Position::Declaration;
  if (Tok.isOneOf(tok::l_paren, tok::l_square))
    push(Frame::Name);
  return !Tok.isOneOf(tok::kw_const, tok::kw_volatile, tok::kw_decltype);
}

void PositionTracker::endConstraint(const Token &Tok) {
  bool StartsDeclaration = Tok.is(tok::l_paren) || Tok.is(tok::identifier) ||
                           (tok::getKeywordSpelling(Tok.getKind()) && Tok.isNot(tok::kw_requires));
  if (StartsDeclaration && endsOperand(current().Last))
    current().InConstraint = false;
}

void PositionTracker::keyword(tok::TokenKind Kind) {
  Progress &P = current();
  if (Kind == tok::kw_requires)
    return requiresKeyword();
  if (isTypeKeyword(Kind)) {
    P.TypeSeen = true;
    P.Here = Position::Type;
  } else if (isClassKey(Kind)) {
    P.IsEnum = Kind == tok::kw_enum || (P.IsEnum && P.Last == tok::kw_enum);
    P.InClassHead = true;
    P.ClassName = nullptr;
    P.Here = Position::Declaration;
  } else if (llvm::is_contained({tok::kw_const, tok::kw_volatile, tok::kw_restrict}, Kind)) {
    P.Here = Position::Type;
  } else {
    // Specifiers after parameters belong to a lambda, and a list after them to its type.
    P.Here = P.AfterParameters ? Position::Type : Position::Declaration;
    P.InAlias |= Kind == tok::kw_using;
    P.InNamespace |= Kind == tok::kw_namespace;
    if (llvm::is_contained({tok::kw_using, tok::kw_concept}, Kind))
      P.TypeSeen = true;
    else if (llvm::is_contained({tok::kw_new, tok::kw_typename}, Kind))
      P.TypeSeen = false;
  }
}

void PositionTracker::requiresKeyword() {
  Progress &P = current();
  P.Here = Position::Declaration;
  bool IsClause = endsOperand(P.Last) || P.AfterParameters;
  (IsClause && !P.InConstraint ? P.InConstraint : P.InRequirement) = true;
}

void PositionTracker::identifier(const IdentifierInfo *Name) {
  Progress &P = current();
  bool IsQualified = P.Last == tok::coloncolon && P.LastName;
  bool IsNeverType = P.InConstraint || top().Kind == Frame::Enum || top().Kind == Frame::Introducer;
  bool IsSpecialMember = P.Last == tok::tilde || isConstructor(Name);
  if (IsNeverType || (IsSpecialMember && !P.InTrailingType))
    P.IsDeclared = true;
  else if (P.InTrailingType)
    P.IsDeclared = false;
  else if (!IsQualified)
    P.IsDeclared = P.TypeSeen;
  if (P.InClassHead && !P.ClassName && !P.InTrailingType)
    P.ClassName = Name;
  P.TypeSeen |= !P.InConstraint;
  P.LastName = Name;
  P.Here = P.IsDeclared ? Position::Declaration : Position::Type;
}

bool PositionTracker::isConstructor(const IdentifierInfo *Name) const {
  const Progress &P = current();
  if (P.Last == tok::coloncolon)
    return !P.IsDeclared && P.LastName == Name;
  return !P.TypeSeen && Open.back().ClassName == Name;
}

void PositionTracker::punctuation(tok::TokenKind Kind) {
  switch (Kind) {
  case tok::l_paren:
    return pushRound();
  case tok::l_square:
    return pushSquare();
  case tok::l_brace:
    return pushBrace();
  case tok::less:
    return pushAngle();
  case tok::greater:
    return closeAngle();
  case tok::greatergreater:
    closeAngle();
    return closeAngle();
  case tok::r_paren:
  case tok::r_square:
  case tok::r_brace:
    return close();
  case tok::semi:
    dropAngles();
    return restart();
  case tok::comma:
    return comma();
  case tok::colon:
    return colon();
  case tok::equal:
    return equal();
  case tok::arrow:
    return arrow();
  case tok::coloncolon:
    if (current().Last != tok::identifier && current().Last != tok::greater)
      current().LastName = nullptr;
    return;
  case tok::star:
  case tok::amp:
  case tok::ampamp:
    current().TypeSeen |= !current().InConstraint;
    current().Here = current().InConstraint ? Position::Declaration : Position::Type;
    return;
  default:
    current().Here = Position::Declaration;
  }
}

void PositionTracker::comma() {
  Frame F = top().Kind;
  if (F == Frame::Round || F == Frame::Angle || F == Frame::Header || F == Frame::Enum)
    return restart();
  Progress &P = current();
  P.Here = P.InClassHead ? Position::Neither : Position::Declaration;
  P.AfterParameters = P.InTrailingType = false;
}

void PositionTracker::colon() {
  Progress &P = current();
  if (P.InClassHead && !P.AfterParameters) {
    P.Here = P.IsEnum ? Position::Declaration : Position::Neither;
    return;
  }
  if (P.Last == tok::identifier && P.IsDeclared)
    P.Here = Position::Declaration; // a bit-field, after which more names may be declared
  else
    restart();
}

void PositionTracker::equal() {
  Progress &P = current();
  P.Here = Position::Declaration;
  if (P.InAlias)
    P.TypeSeen = false;
}

void PositionTracker::arrow() {
  Progress &P = current();
  if (!P.AfterParameters && P.Last != tok::r_square)
    return;
  P.InTrailingType = true;
  P.Here = Position::Declaration;
}

void PositionTracker::restart() { current() = Progress(); }

} // namespace dovetail
