// The part of PositionTracker that says what each bracket was opened for, and so what follows it.
#include "positions.h"
#include "token_kinds.h"

using namespace clang;

namespace dovetail {

void PositionTracker::pushRound() {
  Progress &p = now();
  tok::TokenKind before = p.last;
  if (isOneOf(before, {tok::kw_if, tok::kw_while, tok::kw_for, tok::kw_switch, tok::kw_catch,
                       tok::kw_constexpr, tok::kw_co_await}))
    return push(Frame::Condition);
  if (p.inConstraint)
    return push(Frame::Operand);
  if (isOneOf(before, {tok::kw_decltype, tok::kw_typeof, tok::kw__Atomic}))
    return push(Frame::TypeName);
  // `void (f)()` declares f; but what has parentheses in a type alone are parameters.
  bool declarator = isTypeKeyword(before) && top().frame != Frame::Angle && !p.inAlias;
  push(Frame::Round);
  now().typeSeen = declarator;
}

void PositionTracker::pushSquare() {
  tok::TokenKind before = now().last;
  bool array = isTypeKeyword(before)
                   ? before != tok::kw_auto
                   : isOneOf(before, {tok::identifier, tok::r_paren, tok::r_square, tok::greater});
  push(array ? Frame::Square : Frame::Introducer);
}

void PositionTracker::pushAngle() {
  // A lambda's template parameters stand behind its introducer.
  bool header = now().last == tok::kw_template || now().last == tok::r_square;
  push(header ? Frame::Header : Frame::Angle);
}

void PositionTracker::pushBrace() {
  Frame frame = braceFrame();
  const IdentifierInfo *name = now().className;
  push(frame);
  if (frame == Frame::Class)
    top().className = name;
}

PositionTracker::Frame PositionTracker::braceFrame() const {
  const Progress &p = now();
  if (p.inRequirement)
    return Frame::Requirement;
  if (p.inClassHead && !p.afterParameters)
    return p.isEnum ? Frame::Enum : Frame::Class;
  bool initializer = isOneOf(p.last, {tok::identifier, tok::greater, tok::equal, tok::r_square});
  if (initializer && p.typeSeen && !p.afterParameters && !p.inNamespace)
    return Frame::Initializer;
  return Frame::Block;
}

void PositionTracker::push(Frame frame) {
  Bracket bracket;
  bracket.frame = frame;
  open.push_back(bracket);
}

void PositionTracker::pop() {
  // A stray closing bracket is the parser's to report.
  if (open.size() > 1)
    open.pop_back();
}

/// `>`, which is also just an operator.
void PositionTracker::closeAngle() {
  Frame frame = top().frame;
  if (frame != Frame::Angle && frame != Frame::Header)
    return;
  pop();
  if (frame == Frame::Header)
    restart();
}

void PositionTracker::close() {
  dropAngles();
  Frame frame = top().frame;
  pop();
  Progress &p = now();
  switch (frame) {
  case Frame::Round:
    p.afterParameters = true;
    p.here = Position::Type;
    return;
  case Frame::Class:
  case Frame::Enum:
    p.inClassHead = p.isEnum = false;
    [[fallthrough]];
  case Frame::TypeName:
    p.typeSeen = true;
    [[fallthrough]];
  case Frame::Square:
    p.here = Position::Type;
    return;
  case Frame::Requirement:
    p.inRequirement = p.afterParameters = false;
    [[fallthrough]];
  case Frame::Operand:
  case Frame::Name:
  case Frame::Introducer:
  case Frame::Initializer:
    p.here = Position::Declaration;
    return;
  default:
    return restart();
  }
}

/// What was taken for template arguments was a comparison.
void PositionTracker::dropAngles() {
  while (top().frame == Frame::Angle || top().frame == Frame::Header)
    pop();
}

} // namespace dovetail
