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

/// C++ lets every attribute name be written with two underscores on either side.
StringRef withoutUnderscores(StringRef name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
    return name.drop_front(2).drop_back(2);
  return name;
}

/// The identifier or keyword, without underscores; empty for every other token.
StringRef nameOf(const Token &token) {
  if (token.isAnnotation() || !token.getIdentifierInfo())
    return "";
  return withoutUnderscores(token.getIdentifierInfo()->getName());
}

/// Watches the tokens on their way to the parser and changes those of our attributes.
///
/// The scope comes before the name that tells whether an attribute is ours. C++ allows commas
/// without attributes between them, so the parser is given one for `sycl` and one for `::`; scope
/// and colons, ours or the source's, are put in again with the name. A token that is changed in
/// place leaves nothing of the old spelling behind, also when the parser looks at it a second time.
class AttributeRewriter {
public:
  AttributeRewriter(Preprocessor &preprocessor, AttributePlaces *places)
      : preprocessor(preprocessor), places(places) {}

  void onToken(Token &token) {
    if (state != State::Outside)
      return step(token);
    if (!square) {
      if (token.is(tok::l_square))
        square = token;
      else
        tracker.onToken(token);
      return;
    }
    if (token.is(tok::l_square)) {
      square.reset();
      return enter();
    }
    tracker.onToken(*square);
    square.reset();
    tracker.onToken(token);
  }

private:
  enum class State {
    Outside,       // not in an attribute list
    First,         // at its start: `using` may follow
    Start,         // an attribute may follow
    UsingScope,    // after `using`
    UsingColon,    // after `using sycl`
    Colons,        // after our scope
    Name,          // after our scope and `::`
    Arguments,     // after our attribute's name: `(` if it has arguments
    FirstArgument, // after `(`; the annotation's name has been put in
    HasParen,      // after `has`, the first argument
    HasFirst,      // after `has(`
    HasInside,     // behind that
    HasClosed,     // after the `)` that belongs to it
    FilterFirst,   // after `{`, the first argument: names of properties that are kept
    FilterInside,  // behind that
    Inside,        // in the rest of an attribute
    End,           // after the first bracket that closes the list
  };

  void enter() {
    usesScope = usingStands = false;
    depth = 0;
    state = State::First;
  }

  void step(Token &token) {
    // Nothing can be put in front of the end.
    if (token.is(tok::eof))
      state = State::Inside;
    switch (state) {
    case State::First:
      if (token.isNot(tok::kw_using))
        return start(token);
      state = State::UsingScope;
      return;
    case State::Start:
      return start(token);
    case State::UsingScope:
      return usingScope(token);
    case State::UsingColon:
      usesScope = usingStands = token.is(tok::colon);
      return usesScope ? void(state = State::Start) : inside(token);
    case State::Colons:
      return takeColons(token);
    case State::Name:
      return takeName(token);
    case State::Arguments:
      return takeArguments(token);
    case State::FirstArgument:
      return takeFirstArgument(token);
    case State::HasParen:
      return takeHasParen(token);
    case State::HasFirst:
      return takeHasFirst(token);
    case State::HasInside:
      return hasInside(token);
    case State::HasClosed:
      return takeHasClosed(token);
    case State::FilterFirst:
      return takeFilterFirst(token);
    case State::FilterInside:
      return filterInside(token);
    case State::Inside:
      return inside(token);
    case State::Outside:
    case State::End:
      state = State::Outside;
      return;
    }
  }

  void start(Token &token) {
    if (usesScope && !nameOf(token).empty())
      return takeNameAfterUsing(token);
    if (!isAttributeScope(nameOf(token)))
      return inside(token);
    scope = token;
    replace(token, {punctuation(tok::comma, token)});
    state = State::Colons;
  }

  void usingScope(Token &token) {
    if (!isAttributeScope(nameOf(token)))
      return inside(token);
    scope = token;
    state = State::UsingColon;
  }

  void takeColons(Token &token) {
    Token given = token;
    if (token.is(tok::coloncolon)) {
      replace(token, {punctuation(tok::comma, token)});
      state = State::Name;
      return;
    }
    replace(token, {scope, given});
    inside(given);
  }

  void takeName(Token &token) {
    if (isOurs(token))
      return beginAnnotation(token, {});
    Token given = token;
    replace(token, {scope, punctuation(tok::coloncolon, scope), given});
    inside(given);
  }

  /// `[[using sycl: ...` has no place for another scope; so it ends where our first attribute
  /// begins, and names that are not ours carry their scope from there on.
  void takeNameAfterUsing(Token &token) {
    bool stood = usingStands;
    if (!isOurs(token))
      return stood ? inside(token) : takeName(token);
    usingStands = false;
    if (!stood)
      return beginAnnotation(token, {});
    Token close = punctuation(tok::r_square, token), open = punctuation(tok::l_square, token);
    beginAnnotation(token, {close, close, open, open});
  }

  bool isOurs(const Token &token) {
    return tracker.position() != Position::Neither && isAttribute(nameOf(scope), nameOf(token));
  }

  void beginAnnotation(Token &token, std::vector<Token> tokens) {
    attribute = todaysName(nameOf(token)).str();
    // After `using`, several attributes have one scope, and a place each.
    const Token &place = usesScope ? token : scope;
    if (places)
      places->add(place.getLocation(), nameOf(scope), nameOf(token));
    bool onType = tracker.position() == Position::Type;
    tokens.push_back(identifier("clang", place));
    tokens.push_back(punctuation(tok::coloncolon, place));
    tokens.push_back(identifier(onType ? "annotate_type" : "annotate", token));
    replace(token, tokens);
    state = State::Arguments;
  }

  void takeArguments(Token &token) {
    Token given = token;
    Token name = string((annotationPrefix + attribute).str(), token);
    if (token.is(tok::l_paren)) {
      depth = 1;
      replace(token, {given, name, punctuation(tok::comma, token)});
      state = State::FirstArgument;
      return;
    }
    replace(token,
            {punctuation(tok::l_paren, token), name, punctuation(tok::r_paren, token), given});
    inside(given);
  }

  void takeFirstArgument(Token &token) {
    Token given = token;
    // `()`: the comma that we have put in needs an argument behind it.
    if (token.is(tok::r_paren))
      replace(token, {string(noArgument, token), given});
    if (takesProperties(attribute) && token.is(tok::l_brace)) {
      ++depth;
      replace(token, {string(filterBegin, token), punctuation(tok::comma, token)});
      state = State::FilterFirst;
      return;
    }
    if (!takesAspects(attribute) || nameOf(token) != "has")
      return inside(given);
    has = token;
    replace(token, {string(noArgument, token)});
    state = State::HasParen;
  }

  /// Of `has(A, B)` only the arguments stay; no function of that name need be in scope. In place of
  /// what goes, clang is given arguments that say nothing, and commas.
  void takeHasParen(Token &token) {
    Token given = token, comma = punctuation(tok::comma, token);
    if (token.is(tok::l_paren)) {
      ++depth;
      replace(token, {comma});
      state = State::HasFirst;
      return;
    }
    replace(token, {comma, has, given});
    inside(given);
  }

  void takeHasFirst(Token &token) {
    if (token.isNot(tok::r_paren))
      return hasInside(token);
    --depth;
    replace(token, {string(noArgument, token)});
    state = State::Inside;
  }

  void hasInside(Token &token) {
    bool closes = token.is(tok::r_paren) && depth == 2;
    inside(token);
    if (closes)
      replace(token, {punctuation(tok::comma, token)});
    state = closes ? State::HasClosed : State::HasInside;
  }

  void takeHasClosed(Token &token) {
    Token given = token;
    replace(token, {string(noArgument, token), given});
    inside(given);
  }

  /// Clang cannot evaluate a list in braces, so what is in it becomes arguments between two others.
  void takeFilterFirst(Token &token) {
    if (token.isNot(tok::r_brace))
      return filterInside(token);
    --depth;
    replace(token, {string(filterEnd, token)});
    state = State::Inside;
  }

  void filterInside(Token &token) {
    bool closes = token.is(tok::r_brace) && depth == 2;
    inside(token);
    if (closes)
      replace(token, {punctuation(tok::comma, token), string(filterEnd, token)});
    else if (state == State::Inside)
      state = State::FilterInside;
  }

  void inside(const Token &token) {
    state = State::Inside;
    if (token.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++depth;
    else if ((token.is(tok::r_square) && depth == 0) || token.is(tok::eof))
      state = State::End;
    else if (token.isOneOf(tok::r_paren, tok::r_brace, tok::r_square))
      --depth;
    else if (token.is(tok::comma) && depth == 0)
      state = State::Start;
  }

  /// Changes the token that is being delivered and, if the parser may come back to it, its copy.
  /// What follows the first of the new tokens does not come through here.
  void replace(Token &token, llvm::ArrayRef<Token> tokens) {
    bool cached = preprocessor.IsPreviousCachedToken(token);
    token = tokens.front();
    if (cached) {
      Token copy = token;
      copy.setFlag(Token::IsReinjected);
      preprocessor.ReplacePreviousCachedToken({copy});
    }
    tokens = tokens.drop_front();
    if (tokens.empty())
      return;
    auto stream = std::make_unique<Token[]>(tokens.size());
    std::copy(tokens.begin(), tokens.end(), stream.get());
    preprocessor.EnterTokenStream(std::move(stream), tokens.size(), /*DisableMacroExpansion=*/true,
                                  /*IsReinject=*/true);
  }

  Token newToken(tok::TokenKind kind, const Token &place) {
    Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(place.getLocation());
    return token;
  }

  Token punctuation(tok::TokenKind kind, const Token &place) {
    Token token = newToken(kind, place);
    token.setLength(1);
    return token;
  }

  Token identifier(StringRef name, const Token &place) {
    Token token = newToken(tok::identifier, place);
    token.setLength(place.getLength());
    token.setIdentifierInfo(preprocessor.getIdentifierInfo(name));
    return token;
  }

  Token string(StringRef text, const Token &place) {
    Token token = newToken(tok::string_literal, place);
    preprocessor.CreateString(("\"" + text + "\"").str(), token, place.getLocation(),
                              place.getLocation());
    return token;
  }

  Preprocessor &preprocessor;
  AttributePlaces *places;
  PositionTracker tracker;
  State state = State::Outside;
  std::optional<Token> square; // a `[` that may begin an attribute list
  Token scope;
  Token has;
  std::string attribute;
  bool usesScope = false;   // [[using sycl: ...]]
  bool usingStands = false; // and the parser still reads it so
  int depth = 0;
};

} // namespace

void AttributePlaces::add(SourceLocation place, StringRef scope, StringRef name) {
  names.try_emplace(place, (scope + "::" + name).str());
  // Headers of the system, ours among them, are right.
  if (!sources.isInSystemHeader(place))
    unchecked.push_back(place);
}

namespace {

/// Tells whether the file that is being read can have attributes of ours in it. Most of what a
/// compiler reads are headers of the system that have never heard of SYCL.
class FileWatcher : public PPCallbacks {
public:
  FileWatcher(const SourceManager &sources, std::shared_ptr<bool> isWatched)
      : sources(sources), isWatched(std::move(isWatched)) {}

  void FileChanged(SourceLocation place, FileChangeReason, SrcMgr::CharacteristicKind kind,
                   FileID) override {
    *isWatched = !SrcMgr::isSystem(kind) || mentionsUs(sources.getFileID(place));
  }

private:
  bool mentionsUs(FileID file) {
    auto [entry, isNew] = known.try_emplace(file, true);
    if (isNew)
      if (auto buffer = sources.getBufferDataOrNone(file))
        entry->second = buffer->contains("sycl") || buffer->contains("SYCL");
    return entry->second;
  }

  const SourceManager &sources;
  std::shared_ptr<bool> isWatched;
  llvm::DenseMap<FileID, bool> known;
};

} // namespace

void rewriteAttributes(Preprocessor &preprocessor, AttributePlaces *places) {
  auto rewriter = std::make_shared<AttributeRewriter>(preprocessor, places);
  auto isWatched = std::make_shared<bool>(true);
  preprocessor.addPPCallbacks(
      std::make_unique<FileWatcher>(preprocessor.getSourceManager(), isWatched));
  // The watcher is given the very token that the parser will see; clang only means it to look.
  preprocessor.setTokenWatcher([rewriter, isWatched](const Token &token) {
    if (*isWatched)
      rewriter->onToken(const_cast<Token &>(token));
  });
}

} // namespace dovetail
