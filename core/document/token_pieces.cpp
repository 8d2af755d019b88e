// Where tokens stand in a text.
#include "document/token_pieces.h"

#include <algorithm>
#include <string_view>

#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::string_view kContinues = "##", kClosing = ".,;:!?)]}%’”»…";

bool is_piece(std::string_view token) {
  return token.size() > kContinues.size() && token.starts_with(kContinues);
}

bool is_letter(char32_t c) {
  const bool is_ascii =
      (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\'';
  return is_ascii || (c >= 0x80 && !is_east_asian(c));
}

// The last and the first letter of neighbours.
struct Border {
  char32_t before = 0, after = 0;
  bool is_within_word() const { return is_letter(before) && is_letter(after); }
  bool is_east_asian() const { return attn::is_east_asian(before) && attn::is_east_asian(after); }
};

Border border_of(std::string_view before, std::string_view after) {
  const std::vector<char32_t> a = code_points(before), b = code_points(after);
  return {a.empty() ? 0 : a.back(), b.empty() ? 0 : b.front()};
}

bool closes(std::string_view token) {
  const std::vector<char32_t> closing = code_points(kClosing), letters = code_points(token);
  return !letters.empty() && std::ranges::all_of(letters, [&](char32_t c) {
    return std::ranges::find(closing, c) != closing.end();
  });
}

struct Spelling {
  bool has_blanks = false;  // tokens begin with the blanks before them
  bool has_pieces = false;
};

Spelling spelling_of(const TokenList& tokens, std::size_t count) {
  Spelling spelling;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string token = tokens.spoken(i);
    spelling.has_blanks = spelling.has_blanks || (token.size() > 1 && token.starts_with(' '));
    spelling.has_pieces = spelling.has_pieces || is_piece(token);
  }
  return spelling;
}

void join(TokenPiece& piece, const Spelling& spelling, const std::string& before,
          const std::string& token) {
  const bool after_break = before.find('\n') != before.npos;
  const std::string_view text = is_piece(token) ? std::string_view(token).substr(2) : token;
  const Border border = border_of(before, text);
  if (spelling.has_blanks) {
    piece.is_glued = !after_break && !token.starts_with(' ');
  } else {
    piece.is_glued = is_piece(token) || border.is_east_asian() || closes(token);
  }
  const bool may_continue = spelling.has_blanks ? piece.is_glued : is_piece(token);
  piece.continues_word = may_continue && border.is_within_word();
}

}  // namespace

std::vector<TokenPiece> pieces_of(const TokenList& tokens, std::size_t most, bool as_written) {
  const TokenList spoken = tokens.as_spoken();
  const std::size_t count = std::min(most, tokens.size());
  const Spelling spelling = spelling_of(spoken, count);
  std::vector<TokenPiece> pieces;
  std::string before;
  for (std::size_t i = 0; i < count; ++i) {
    TokenPiece piece{.first = i};
    const std::string token = spoken.spoken(i);
    if (i > 0) join(piece, spelling, before, token);
    std::string_view shown = without_blanks(token);
    if (is_piece(token) && piece.continues_word) shown.remove_prefix(kContinues.size());
    piece.text =
        as_written ? visible_token(tokens[i]) : visible_token(shown.empty() ? token : shown);
    piece.ends_line = token.find('\n') != token.npos;
    pieces.push_back(std::move(piece));
    before = token;
  }
  return pieces;
}

std::vector<TokenPiece> words_of(const std::vector<TokenPiece>& pieces) {
  std::vector<TokenPiece> words;
  for (const TokenPiece& piece : pieces) {
    if (words.empty() || !piece.continues_word) {
      words.push_back(piece);
      continue;
    }
    words.back().text += piece.text;
    words.back().count += piece.count;
    words.back().ends_line = piece.ends_line;
  }
  return words;
}

}  // namespace attn
