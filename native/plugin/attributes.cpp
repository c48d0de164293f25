#include "attributes.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <memory>

using namespace clang;
using llvm::StringRef;

namespace {

constexpr StringRef AnnotationPrefix = "dovetail.";

/// C++ lets every attribute name be written with two underscores on either side.
StringRef withoutUnderscores(StringRef Name) {
  if (Name.size() > 4 && Name.starts_with("__") && Name.ends_with("__"))
    return Name.drop_front(2).drop_back(2);
  return Name;
}

bool isOurScope(StringRef Scope) { return Scope == "sycl" || Scope == "sycl_detail"; }

bool isOurAttribute(StringRef Scope, StringRef Name) {
  if (Scope == "sycl")
    return llvm::StringSwitch<bool>(Name)
        .Cases({"device_has", "requires"}, true)
        .Cases({"reqd_work_group_size", "reqd_sub_group_size", "work_group_size_hint"}, true)
        .Default(false);
  return llvm::StringSwitch<bool>(Name)
      .Cases({"uses_aspects", "kernel_argument"}, true)
      // Today's names for the properties that reach the IR, then those of the first design.
      .Cases({"add_ir_attributes_function", "add_ir_attributes_global_variable",
              "add_ir_attributes_kernel_parameter", "add_ir_annotations_member"},
             true)
      .Cases({"add_ir_function_attributes", "add_ir_global_variable_attributes",
              "add_ir_kernel_parameter_attributes", "add_ir_member_annotation"},
             true)
      .Default(false);
}

/// Watches the tokens on their way to the parser and changes those of our attributes in place.
///
/// A token that is changed in place leaves nothing of the old spelling behind, also when the parser
/// looks at it a second time; only the annotation's name has to be put in as new tokens.
class AttributeRewriter {
public:
  explicit AttributeRewriter(Preprocessor &PP) : PP(PP) {}

  void onToken(Token &Tok) {
    step(Tok);
    Before[1] = Before[0];
    Before[0] = Tok.getKind();
  }

private:
  enum class State {
    Outside,       // not in an attribute list
    Start,         // an attribute, or `using`, may follow
    UsingScope,    // after `using`
    UsingColon,    // after `using sycl`
    ScopeColons,   // after our scope
    Name,          // after our scope and `::`
    Arguments,     // after our attribute's name: `(` if it has arguments
    FirstArgument, // after `(`, the annotation's name has been put in
    Inside,        // in the rest of an attribute
  };

  void step(Token &Tok) {
    switch (Current) {
    case State::Outside:
      return enterIfAttribute(Tok);
    case State::Start:
      return start(Tok);
    case State::UsingScope:
      Current = takeScope(Tok) ? State::UsingColon : State::Inside;
      ScopeForAll = Current == State::UsingColon;
      return;
    case State::UsingColon:
      Current = State::Start;
      return;
    case State::ScopeColons:
      Current = Tok.is(tok::coloncolon) ? State::Name : State::Inside;
      return;
    case State::Name:
      Current = takeName(Tok) ? State::Arguments : State::Inside;
      return;
    case State::Arguments:
      return takeArguments(Tok);
    case State::FirstArgument:
      return takeFirstArgument(Tok);
    case State::Inside:
      return inside(Tok);
    }
  }

  void enterIfAttribute(Token &Tok) {
    if (Tok.isNot(tok::l_square) || Before[0] != tok::l_square)
      return;
    // Behind a parameter list or what may follow one, or behind another such attribute.
    tok::TokenKind Previous = Before[1];
    OnType = Previous == tok::r_paren || Previous == tok::kw_mutable || Previous == tok::kw_const ||
             Previous == tok::kw_noexcept || (Previous == tok::r_square && OnType);
    ScopeForAll = false;
    Depth = 0;
    Current = State::Start;
  }

  void start(Token &Tok) {
    if (Tok.is(tok::kw_using))
      Current = State::UsingScope;
    else if (ScopeForAll)
      Current = takeName(Tok) ? State::Arguments : State::Inside;
    else if (takeScope(Tok))
      Current = State::ScopeColons;
    else
      inside(Tok);
  }

  bool takeScope(Token &Tok) {
    const IdentifierInfo *II = Tok.getIdentifierInfo();
    if (!II || !isOurScope(withoutUnderscores(II->getName())))
      return false;
    Scope = withoutUnderscores(II->getName()).str();
    replaceIdentifier(Tok, "clang");
    return true;
  }

  bool takeName(Token &Tok) {
    const IdentifierInfo *II = Tok.getIdentifierInfo();
    if (!II || !isOurAttribute(Scope, withoutUnderscores(II->getName())))
      return false;
    Attribute = withoutUnderscores(II->getName()).str();
    replaceIdentifier(Tok, OnType ? "annotate_type" : "annotate");
    return true;
  }

  void takeArguments(Token &Tok) {
    if (Tok.isNot(tok::l_paren))
      return inside(Tok);
    Depth = 1;
    insert({stringToken((AnnotationPrefix + Attribute).str(), Tok.getLocation()),
            punctuation(tok::comma, Tok.getLocation())});
    Current = State::FirstArgument;
  }

  void takeFirstArgument(Token &Tok) {
    if (Tok.isNot(tok::r_paren))
      return inside(Tok);
    // `()`: the comma that we have put in needs an argument behind it.
    Token Paren = Tok;
    replace(Tok, stringToken("", Tok.getLocation()));
    insert({Paren});
    Depth = 0;
    Current = State::Inside;
  }

  void inside(Token &Tok) {
    Current = State::Inside;
    if (Tok.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++Depth;
    else if (Tok.is(tok::r_square) && Depth == 0)
      Current = State::Outside;
    else if (Tok.isOneOf(tok::r_paren, tok::r_brace, tok::r_square))
      --Depth;
    else if (Tok.is(tok::comma) && Depth == 0)
      Current = State::Start;
    else if (Tok.is(tok::eof))
      Current = State::Outside;
  }

  /// Changes the token that is being delivered and, if the parser may come back to it, its copy.
  void replace(Token &Tok, const Token &New) {
    bool Cached = PP.IsPreviousCachedToken(Tok);
    Tok = New;
    if (!Cached)
      return;
    Token Copy = New;
    Copy.setFlag(Token::IsReinjected);
    PP.ReplacePreviousCachedToken({Copy});
  }

  void replaceIdentifier(Token &Tok, StringRef Name) {
    Token New = Tok;
    New.setKind(tok::identifier);
    New.setIdentifierInfo(PP.getIdentifierInfo(Name));
    replace(Tok, New);
  }

  /// Puts tokens behind the one that is being delivered; they do not come through here.
  void insert(llvm::ArrayRef<Token> Tokens) {
    auto Stream = std::make_unique<Token[]>(Tokens.size());
    std::copy(Tokens.begin(), Tokens.end(), Stream.get());
    PP.EnterTokenStream(std::move(Stream), Tokens.size(), /*DisableMacroExpansion=*/true,
                        /*IsReinject=*/true);
  }

  Token punctuation(tok::TokenKind Kind, SourceLocation Location) {
    Token Tok;
    Tok.startToken();
    Tok.setKind(Kind);
    Tok.setLocation(Location);
    Tok.setLength(1);
    return Tok;
  }

  Token stringToken(StringRef Text, SourceLocation Location) {
    Token Tok;
    Tok.startToken();
    Tok.setKind(tok::string_literal);
    PP.CreateString(("\"" + Text + "\"").str(), Tok, Location, Location);
    return Tok;
  }

  Preprocessor &PP;
  State Current = State::Outside;
  tok::TokenKind Before[2] = {tok::unknown, tok::unknown};
  std::string Scope;
  std::string Attribute;
  bool ScopeForAll = false; // [[using sycl: ...]]
  bool OnType = false;
  int Depth = 0;
};

std::string toText(const APValue &Value, QualType Type) {
  if (Value.isInt()) {
    if (Type->isBooleanType())
      return Value.getInt().getBoolValue() ? "true" : "false";
    return llvm::toString(Value.getInt(), 10);
  }
  if (Value.isFloat()) {
    // The form of std::to_string.
    std::string Text(512, '\0');
    int Length = snprintf(Text.data(), Text.size(), "%f", Value.getFloat().convertToDouble());
    Text.resize(Length);
    return Text;
  }
  return "";
}

/// A constant argument as text; a null pointer is the empty text.
std::string constantText(const Expr &Argument, const ASTContext &Context) {
  if (auto Text = Argument.tryEvaluateString(const_cast<ASTContext &>(Context)))
    return *Text;
  Expr::EvalResult Result;
  if (!Argument.EvaluateAsRValue(Result, Context))
    return "";
  return toText(Result.Val, Argument.IgnoreParenImpCasts()->getType());
}

} // namespace

void dovetail::rewriteAttributes(Preprocessor &PP) {
  auto Rewriter = std::make_shared<AttributeRewriter>(PP);
  // The watcher is given the very token that the parser will see; clang only means it to look.
  PP.setTokenWatcher([Rewriter](const Token &Tok) { Rewriter->onToken(const_cast<Token &>(Tok)); });
}

std::vector<const AnnotateAttr *> dovetail::annotations(const Decl &D, StringRef Attribute) {
  std::vector<const AnnotateAttr *> Found;
  if (!D.hasAttrs())
    return Found;
  for (const auto *Annotation : D.specific_attrs<AnnotateAttr>()) {
    StringRef Name = Annotation->getAnnotation();
    if (Name.consume_front(AnnotationPrefix) && Name == Attribute)
      Found.push_back(Annotation);
  }
  return Found;
}

dovetail::Properties dovetail::properties(const AnnotateAttr &Attribute,
                                          const ASTContext &Context) {
  Properties Result;
  size_t Pairs = Attribute.args_size() / 2;
  for (size_t I = 0; I < Pairs; ++I)
    Result.emplace_back(constantText(**(Attribute.args_begin() + I), Context),
                        constantText(**(Attribute.args_begin() + Pairs + I), Context));
  return Result;
}
