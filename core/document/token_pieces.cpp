// Positions of tokens in a text.
#include "document/token_pieces.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::string_view kContinues = "##", kGoesOn = "@@", kEnd = "</w>", kJoiner = "￭";
// Marks at the front of a token that join it to the previous one, or at its end that join it to the
// next.
constexpr std::pair<std::string_view, bool> kMarks[] = {
    {kContinues, true}, {kJoiner, true}, {kGoesOn, false}, {kJoiner, false}};
constexpr const char* kPartsOfOne = " parts of a character";
constexpr std::string_view kClosing = ".,;:!?)]}%’”»…";

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

struct PieceSpelling {
  std::string_view blank = {};  // mark of the blanks with which tokens begin; empty: none have them
  bool has_ends = false;        // words end in a mark
};

PieceSpelling spelling_of(const TokenList& tokens, std::size_t count) {
  constexpr std::string_view kSigns[] = {"␣", "Ġ", "▁"};
  const std::string_view blank = kSigns[static_cast<std::size_t>(tokens.writing())];
  PieceSpelling spelling{tokens.writing() == TokenWriting::Plain ? "" : blank};
  for (std::size_t i = 0; i < count; ++i) {
    const std::string token = tokens.spoken(i);
    if (token.size() > 1 && token.starts_with(' ')) spelling.blank = blank;
    spelling.has_ends |= token.size() > kEnd.size() && token.ends_with(kEnd);
  }
  return spelling;
}

// A token without its marks, and flags for joining it to its neighbours.
struct MarkedToken {
  std::string text = {};
  std::string_view to_last = {}, to_next = {};
};

MarkedToken marked(const TokenList& tokens, std::size_t index, const PieceSpelling& spelling) {
  const auto is_apart = [&](std::size_t i) {
    return i >= tokens.size() || is_special_token(tokens[i]);
  };
  MarkedToken token{tokens.shared_text(index).text};
  if (is_apart(index)) return token;
  std::string_view text = token.text;
  if (!spelling.blank.empty()) {
    if (!text.starts_with(' ')) token.to_last = spelling.blank;
    return token;
  }
  if (spelling.has_ends && text.ends_with(kEnd)) {
    text.remove_suffix(kEnd.size());
  } else if (spelling.has_ends && !is_apart(index + 1)) {
    token.to_next = kEnd;
  }
  for (const auto& [mark, is_first] : kMarks) {
    const bool is_there = is_first ? text.starts_with(mark) : text.ends_with(mark);
    const bool joins = is_there && text.size() > mark.size() &&
                       !is_apart(is_first ? index - 1 : index + 1) && !spelling.has_ends;
    if (!joins) continue;
    (is_first ? token.to_last : token.to_next) = mark;
    text = text.substr(is_first ? mark.size() : 0, text.size() - mark.size());
  }
  token.text = std::string(text);
  return token;
}

void join(TokenPiece& piece, const PieceSpelling& spelling, const MarkedToken& last,
          const MarkedToken& token) {
  const std::string_view mark = token.to_last.empty() ? last.to_next : token.to_last;
  const Border border = border_of(last.text, token.text);
  const bool has_blanks = !spelling.blank.empty(), is_explicit = mark == kGoesOn || mark == kEnd;
  piece.is_glued = has_blanks
                       ? last.text.find('\n') == last.text.npos && !token.text.starts_with(' ')
                       : !mark.empty() || border.is_east_asian() || closes(token.text);
  piece.continues_word = !mark.empty() && (is_explicit || border.is_within_word() ||
                                           (!has_blanks && border.is_east_asian()));
  if (piece.continues_word) piece.joined_by = "`" + std::string(mark) + "`";
}

}  // namespace

std::vector<TokenPiece> pieces_of(const TokenList& tokens, std::size_t most, bool as_written) {
  const TokenList spoken = tokens.as_written(false);
  const std::size_t count = std::min(most, tokens.size());
  const PieceSpelling spelling = spelling_of(spoken, count);
  const auto shown = [](const std::string& text) {
    const std::string_view inner = without_blanks(text);
    return visible_token(inner.empty() ? text : inner);
  };
  std::vector<TokenPiece> pieces;
  MarkedToken last;
  for (std::size_t i = 0; i < count; ++i) {
    TokenPiece piece{.first = i};
    MarkedToken token = marked(spoken, i, spelling);
    const SharedText shared = spoken.shared_text(i);
    const bool is_rest = i > shared.first;
    if (is_rest) {
      piece.is_glued = as_written;
      piece.continues_word = true;
      piece.joined_by = i > shared.first + 1 ? "" : std::to_string(shared.count) + kPartsOfOne;
    } else if (i > 0) {
      join(piece, spelling, last, token);
    }
    const bool is_whole =
        shared.count > 1 || (token.to_last == kContinues && !piece.continues_word);
    piece.in_word = as_written ? visible_token(tokens.as_written().spoken(i))
                    : is_rest  ? ""
                               : shown(token.text);
    piece.text = is_whole && !as_written ? shown(spoken.spoken(i)) : piece.in_word;
    piece.ends_line = token.text.find('\n') != token.text.npos;
    pieces.push_back(std::move(piece));
    last = std::move(token);
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
    words.back().in_word += piece.in_word;
    words.back().text = words.back().in_word;
    words.back().count += piece.count;
    words.back().ends_line = piece.ends_line;
  }
  return words;
}

std::string joins_of(const std::vector<TokenPiece>& pieces) {
  std::map<std::string, std::size_t> counts;
  for (const TokenPiece& piece : pieces) {
    if (!piece.joined_by.empty()) ++counts[piece.joined_by];
  }
  return joined(counts, ", ",
                [](const auto& each) { return grouped_text(each.second) + " of " + each.first; });
}

}  // namespace attn
