#include "positions.h"
#include "token_kinds.h"
#include "clang/Basic/IdentifierTable.h"

using namespace clang;

namespace dovetail {

namespace {

bool isClassKey(tok::TokenKind kind) {
  return isOneOf(kind, {tok::kw_class, tok::kw_struct, tok::kw_union, tok::kw_enum});
}

/// What the operand of a constraint ends with; a name or a keyword behind it starts the
/// declaration.
bool endsOperand(tok::TokenKind kind) {
  return isOneOf(kind, {tok::identifier, tok::greater, tok::greatergreater, tok::r_paren,
                        tok::r_brace, tok::kw_true, tok::kw_false, tok::numeric_constant});
}

} // namespace

void PositionTracker::onToken(const Token &token) {
  if (token.isAnnotation() || token.is(tok::eof) || isOtherAttribute(token))
    return;
  step(token);
  now().last = token.getKind();
}

/// Attributes in other notations change nothing either.
bool PositionTracker::isOtherAttribute(const Token &token) {
  if (token.isOneOf(tok::kw___attribute, tok::kw___declspec, tok::kw_alignas)) {
    inOtherAttribute = true;
    return true;
  }
  if (!inOtherAttribute)
    return false;
  if (token.is(tok::l_paren))
    ++depth;
  else if (token.is(tok::r_paren))
    inOtherAttribute = --depth > 0;
  return true;
}

void PositionTracker::step(const Token &token) {
  tok::TokenKind kind = token.getKind();
  if (now().last == tok::kw_operator && operatorName(token))
    return;
  if (now().inConstraint)
    endConstraint(token);
  if (kind == tok::identifier)
    return identifier(token.getIdentifierInfo());
  if (tok::getKeywordSpelling(kind))
    return keyword(kind);
  punctuation(kind);
}

/// Behind `operator`; a conversion function's type is none of its concern.
bool PositionTracker::operatorName(const Token &token) {
  if (token.is(tok::identifier) || isTypeKeyword(token.getKind())) {
    now().typeSeen = false;
    return false;
  }
  now().here = Position::Declaration;
  if (token.isOneOf(tok::l_paren, tok::l_square))
    push(Frame::Name);
  return !token.isOneOf(tok::kw_const, tok::kw_volatile, tok::kw_decltype);
}

void PositionTracker::endConstraint(const Token &token) {
  bool starts = token.is(tok::l_paren) || token.is(tok::identifier) ||
                (tok::getKeywordSpelling(token.getKind()) && token.isNot(tok::kw_requires));
  if (starts && endsOperand(now().last))
    now().inConstraint = false;
}

void PositionTracker::keyword(tok::TokenKind kind) {
  Progress &p = now();
  if (kind == tok::kw_requires)
    return requiresKeyword();
  if (isTypeKeyword(kind)) {
    p.typeSeen = true;
    p.here = Position::Type;
  } else if (isClassKey(kind)) {
    p.isEnum = kind == tok::kw_enum || (p.isEnum && p.last == tok::kw_enum);
    p.inClassHead = true;
    p.className = nullptr;
    p.here = Position::Declaration;
  } else if (isOneOf(kind, {tok::kw_const, tok::kw_volatile, tok::kw_restrict})) {
    p.here = Position::Type;
  } else {
    // Specifiers behind parameters are a lambda's, and a list behind them is its type's.
    p.here = p.afterParameters ? Position::Type : Position::Declaration;
    p.inAlias |= kind == tok::kw_using;
    p.inNamespace |= kind == tok::kw_namespace;
    if (isOneOf(kind, {tok::kw_using, tok::kw_concept}))
      p.typeSeen = true;
    else if (isOneOf(kind, {tok::kw_new, tok::kw_typename}))
      p.typeSeen = false;
  }
}

void PositionTracker::requiresKeyword() {
  Progress &p = now();
  p.here = Position::Declaration;
  bool isClause = endsOperand(p.last) || p.afterParameters;
  (isClause && !p.inConstraint ? p.inConstraint : p.inRequirement) = true;
}

void PositionTracker::identifier(const IdentifierInfo *name) {
  Progress &p = now();
  bool continues = p.last == tok::coloncolon && p.lastName;
  if (p.inConstraint || top().frame == Frame::Enum || top().frame == Frame::Introducer)
    p.isDeclared = true;
  else if (p.inTrailingType)
    p.isDeclared = false;
  else if (p.last == tok::tilde || isConstructor(name))
    p.isDeclared = true;
  else if (!continues)
    p.isDeclared = p.typeSeen;
  if (p.inClassHead && !p.className && !p.inTrailingType)
    p.className = name;
  p.typeSeen |= !p.inConstraint;
  p.lastName = name;
  p.here = p.isDeclared ? Position::Declaration : Position::Type;
}

bool PositionTracker::isConstructor(const IdentifierInfo *name) const {
  const Progress &p = now();
  if (p.last == tok::coloncolon)
    return !p.isDeclared && p.lastName == name;
  return !p.typeSeen && open.back().className == name;
}

void PositionTracker::punctuation(tok::TokenKind kind) {
  switch (kind) {
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
    if (now().last != tok::identifier && now().last != tok::greater)
      now().lastName = nullptr;
    return;
  case tok::star:
  case tok::amp:
  case tok::ampamp:
    now().typeSeen |= !now().inConstraint;
    now().here = now().inConstraint ? Position::Declaration : Position::Type;
    return;
  default:
    now().here = Position::Declaration;
  }
}

void PositionTracker::comma() {
  Frame frame = top().frame;
  if (frame == Frame::Round || frame == Frame::Angle || frame == Frame::Header ||
      frame == Frame::Enum)
    return restart();
  Progress &p = now();
  p.here = p.inClassHead ? Position::Neither : Position::Declaration;
  p.afterParameters = p.inTrailingType = false;
}

void PositionTracker::colon() {
  Progress &p = now();
  if (p.inClassHead && !p.afterParameters) {
    p.here = p.isEnum ? Position::Declaration : Position::Neither;
    return;
  }
  if (p.last == tok::identifier && p.isDeclared)
    p.here = Position::Declaration; // a bit-field: more may be declared behind it
  else
    restart();
}

void PositionTracker::equal() {
  Progress &p = now();
  p.here = Position::Declaration;
  if (p.inAlias)
    p.typeSeen = false;
}

void PositionTracker::arrow() {
  Progress &p = now();
  if (!p.afterParameters && p.last != tok::r_square)
    return;
  p.inTrailingType = true;
  p.here = Position::Declaration;
}

void PositionTracker::restart() { now() = Progress(); }

} // namespace dovetail
