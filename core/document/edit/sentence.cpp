// Cuts texts at borders of letters, and lets a document follow.
#include "document/edit/sentence.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/enum_table.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/cost.h"
#include "document/edit.h"
#include "document/edit/matching.h"
#include "document/edit/memory.h"
#include "document/edit/rearrange.h"
#include "document/inconsistencies.h"
#include "figure/letters.h"
#include "model/findings.h"

namespace attn {
namespace {

using Texts = std::vector<std::string>;

constexpr std::array<SplitInfo, 3> kSplits{{
    {SplitBy::Words, "words", "Words",
     "Words between blanks; punctuation, other signs and ideographs each by themselves"},
    {SplitBy::Characters, "characters", "Characters",
     "Each character, blanks too; accents and joined emoji stay with theirs"},
    {SplitBy::Lines, "lines", "Lines", "Each line that is not empty"},
}};
static_assert(is_indexed_by(kSplits, &SplitInfo::by));

struct Letter {
  std::string_view text;
  LetterKind kind = LetterKind::Other;
};

std::vector<Letter> letters_of(std::string_view text) {
  const std::vector<std::size_t> borders = letter_borders(text);
  std::vector<Letter> letters;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const std::string_view letter = text.substr(borders[i], borders[i + 1] - borders[i]);
    letters.push_back({letter, letter_kind(code_point_at(letter, 0).value)});
  }
  return letters;
}

bool is_one_of_texts(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::ranges::find(texts, text) != texts.end();
}

bool is_digit(const Letter& letter) { return letter.text[0] >= '0' && letter.text[0] <= '9'; }

// A sign between two letters that are one word: don't, 3.14, snake_case.
bool joins_letters(const Letter& before, const Letter& sign, const Letter& after) {
  if (before.kind != LetterKind::Other || after.kind != LetterKind::Other) return false;
  if (is_one_of_texts(sign.text, {"'", "\u2019", "_"})) return true;
  return is_one_of_texts(sign.text, {".", ","}) && is_digit(before) && is_digit(after);
}

Texts words_in(std::string_view text) {
  const std::vector<Letter> letters = letters_of(text);
  Texts words;
  bool is_open = false;  // the last word may go on
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool joins = letters[i].kind == LetterKind::Sign && is_open && i + 1 < letters.size() &&
                       joins_letters(letters[i - 1], letters[i], letters[i + 1]);
    const bool goes_on = joins || letters[i].kind == LetterKind::Other;
    if (letters[i].kind != LetterKind::Blank) {
      if (!goes_on || !is_open) words.emplace_back();
      words.back() += letters[i].text;
    }
    is_open = goes_on;
  }
  return words;
}

bool is_line_break(std::string_view letter) {
  return is_one_of_texts(letter, {"\n", "\r", "\r\n", "\u2028", "\u2029"});
}

Texts characters_in(std::string_view text) {
  Texts characters;
  for (const Letter& letter : letters_of(text)) {
    if (!is_line_break(letter.text)) characters.emplace_back(letter.text);
  }
  return characters;
}

bool is_blank(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const CodePoint point = code_point_at(line, at);
    if (letter_kind(point.value) != LetterKind::Blank) return false;
    at += point.length;
  }
  return true;
}

Texts lines_in(std::string_view text) {
  Texts lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (!is_blank(text.substr(0, end))) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Error refused_text(const std::string& message, const std::string& found,
                   const std::string& expected) {
  return refusal_at("", message, found, expected);
}

}  // namespace

std::span<const SplitInfo> all_splits() { return kSplits; }

Result<Texts> split_sentence(std::string_view text, SplitBy by) {
  if (text.size() > kMostSentenceBytes) {
    return refused_text("the text is too long to be cut into tokens", bytes_text(text.size()),
                        "at most " + bytes_text(kMostSentenceBytes));
  }
  if (auto refused = utf8_refusal(text, "the text")) return *std::move(refused);
  Texts tokens = by == SplitBy::Words        ? words_in(text)
                 : by == SplitBy::Characters ? characters_in(text)
                                             : lines_in(text);
  if (tokens.empty()) return refused_text("the text has no token", "blanks alone", "a token");
  return tokens;
}

namespace {

// What a side becomes, and which positions of one sample alone have another token.
struct Replacement {
  Rearrangement change;
  std::vector<TokenName> replaced;  // by their new positions, in order
};

// Between two tokens that stay: tokens [first, first + gone) go, others come.
void fill_gap(Replacement& replacement, std::size_t first, std::size_t gone,
              std::span<const std::string> others, bool in_place) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!in_place || i >= gone) {
      replacement.change.add(others[i]);
      continue;
    }
    replacement.replaced.push_back({replacement.change.sources.size(), others[i]});
    replacement.change.sources.push_back(first + i);
  }
}

// `in_place`: a token that takes another one's place keeps its position for the other samples.
Replacement replacement_by(const TokenList& before, const Texts& after, bool in_place) {
  std::vector<std::size_t> places = matched_tokens(before, after);
  places.push_back(before.size());  // the end stays
  Replacement replacement;
  std::size_t next = 0, from = 0;  // the first of before and after that is not done
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] == kNewPlace) continue;
    fill_gap(replacement, next, places[i] - next, std::span(after).subspan(from, i - from),
             in_place);
    if (i < after.size()) replacement.change.sources.push_back(places[i]);
    next = places[i] + 1;
    from = i + 1;
  }
  return replacement;
}

// The names as they were given; a token that was counted and has its number still stays so.
TokenList named(const TokenList& before, const Rearrangement& change, const Texts& tokens) {
  std::vector<TokenName> names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool counts = change.sources[i] == i && before.name_of(i) == nullptr;
    if (!counts || before[i] != tokens[i]) names.push_back({i, tokens[i]});
  }
  return TokenList::counted(tokens.size(), std::move(names));
}

// Rows of one sample get the numbers of other tokens.
void replace_rows(Document& document, Extent side, std::size_t sample,
                  const std::vector<TokenName>& replaced) {
  for (const TensorInfo& info : tensors_of(document.model, shape_of(document.model), 0)) {
    const bool rows_are_tokens = info.axes.size() >= 2 && info.has_axis(Extent::Samples) &&
                                 info.axes[info.axes.size() - 2].extent == side;
    if (!info.is_there() || !rows_are_tokens) continue;
    const std::size_t cols = info.axes.back().count;
    const std::size_t rows = info.axes[info.axes.size() - 2].count;
    std::vector<float> values(info.tensor->values().begin(), info.tensor->values().end());
    for (std::size_t matrix = 0; matrix < values.size() / (rows * cols); ++matrix) {
      if (sample_of_matrix(info, matrix) != sample) continue;
      for (const auto& [row, text] : replaced) {
        std::ranges::copy(
            generated_row_of(document, info, matrix, text, cols),
            values.begin() + static_cast<std::ptrdiff_t>((matrix * rows + row) * cols));
      }
    }
    writable(info) = Tensor(info.tensor->shape(), std::move(values));
  }
}

std::string pointer_of_list(Side side) {
  return side == Side::Query ? "/query_tokens" : "/key_tokens";
}

Error refused_list(Side side, const std::string& message, const std::string& found,
                   const std::string& expected) {
  return refusal_at(pointer_of_list(side), message, found, expected);
}

Status check_texts(Side side, const Texts& tokens) {
  if (tokens.empty()) {
    return refused_list(side, "there must be a token", "no token", "at least one token");
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    auto refused = utf8_refusal(tokens[i], "token " + std::to_string(i));
    if (!refused) continue;
    refused->pointer = pointer_of_list(side);
    return *std::move(refused);
  }
  return ok_status();
}

// Of self-attention both sides are the queries'.
bool is_of_keys(const Document& document, Side side) { return side == Side::Key && document.cross; }

// Which of the lists of a side a sample has: one of its own or the one of all.
std::size_t list_of(const TokenLists& lists, std::size_t sample) {
  return std::min(sample, lists.size() - 1);
}

}  // namespace

Status may_have_tokens(const Document& document, Side side, std::size_t sample, const Texts& tokens,
                       std::uint64_t memory_limit_bytes) {
  if (const Status texts = check_texts(side, tokens); !texts) return texts.error();
  const bool keys = is_of_keys(document, side);
  const TokenLists& lists = keys ? document.key_tokens : document.query_tokens;
  if (std::ranges::equal(lists[list_of(lists, sample)], tokens)) return ok_status();
  AttentionShape shape = shape_of(document);
  if (keys || !document.cross) shape.n_k = tokens.size();
  if (!keys) shape.n_q = tokens.size();
  return fits_in_memory(document, shape, memory_limit_bytes);
}

Result<Document> with_tokens(const Document& document, Side side, std::size_t sample,
                             const Texts& tokens, std::uint64_t memory_limit_bytes) {
  if (const Status may = may_have_tokens(document, side, sample, tokens, memory_limit_bytes); !may)
    return may.error();
  const bool keys = is_of_keys(document, side);
  const TokenLists& lists = keys ? document.key_tokens : document.query_tokens;
  const std::size_t list = list_of(lists, sample);
  const TokenList& before = lists[list];
  if (std::ranges::equal(before, tokens)) return document;
  const Replacement replacement = replacement_by(before, tokens, lists.size() > 1);
  Document changed = with_rearrangement(document, side, replacement.change);
  (keys ? changed.key_tokens : changed.query_tokens)[list] =
      named(before, replacement.change, tokens);
  if (!replacement.replaced.empty()) {
    const bool both = !document.cross;
    if (keys || both) replace_rows(changed, Extent::Keys, list, replacement.replaced);
    if (!keys) replace_rows(changed, Extent::Queries, list, replacement.replaced);
  }
  return if_consistent(std::move(changed));
}

}  // namespace attn
