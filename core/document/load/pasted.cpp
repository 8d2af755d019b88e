// Detection of the format of pasted text, and conversion to a document.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/draft/draft.h"
#include "document/edit/sentence.h"
#include "document/load/open.h"
#include "numbers/read_numbers.h"

namespace attn {
namespace {

constexpr const char* kCopiedText = "the copied text";
constexpr double kRowSumSlack = 1e-2;  // printed weights are rounded

Result<Reading> pasted_document(std::string_view text, const ReadOptions& options) {
  Result<Reading> reading = read_document(text, kCopiedText, options);
  if (reading) reading->taken_as = "a document: " + reading->reading;
  return reading;
}

Result<Reading> document_of(DocumentText text, std::string taken_as, const ReadOptions& options) {
  text.seed = options.seed.value_or(text.seed);
  Reading reading = completed(std::move(text), options.memory_limit_bytes);
  if (!reading.errors.empty()) return std::move(reading.errors.front());
  reading.taken_as = std::move(taken_as);
  return reading;
}

bool are_weights(const NumberTable& table) {
  const std::span<const float> all = table.values;
  bool are_shares = table.rows == table.cols;
  for (std::size_t first = 0; are_shares && first < all.size(); first += table.cols) {
    const auto row = all.subspan(first, table.cols);
    are_shares = std::ranges::all_of(row, [](float value) { return value >= 0.0F; }) &&
                 std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1.0) <= kRowSumSlack;
  }
  return are_shares;
}

TokenLists tokens_named(const std::vector<std::string>& labels) {
  return labels.empty() ? TokenLists() : TokenLists{TokenList(labels)};
}

// Different names of rows and columns mean two sequences.
void name_both_sides(DocumentText& text, const NumberTable& table) {
  const bool both = !table.row_labels.empty() && !table.column_labels.empty();
  if (both && table.row_labels != table.column_labels) {
    text.query_tokens = tokens_named(table.row_labels);
    text.key_tokens = tokens_named(table.column_labels);
    return;
  }
  text.tokens = tokens_named(table.row_labels.empty() ? table.column_labels : table.row_labels);
}

std::string size_words(const NumberTable& table) {
  return std::to_string(table.rows) + " × " + std::to_string(table.cols) + " numbers as ";
}

Result<Reading> pasted_table(const NumberTable& table, const ReadOptions& options) {
  DocumentText text;
  Tensor numbers({table.rows, table.cols}, table.values);
  if (are_weights(table)) {
    text.attention = std::move(numbers);
    name_both_sides(text, table);
    return document_of(std::move(text),
                       size_words(table) + "finished attention weights: every row sums to 1",
                       options);
  }
  text.embeddings = std::move(numbers);
  text.tokens = tokens_named(table.row_labels);
  text.features.only = table.column_labels;
  return document_of(std::move(text),
                     size_words(table) + "embeddings X of " + counted(table.rows, "token"),
                     options);
}

Result<Reading> pasted_words(std::string_view text, const ReadOptions& options) {
  Result<std::vector<std::string>> words = split_sentence(text, SplitBy::Words);
  if (!words) return words.error();
  const std::string taken_as = "a text of " + counted(words->size(), "token");
  DocumentText document;
  document.tokens = TokenLists{TokenList(*std::move(words))};
  return document_of(std::move(document), taken_as, options);
}

// Words between blanks, brackets and separators.
std::vector<std::string_view> pieces_of(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n,;()[]{}|&\\";
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_not_of(kBetween), text.size());
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(kBetween), text.size());
    if (end > 0) pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return pieces;
}

// True for probable tables with a mistake, which must not become words.
bool is_mostly_numbers(std::string_view text) {
  constexpr std::size_t kLeastNumbers = 4;
  const std::vector<std::string_view> pieces = pieces_of(text);
  const auto numbers =
      static_cast<std::size_t>(std::ranges::count_if(pieces, [](std::string_view piece) {
        return is_shortened(piece) || number_of_cell(piece, NonFinite::Read).ok();
      }));
  return numbers >= kLeastNumbers && 4 * numbers > 3 * pieces.size();
}

// A list of texts or of counted tokens; other lists are numbers.
bool is_token_list(std::string_view text) {
  const std::size_t first = text.find_first_not_of("[ \t\r\n");
  return text.starts_with('[') && first != text.npos && (text[first] == '"' || text[first] == '{');
}

// The document reader reports the value with the invalid byte itself.
Status check_encoding(std::string_view text) {
  auto refused = utf8_refusal(text, "the text");
  if (!refused) return ok_status();
  const std::string_view before = text.substr(0, *first_invalid_utf8(text));
  refused->file = kCopiedText;
  refused->line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  refused->column = before.size() - (before.rfind('\n') + 1) + 1;
  return *std::move(refused);
}

}  // namespace

Result<Reading> read_pasted(std::string_view text, const ReadOptions& options) {
  const std::string_view start = without_blanks(text);
  if (start.starts_with('{') || is_token_list(start)) return pasted_document(text, options);
  if (const Status sound = check_encoding(text); !sound) return sound.error();
  if (const Status fits = check_reading_memory(text, options.memory_limit_bytes); !fits) {
    return fits.error();
  }
  const Result<NumberTable> table = read_numbers(text, NonFinite::Read);
  if (table && table->values.size() > 1) return pasted_table(*table, options);
  const bool meant_as_numbers = start.starts_with('[') || is_mostly_numbers(text);
  if (!table && meant_as_numbers) return table.error();
  return pasted_words(text, options);
}

}  // namespace attn
