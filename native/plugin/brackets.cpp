// The part of PositionTracker that determines which construct opens each bracket, and what follows.
#include "positions.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace dovetail {

void PositionTracker::pushRound() {
  Progress &P = current();
  tok::TokenKind Before = P.Last;
  if (llvm::is_contained({tok::kw_if, tok::kw_while, tok::kw_for, tok::kw_switch, tok::kw_catch,
                          tok::kw_constexpr, tok::kw_co_await},
                         Before))
    return push(Frame::Condition);
  if (P.InConstraint)
    return push(Frame::Operand);
  if (llvm::is_contained({tok::kw_decltype, tok::kw_typeof, tok::kw__Atomic}, Before))
    return push(Frame::TypeName);
  // `void (f)()` declares f; in a type without a declarator, the parentheses enclose parameters.
  bool IsDeclarator = isTypeKeyword(Before) && top().Kind != Frame::Angle && !P.InAlias;
  push(Frame::Round);
  current().TypeSeen = IsDeclarator;
}

void PositionTracker::pushSquare() {
  tok::TokenKind Before = current().Last;
  bool IsArray = isTypeKeyword(Before)
                     ? Before != tok::kw_auto
                     : llvm::is_contained(
                           {tok::identifier, tok::r_paren, tok::r_square, tok::greater}, Before);
  push(IsArray ? Frame::Square : Frame::Introducer);
}

void PositionTracker::pushAngle() {
  // A lambda's template parameters follow its introducer.
  bool IsHeader = current().Last == tok::kw_template || current().Last == tok::r_square;
  push(IsHeader ? Frame::Header : Frame::Angle);
}

void PositionTracker::pushBrace() {
  Frame F = braceFrame();
  const IdentifierInfo *Name = current().ClassName;
  push(F);
  if (F == Frame::Class)
    top().ClassName = Name;
}

PositionTracker::Frame PositionTracker::braceFrame() const {
  const Progress &P = current();
  if (P.InRequirement)
    return Frame::Requirement;
  if (P.InClassHead && !P.AfterParameters)
    return P.IsEnum ? Frame::Enum : Frame::Class;
  bool IsInitializer =
      llvm::is_contained({tok::identifier, tok::greater, tok::equal, tok::r_square}, P.Last);
  if (IsInitializer && P.TypeSeen && !P.AfterParameters && !P.InNamespace)
    return Frame::Initializer;
  return Frame::Block;
}

void PositionTracker::push(Frame F) {
  Bracket B;
  B.Kind = F;
  Open.push_back(B);
}

void PositionTracker::pop() {
  // The parser reports stray closing brackets.
  if (Open.size() > 1)
    Open.pop_back();
}

/// Handles `>`, which may also be an operator.
void PositionTracker::closeAngle() {
  Frame F = top().Kind;
  if (F != Frame::Angle && F != Frame::Header)
    return;
  pop();
  if (F == Frame::Header)
    restart();
}

void PositionTracker::close() {
  dropAngles();
  Frame F = top().Kind;
  pop();
  Progress &P = current();
  switch (F) {
  case Frame::Round:
    P.AfterParameters = true;
    P.Here = Position::Type;
    return;
  case Frame::Class:
  case Frame::Enum:
    P.InClassHead = P.IsEnum = false;
    [[fallthrough]];
  case Frame::TypeName:
    P.TypeSeen = true;
    [[fallthrough]];
  case Frame::Square:
    P.Here = Position::Type;
    return;
  case Frame::Requirement:
    P.InRequirement = P.AfterParameters = false;
    [[fallthrough]];
  case Frame::Operand:
  case Frame::Name:
  case Frame::Introducer:
  case Frame::Initializer:
    P.Here = Position::Declaration;
    return;
  default:
    return restart();
  }
}

/// Drops angle brackets that turned out to be comparisons.
void PositionTracker::dropAngles() {
  while (top().Kind == Frame::Angle || top().Kind == Frame::Header)
    pop();
}

} // namespace dovetail
