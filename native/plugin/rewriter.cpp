#include "rewriter.h"
#include "attributes.h"
#include "positions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include <memory>
#include <optional>

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

/// C++ implementations accept attribute names with two underscores on either side.
StringRef withoutUnderscores(StringRef Name) {
  if (Name.size() > 4 && Name.starts_with("__") && Name.ends_with("__"))
    return Name.drop_front(2).drop_back(2);
  return Name;
}

/// Returns an identifier or keyword without underscores, and an empty string for other tokens.
StringRef nameOf(const Token &Tok) {
  if (Tok.isAnnotation() || !Tok.getIdentifierInfo())
    return "";
  return withoutUnderscores(Tok.getIdentifierInfo()->getName());
}

/// Changes the tokens of SYCL attributes before the parser receives them.
///
/// The scope comes before the name, which decides whether an attribute is rewritten. C++ allows
/// commas without attributes between them, so `sycl` and `::` are each replaced by a comma; the
/// final scope and colons are inserted together with the name. Tokens are changed in place, so that
/// the parser also reads the new ones when it backtracks.
class AttributeRewriter {
public:
  AttributeRewriter(Preprocessor &PP, AttributeLocations *Locations)
      : PP(PP), Locations(Locations) {}

  void onToken(Token &Tok) {
    if (Current != State::Outside)
      return step(Tok);
    if (!Square) {
      if (Tok.is(tok::l_square))
        Square = Tok;
      else
        Tracker.onToken(Tok);
      return;
    }
    if (Tok.is(tok::l_square)) {
      Square.reset();
      return enterList();
    }
    Tracker.onToken(*Square);
    Square.reset();
    Tracker.onToken(Tok);
  }

private:
  enum class State {
    Outside,       // not in an attribute list
    First,         // at the start of a list: `using` may follow
    Start,         // at the start of an attribute
    UsingScope,    // after `using`
    UsingColon,    // after `using sycl`
    Colons,        // after the scope
    Name,          // after the scope and `::`
    Arguments,     // after the name of a rewritten attribute: `(` may follow
    FirstArgument, // after `(` and the inserted annotation name
    HasParen,      // after `has` as first argument
    HasFirst,      // after `has(`
    HasInside,     // in the arguments of `has`
    HasClosed,     // after the `)` of `has`
    FilterFirst,   // after `{` as first argument, which starts a filter of properties
    FilterInside,  // in the filter
    Inside,        // in the rest of an attribute
    End,           // after the first closing bracket of the list
  };

  void enterList() {
    UsesScope = UsingIsOpen = false;
    Depth = 0;
    Current = State::First;
  }

  void step(Token &Tok) {
    // No token can be inserted before the end of the file.
    if (Tok.is(tok::eof))
      Current = State::Inside;
    switch (Current) {
    case State::First:
      if (Tok.isNot(tok::kw_using))
        return handleStart(Tok);
      Current = State::UsingScope;
      return;
    case State::Start:
      return handleStart(Tok);
    case State::UsingScope:
      return handleUsingScope(Tok);
    case State::UsingColon:
      UsesScope = UsingIsOpen = Tok.is(tok::colon);
      return UsesScope ? void(Current = State::Start) : handleInside(Tok);
    case State::Colons:
      return handleColons(Tok);
    case State::Name:
      return handleName(Tok);
    case State::Arguments:
      return handleArguments(Tok);
    case State::FirstArgument:
      return handleFirstArgument(Tok);
    case State::HasParen:
      return handleHasParen(Tok);
    case State::HasFirst:
      return handleHasFirst(Tok);
    case State::HasInside:
      return handleHasInside(Tok);
    case State::HasClosed:
      return handleHasClosed(Tok);
    case State::FilterFirst:
      return handleFilterFirst(Tok);
    case State::FilterInside:
      return handleFilterInside(Tok);
    case State::Inside:
      return handleInside(Tok);
    case State::Outside:
    case State::End:
      Current = State::Outside;
      return;
    }
  }

  void handleStart(Token &Tok) {
    if (UsesScope && !nameOf(Tok).empty())
      return handleNameAfterUsing(Tok);
    if (!isSYCLScope(nameOf(Tok)))
      return handleInside(Tok);
    ScopeTok = Tok;
    replace(Tok, {punctuation(tok::comma, Tok)});
    Current = State::Colons;
  }

  void handleUsingScope(Token &Tok) {
    if (!isSYCLScope(nameOf(Tok)))
      return handleInside(Tok);
    ScopeTok = Tok;
    Current = State::UsingColon;
  }

  void handleColons(Token &Tok) {
    Token Given = Tok;
    if (Tok.is(tok::coloncolon)) {
      replace(Tok, {punctuation(tok::comma, Tok)});
      Current = State::Name;
      return;
    }
    replace(Tok, {ScopeTok, Given});
    handleInside(Given);
  }

  void handleName(Token &Tok) {
    if (isRewritten(Tok))
      return beginAnnotation(Tok, {});
    Token Given = Tok;
    replace(Tok, {ScopeTok, punctuation(tok::coloncolon, ScopeTok), Given});
    handleInside(Given);
  }

  /// `[[using sycl: ...` does not allow another scope. So the list is closed before its first
  /// rewritten attribute and a new one is opened, in which other attributes are given their scope.
  void handleNameAfterUsing(Token &Tok) {
    bool WasOpen = UsingIsOpen;
    if (!isRewritten(Tok))
      return WasOpen ? handleInside(Tok) : handleName(Tok);
    UsingIsOpen = false;
    if (!WasOpen)
      return beginAnnotation(Tok, {});
    Token Close = punctuation(tok::r_square, Tok), Open = punctuation(tok::l_square, Tok);
    beginAnnotation(Tok, {Close, Close, Open, Open});
  }

  bool isRewritten(const Token &Tok) {
    return Tracker.position() != Position::Neither &&
           isSYCLAttribute(nameOf(ScopeTok), nameOf(Tok));
  }

  void beginAnnotation(Token &Tok, std::vector<Token> Toks) {
    Attribute = currentName(nameOf(Tok)).str();
    // After `using`, several attributes share a scope, so their names locate them.
    const Token &At = UsesScope ? Tok : ScopeTok;
    if (Locations)
      Locations->add(At.getLocation(), nameOf(ScopeTok), nameOf(Tok));
    bool OnType = Tracker.position() == Position::Type;
    Toks.push_back(identifier("clang", At));
    Toks.push_back(punctuation(tok::coloncolon, At));
    Toks.push_back(identifier(OnType ? "annotate_type" : "annotate", Tok));
    replace(Tok, Toks);
    Current = State::Arguments;
  }

  void handleArguments(Token &Tok) {
    Token Given = Tok;
    Token Name = string((AnnotationPrefix + Attribute).str(), Tok);
    if (Tok.is(tok::l_paren)) {
      Depth = 1;
      replace(Tok, {Given, Name, punctuation(tok::comma, Tok)});
      Current = State::FirstArgument;
      return;
    }
    replace(Tok, {punctuation(tok::l_paren, Tok), Name, punctuation(tok::r_paren, Tok), Given});
    handleInside(Given);
  }

  void handleFirstArgument(Token &Tok) {
    Token Given = Tok;
    // `()`: the inserted comma needs an argument after it.
    if (Tok.is(tok::r_paren))
      replace(Tok, {string(NoArgument, Tok), Given});
    if (isPropertyList(Attribute) && Tok.is(tok::l_brace)) {
      ++Depth;
      replace(Tok, {string(FilterBegin, Tok), punctuation(tok::comma, Tok)});
      Current = State::FilterFirst;
      return;
    }
    if (!hasAspectArguments(Attribute) || nameOf(Tok) != "has")
      return handleInside(Given);
    Has = Tok;
    replace(Tok, {string(NoArgument, Tok)});
    Current = State::HasParen;
  }

  /// Rewrites `has(A, B)` to its arguments, since no function of that name exists. The other tokens
  /// become placeholders and commas.
  void handleHasParen(Token &Tok) {
    Token Given = Tok, Comma = punctuation(tok::comma, Tok);
    if (Tok.is(tok::l_paren)) {
      ++Depth;
      replace(Tok, {Comma});
      Current = State::HasFirst;
      return;
    }
    replace(Tok, {Comma, Has, Given});
    handleInside(Given);
  }

  void handleHasFirst(Token &Tok) {
    if (Tok.isNot(tok::r_paren))
      return handleHasInside(Tok);
    --Depth;
    replace(Tok, {string(NoArgument, Tok)});
    Current = State::Inside;
  }

  void handleHasInside(Token &Tok) {
    bool Closes = Tok.is(tok::r_paren) && Depth == 2;
    handleInside(Tok);
    if (Closes)
      replace(Tok, {punctuation(tok::comma, Tok)});
    Current = Closes ? State::HasClosed : State::HasInside;
  }

  void handleHasClosed(Token &Tok) {
    Token Given = Tok;
    replace(Tok, {string(NoArgument, Tok), Given});
    handleInside(Given);
  }

  /// Clang cannot evaluate a list in braces, so its elements become arguments between placeholders.
  void handleFilterFirst(Token &Tok) {
    if (Tok.isNot(tok::r_brace))
      return handleFilterInside(Tok);
    --Depth;
    replace(Tok, {string(FilterEnd, Tok)});
    Current = State::Inside;
  }

  void handleFilterInside(Token &Tok) {
    bool Closes = Tok.is(tok::r_brace) && Depth == 2;
    handleInside(Tok);
    if (Closes)
      replace(Tok, {punctuation(tok::comma, Tok), string(FilterEnd, Tok)});
    else if (Current == State::Inside)
      Current = State::FilterInside;
  }

  void handleInside(const Token &Tok) {
    Current = State::Inside;
    if (Tok.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++Depth;
    else if ((Tok.is(tok::r_square) && Depth == 0) || Tok.is(tok::eof))
      Current = State::End;
    else if (Tok.isOneOf(tok::r_paren, tok::r_brace, tok::r_square))
      --Depth;
    else if (Tok.is(tok::comma) && Depth == 0)
      Current = State::Start;
  }

  /// Replaces the token that is being delivered, and the copy that the parser backtracks to, by one
  /// or more others. The rewriter does not see the tokens after the first.
  void replace(Token &Tok, llvm::ArrayRef<Token> Toks) {
    bool Cached = PP.IsPreviousCachedToken(Tok);
    Tok = Toks.front();
    if (Cached) {
      Token Copy = Tok;
      Copy.setFlag(Token::IsReinjected);
      PP.ReplacePreviousCachedToken({Copy});
    }
    Toks = Toks.drop_front();
    if (Toks.empty())
      return;
    auto Stream = std::make_unique<Token[]>(Toks.size());
    llvm::copy(Toks, Stream.get());
    PP.EnterTokenStream(std::move(Stream), Toks.size(), /*DisableMacroExpansion=*/true,
                        /*IsReinject=*/true);
  }

  Token newToken(tok::TokenKind Kind, const Token &At) {
    Token Tok;
    Tok.startToken();
    Tok.setKind(Kind);
    Tok.setLocation(At.getLocation());
    return Tok;
  }

  Token punctuation(tok::TokenKind Kind, const Token &At) {
    Token Tok = newToken(Kind, At);
    Tok.setLength(1);
    return Tok;
  }

  Token identifier(StringRef Name, const Token &At) {
    Token Tok = newToken(tok::identifier, At);
    Tok.setLength(At.getLength());
    Tok.setIdentifierInfo(PP.getIdentifierInfo(Name));
    return Tok;
  }

  Token string(StringRef Text, const Token &At) {
    Token Tok = newToken(tok::string_literal, At);
    PP.CreateString(("\"" + Text + "\"").str(), Tok, At.getLocation(), At.getLocation());
    return Tok;
  }

  Preprocessor &PP;
  AttributeLocations *Locations;
  PositionTracker Tracker;
  State Current = State::Outside;
  std::optional<Token> Square; // a `[` that may begin an attribute list
  Token ScopeTok;
  Token Has;
  std::string Attribute;
  bool UsesScope = false;   // in [[using sycl: ...]]
  bool UsingIsOpen = false; // the parser is still in the list with `using`
  int Depth = 0;
};

} // namespace

void AttributeLocations::add(SourceLocation Loc, StringRef ScopeName, StringRef Name) {
  Names.try_emplace(Loc, (ScopeName + "::" + Name).str());
  // Attributes in system headers, which include the SYCL headers, are correct.
  if (!SM.isInSystemHeader(Loc))
    Unchecked.push_back(Loc);
}

namespace {

/// Watches user files, and system headers that mention SYCL. Other system headers, which are most
/// of the tokens of a source, contain no SYCL attributes.
class FileWatcher : public PPCallbacks {
public:
  FileWatcher(const SourceManager &SM, std::shared_ptr<bool> IsWatched)
      : SM(SM), IsWatched(std::move(IsWatched)) {}

  void FileChanged(SourceLocation Loc, FileChangeReason, SrcMgr::CharacteristicKind Kind,
                   FileID) override {
    *IsWatched = !SrcMgr::isSystem(Kind) || mentionsSYCL(SM.getFileID(Loc));
  }

private:
  bool mentionsSYCL(FileID File) {
    auto [It, Inserted] = Known.try_emplace(File, true);
    if (Inserted)
      if (auto Buffer = SM.getBufferDataOrNone(File))
        It->second = Buffer->contains("sycl") || Buffer->contains("SYCL");
    return It->second;
  }

  const SourceManager &SM;
  std::shared_ptr<bool> IsWatched;
  llvm::DenseMap<FileID, bool> Known;
};

} // namespace

void rewriteAttributes(Preprocessor &PP, AttributeLocations *Locations) {
  auto Rewriter = std::make_shared<AttributeRewriter>(PP, Locations);
  auto IsWatched = std::make_shared<bool>(true);
  PP.addPPCallbacks(std::make_unique<FileWatcher>(PP.getSourceManager(), IsWatched));
  // The watcher receives a reference to the token that the parser is about to read. The interface
  // makes it const, but changing it is the point.
  PP.setTokenWatcher([Rewriter, IsWatched](const Token &Tok) {
    if (*IsWatched)
      Rewriter->onToken(const_cast<Token &>(Tok));
  });
}

} // namespace dovetail
