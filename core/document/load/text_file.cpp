// Numbers of text as given weights or embeddings, with the names beside them.
#include "document/load/text_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/draft/draft.h"
#include "numbers/alignments.h"
#include "numbers/read_numbers.h"

namespace attn {
namespace {

constexpr double kRowSumSlack = 1e-2;  // printed weights are rounded
constexpr const char* kTextForms =
    "JSON, a table of numbers between commas, semicolons, tabs or blanks, a list of rows, or "
    "alignments of fairseq, Marian, Nematus, OpenNMT-py or Pharaoh";

// What --arrays can say of a text; rows are queries unless they are said to be keys.
constexpr std::string_view kAsAttention = "attention=table",
                           kAsEmbeddings = "attention=", kTurned = "axes=key,query";
constexpr const char* kWords =
    "attention=table, attention= (embeddings) or axes=key,query (rows are keys)";

// Tables of one meaning, and the axes outside of their rows.
struct Tables {
  std::vector<std::string> axes{};  // "layer", "head"
  Shape shape{};                    // of these axes
  std::vector<NumberTable> all{};
  std::vector<std::uint64_t> layers{};  // their numbers
};

bool are_weights(const NumberTable& table) {
  const std::span<const float> all = table.values;
  bool are_shares = table.cols > 1;
  for (std::size_t first = 0; are_shares && first < all.size(); first += table.cols) {
    const auto row = all.subspan(first, table.cols);
    are_shares = std::ranges::all_of(row, [](float value) { return value >= 0.0F; }) &&
                 std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1.0) <= kRowSumSlack;
  }
  return are_shares;
}

// True for a table of queries and keys as the program writes it, and not one of features.
bool is_of_keys(const NumberTable& table) {
  return table.corner == "query" && (table.row_labels == table.column_labels ||
                                     !std::ranges::all_of(table.column_labels, looks_numeric));
}

// The columns in front that number samples, layers and heads become axes.
Result<Tables> parts_of_table(NumberTable table) {
  const std::vector<std::string>& names = table.column_labels;
  const auto outer = std::ranges::find_if_not(names, is_numbering) - names.begin();
  if (outer == 0 || std::cmp_equal(outer, table.cols)) return Tables{{}, {}, {std::move(table)}};
  constexpr float kMostNumber = 1e6F;
  std::map<std::vector<std::uint64_t>, NumberTable> parts;
  std::vector<std::set<std::uint64_t>> numbers(static_cast<std::size_t>(outer));
  for (std::size_t row = 0; row < table.rows; ++row) {
    const float* const cells = &table.values[row * table.cols];
    std::vector<std::uint64_t> place;
    for (std::size_t col = 0; col < numbers.size(); ++col) {
      const bool is_number = cells[col] >= 0.0F && cells[col] < kMostNumber;
      place.push_back(is_number ? static_cast<std::uint64_t>(cells[col]) : 0);
      numbers[col].insert(place.back());
      if (static_cast<float>(place.back()) != cells[col]) return Tables{{}, {}, {std::move(table)}};
    }
    NumberTable& part = parts[place];
    part.cols = table.cols - numbers.size();
    ++part.rows;
    part.values.insert(part.values.end(), cells + outer, cells + table.cols);
    part.column_labels.assign(names.begin() + outer, names.end());
    if (!table.row_labels.empty()) part.row_labels.push_back(table.row_labels[row]);
  }
  Tables tables{{names.begin(), names.begin() + outer}};
  for (const auto& distinct : numbers) tables.shape.push_back(distinct.size());
  const auto layer = std::ranges::find(tables.axes, "layer") - tables.axes.begin();
  if (layer < outer) tables.layers.assign(numbers[layer].begin(), numbers[layer].end());
  for (auto& [place, part] : parts) tables.all.push_back(std::move(part));
  const auto is_alike = [&](const NumberTable& part) { return part.rows == tables.all[0].rows; };
  if (std::ranges::all_of(tables.all, is_alike) &&
      tables.all.size() == element_count(tables.shape)) {
    return tables;
  }
  return refusal_at(
      "", "the " + joined(tables.axes) + " of rows are not numbered evenly",
      counted(tables.all.size(), "part") + " of " + std::to_string(table.rows) + " rows",
      "as many rows for each " + joined(tables.axes, " and "));
}

TokenList tokens_of_labels(const std::vector<std::string>& labels, std::size_t count) {
  return labels.empty() ? TokenList::counted(count) : TokenList(labels);
}

// Fills shorter tables up with zeros.
Status stack(const Tables& tables, std::uint64_t limit_bytes, DocumentText& text) {
  std::size_t rows = 1, cols = 1;
  for (const NumberTable& table : tables.all) {
    rows = std::max(rows, table.rows);
    cols = std::max(cols, table.cols);
  }
  Shape shape = tables.shape;
  shape.insert(shape.end(), {rows, cols});
  const std::uint64_t bytes = element_count({element_count(shape), sizeof(float)});
  if (bytes > limit_bytes) {
    return over_memory("filling up the shorter sentences would need more memory than is allowed",
                       bytes, limit_bytes, "split the file, or raise the memory limit");
  }
  std::vector<float> numbers(element_count(shape));
  for (std::size_t i = 0; i < tables.all.size() * rows; ++i) {
    const NumberTable& table = tables.all[i / rows];
    const std::size_t row = i % rows;
    if (row >= table.rows) continue;
    std::copy_n(&table.values[row * table.cols], table.cols, &numbers[i * cols]);
  }
  text.attention = Tensor(shape, std::move(numbers));
  text.layer_numbers = tables.layers;
  return ok_status();
}

// Names of both sides that are the same, or of one side of a square, are those of one sequence.
void name_sides(const Tables& tables, bool has_two_sides, bool is_turned, DocumentText& text) {
  const auto sample = std::ranges::find(tables.axes, "sample") - tables.axes.begin();
  std::size_t samples = 1, step = 1;
  for (std::size_t axis = 0; axis < tables.axes.size(); ++axis) {
    (std::cmp_equal(axis, sample) ? samples : step) *=
        std::cmp_less(axis, sample) ? 1 : tables.shape[axis];
  }
  bool is_one = !has_two_sides;
  TokenLists rows, columns;
  for (std::size_t i = 0; i < samples; ++i) {
    const NumberTable& table = tables.all[i * step];
    rows.push_back(tokens_of_labels(table.row_labels, table.rows));
    columns.push_back(tokens_of_labels(table.column_labels, table.cols));
    is_one = is_one && table.rows == table.cols &&
             (table.row_labels.empty() || table.column_labels.empty() || rows == columns);
  }
  if (is_turned) rows.swap(columns);
  if (is_one) {
    text.tokens = rows.front().names().empty() ? std::move(columns) : std::move(rows);
  } else {
    text.query_tokens = std::move(rows);
    text.key_tokens = std::move(columns);
  }
  text.axes = tables.axes;
  text.axes->insert(text.axes->end(), {is_turned ? "key" : "query", is_turned ? "query" : "key"});
}

Result<Reading> attention_of_text(const Tables& tables, bool has_two_sides, std::string taken_as,
                                  const ReadOptions& options) {
  DocumentText text;
  const Status fits = stack(tables, options.memory_limit_bytes, text);
  if (!fits) return fits.error();
  name_sides(tables, has_two_sides, options.arrays == kTurned, text);
  return document_of(std::move(text), std::move(taken_as), options);
}

Result<Reading> sentences_of_text(Alignments alignments, const ReadOptions& options) {
  const std::size_t count = alignments.sentences.size();
  const bool is_turned = options.arrays == kTurned;
  const char* const sides[] = {"words of the translation", "words of the source"};
  std::string taken_as = alignments.form + ", " + counted(count, "sentence") + ": rows are " +
                         sides[is_turned] + ", columns " + sides[!is_turned];
  if (alignments.are_pairs) taken_as += "; pairs are source-translation (those of amun are turned)";
  return attention_of_text({{"sample"}, {count}, std::move(alignments.sentences)}, true,
                           std::move(taken_as), options);
}

Result<Reading> table_of_text(NumberTable table, const ReadOptions& options) {
  const bool sum_to_one = are_weights(table);
  const bool is_attention = options.arrays != kAsEmbeddings &&
                            (sum_to_one || is_of_keys(table) || !options.arrays.empty());
  const std::string rows = std::to_string(table.rows) + " × ";
  const Result<Tables> parts = parts_of_table(table);
  if (!parts) return parts.error();
  if (is_attention || (!parts->axes.empty() && options.arrays != kAsEmbeddings)) {
    std::string taken_as = rows + std::to_string(parts->all.front().cols) +
                           " numbers as finished attention" +
                           (sum_to_one ? " weights: every row sums to 1" : "");
    for (std::size_t i = 0; i < parts->axes.size(); ++i) {
      taken_as += ", " + counted(parts->shape[i], parts->axes[i]);
    }
    return attention_of_text(*parts, false, std::move(taken_as), options);
  }
  DocumentText text;
  text.embeddings = Tensor({table.rows, table.cols}, table.values);
  if (!table.row_labels.empty()) text.tokens = {TokenList(table.row_labels)};
  text.features.only = table.column_labels;
  return document_of(std::move(text),
                     rows + std::to_string(table.cols) + " numbers as embeddings X of " +
                         counted(table.rows, "token"),
                     options);
}

// Text of no known form is not taken for words.
Error unknown_form(std::string_view text) {
  const std::string_view start = without_blanks(text.substr(0, 1000));
  if (start.empty()) return refusal_at("", "the file is empty", "no text", kTextForms);
  return refusal_at("", "this is no document, and no text whose form is known",
                    shortened(printable_line(start.substr(0, start.find('\n'))), 40), kTextForms,
                    "for tokens write them as JSON, [\"I\", \"love\"], or paste the text");
}

Result<Reading> whole_text(std::string_view text, const ReadOptions& options) {
  constexpr double kSomeNumbers = 0.2;
  if (text.find('\0') != text.npos) return unknown_form(text);
  if (const Status sound = check_encoding(text, ""); !sound) return sound.error();
  Result<Reading> reading = read_text(text, options);
  if (reading || reading.error().kind != ErrorKind::BadInput || reading.error().line > 0 ||
      are_mostly_numbers(text, kSomeNumbers)) {
    return reading;
  }
  return unknown_form(text);
}

}  // namespace

bool is_json(std::string_view start) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF", kNumber = "0123456789+-.nNiI";
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  if (start.starts_with('{') || !start.starts_with('[')) return start.starts_with('{');
  const std::size_t first = std::min(start.find_first_not_of("[ \t\r\n"), start.size());
  const bool are_numbers = first < start.size() && kNumber.find(start[first]) != kNumber.npos;
  const bool is_deep = std::ranges::count(start.substr(0, first), '[') > 2;
  return !are_numbers || (is_deep && start.find(',') != start.npos);
}

// Words between blanks, brackets and separators.
bool are_mostly_numbers(std::string_view text, double share) {
  constexpr std::string_view kBetween = " \t\r\n,;()[]{}|&\\";
  std::size_t words = 0, numbers = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kBetween), text.size());
    const std::string_view word = text.substr(0, end);
    words += end > 0 ? 1 : 0;
    numbers += is_shortened(word) || (end > 0 && number_of_cell(word, NonFinite::Read)) ? 1 : 0;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers > 1 && static_cast<double>(numbers) > share * static_cast<double>(words);
}

Status check_encoding(std::string_view text, const std::string& file) {
  auto refused = utf8_refusal(text, "the text");
  if (!refused) return ok_status();
  const std::string_view before = text.substr(0, *first_invalid_utf8(text));
  refused->file = file;
  refused->line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  refused->column = before.size() - (before.rfind('\n') + 1) + 1;
  return *std::move(refused);
}

Result<Reading> document_of(DocumentText text, std::string taken_as, const ReadOptions& options) {
  text.seed = options.seed.value_or(text.seed);
  Reading reading = completed(std::move(text), options.memory_limit_bytes, options.progress);
  if (!reading.errors.empty()) return std::move(reading.errors.front());
  reading.taken_as = std::move(taken_as);
  return reading;
}

Result<Reading> read_text(std::string_view text, const ReadOptions& options) {
  const std::string_view known[] = {"", kAsAttention, kAsEmbeddings, kTurned};
  if (std::ranges::count(known, options.arrays) == 0) {
    return refusal_at("/arrays", "this cannot be said of a table", options.arrays, kWords);
  }
  if (const Status fits = check_reading_memory(text, options.memory_limit_bytes); !fits) {
    return fits.error();
  }
  if (auto alignments = read_alignments(text, options.memory_limit_bytes)) {
    return *alignments ? sentences_of_text(**std::move(alignments), options)
                       : Result<Reading>(alignments->error());
  }
  Result<NumberTable> table = read_numbers(text, NonFinite::Read);
  if (!table) return table.error();
  if (table->values.size() > 1) return table_of_text(*std::move(table), options);
  return refusal_at("", "there is a single number", "", "a table of several");
}

Reading read_text_file(const DocumentFile& file) {
  const Result<std::string> text = read_rest(*file.bytes);
  Result<Reading> reading = text ? whole_text(*text, file.options) : Result<Reading>(text.error());
  if (reading && file.options.progress != nullptr && file.options.progress->cancelled) {
    reading = reading_stopped("");
  }
  if (!reading) {
    Error error = named_otherwise(reading.error(), "the file");
    error.file = file.name;
    error.pointer.clear();
    return {.errors = {std::move(error)}};
  }
  const std::filesystem::path path(file.name == "-" ? "" : file.name);
  reading->document.title = path.stem().string();
  reading->document.source = path.filename().string();
  reading->notes.insert(reading->notes.begin(),
                        "read as " + reading->taken_as + "; otherwise with --arrays " + kWords);
  return *std::move(reading);
}

}  // namespace attn
