// Numbers of text, of files and copied, as given weights or embeddings, with the names around them.
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
#include "document/edit/sentence.h"
#include "numbers/alignments.h"
#include "numbers/read_numbers.h"

namespace attn {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr double kRowSumSlack = 1e-2, kSaidSlack = 1e-3;  // printed weights are rounded
constexpr const char* kCopiedText = "the copied text";
constexpr const char* kTextForms =
    "JSON, a table of numbers between commas, semicolons, tabs or blanks, a list of rows, or "
    "alignments of fairseq, Marian, Nematus, OpenNMT-py or Pharaoh";

// Words that --arrays accepts for a text; rows are queries unless they are declared keys.
constexpr std::string_view kAsAttention = "attention=table",
                           kAsEmbeddings = "attention=", kTurned = "axes=key,query";
constexpr const char* kWords =
    "attention=table, attention= (embeddings) or axes=key,query (rows are keys)";

// Meaning of words that are not self-explanatory; "" for others.
std::string_view meaning_of(std::string_view words) {
  return words == kAsEmbeddings ? " (embeddings)" : words == kTurned ? " (rows are keys)" : "";
}

// Tables of one document, and the axes outside of their rows.
struct Tables {
  std::vector<std::string> axes{};  // "sample", "layer"
  Shape shape{};                    // of these axes
  std::vector<NumberTable> all{};
  std::vector<std::uint64_t> layers{};  // their numbers
};

// Largest distance of the sums of rows from 1, if their numbers are rounded to the decimals that
// they show.
double rounding_of(const NumberTable& table) {
  constexpr double kMost = 0.25;
  constexpr int kMostDecimals = 4;
  double power = 1.0;
  for (int decimals = 0; decimals < kMostDecimals; ++decimals, power *= 10.0) {
    const auto is_whole = [&](float value) {
      const double scaled = static_cast<double>(value) * power;
      return std::isnan(value) || std::abs(scaled - std::round(scaled)) < 1e-3;
    };
    if (!std::ranges::all_of(table.values, is_whole)) continue;
    if (decimals == 0) return kRowSumSlack;
    break;
  }
  return std::clamp(0.5 * static_cast<double>(table.cols) / power, kRowSumSlack, kMost);
}

// Reason why the numbers are weights; "" if they are not. Rows with NaN are no evidence.
std::string reason_for_weights(const NumberTable& table) {
  const std::span<const float> all = table.values;
  const auto is_share = [](float value) { return std::isnan(value) || (value >= 0 && value <= 1); };
  if (table.cols < 2 || !std::ranges::all_of(all, is_share)) return "";
  const double slack = rounding_of(table);
  double worst = 0.0;
  bool any = false;
  for (std::size_t first = 0; first < all.size(); first += table.cols) {
    const auto row = all.subspan(first, table.cols);
    const double off = std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1.0);
    if (std::isnan(off)) continue;
    any = true;
    worst = std::max(worst, off);
  }
  if (any && worst <= slack) {
    return worst > kSaidSlack ? "rows sum to 1 within " + short_text(worst, 1)
                              : "every row sums to 1";
  }
  const bool has_names = !table.row_labels.empty() && !table.column_labels.empty();
  return any && has_names ? "words name rows and columns, and all numbers lie from 0 to 1" : "";
}

// True for a table of queries and keys as the program writes it, and not one of features.
bool is_of_keys(const NumberTable& table) {
  return table.corner == "query" && (table.row_labels == table.column_labels ||
                                     !std::ranges::all_of(table.column_labels, looks_numeric));
}

// Columns in front that number samples, layers and heads become axes.
Result<Tables> parts_of(const NumberTable& table) {
  const std::vector<std::string>& names = table.column_labels;
  auto outer = std::ranges::find_if_not(names, is_numbering) - names.begin();
  if (std::cmp_equal(outer, table.cols)) outer = 0;
  constexpr float kMostNumber = 1e6F;
  std::map<std::vector<float>, NumberTable> parts;
  std::vector<std::set<float>> numbers(static_cast<std::size_t>(outer));
  for (std::size_t row = 0; row < table.rows; ++row) {
    const float* const cells = &table.values[row * table.cols];
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i].insert(cells[i]);
    NumberTable& part = parts[{cells, cells + outer}];
    ++part.rows;
    part.cols = table.cols - numbers.size();
    part.values.insert(part.values.end(), cells + outer, cells + table.cols);
    if (!names.empty()) part.column_labels.assign(names.begin() + outer, names.end());
    if (!table.row_labels.empty()) part.row_labels.push_back(table.row_labels[row]);
  }
  Tables tables{{names.begin(), names.begin() + outer}};
  bool is_even = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    tables.shape.push_back(numbers[i].size());
    if (names[i] != "layer") continue;
    for (const float number : numbers[i]) {
      tables.layers.push_back(std::uint64_t(std::min(std::max(0.0F, number), kMostNumber)));
    }
  }
  for (auto& [place, part] : parts) {
    is_even = is_even && part.rows * element_count(tables.shape) == table.rows;
    tables.all.push_back(std::move(part));
  }
  if (is_even) return tables;
  return refusal_at("", "the " + joined(tables.axes) + " of rows are not numbered evenly",
                    counted(table.rows, "row") + " in " + counted(tables.all.size(), "part"),
                    "as many rows for each " + listed(tables.axes),
                    "--arrays attention= reads embeddings");
}

Result<Reading> document_of(DocumentText text, std::string taken_as, const ReadOptions& options) {
  text.seed = options.seed.value_or(text.seed);
  Reading reading = completed(std::move(text), options.memory_limit_bytes, options.progress);
  if (!reading.errors.empty()) return std::move(reading.errors.front());
  reading.taken_as = std::move(taken_as);
  return reading;
}

// Pads shorter tables with zeros. Equal names of both sides, or names of one side of a square, are
// those of one sequence.
Result<Reading> attention_of(const Tables& tables, bool has_two_sides, std::string taken_as,
                             const ReadOptions& options) {
  DocumentText text;
  Shape shape = tables.shape;
  shape.insert(shape.end(), {1, 1});
  const bool has_samples = !tables.axes.empty() && tables.axes[0] == "sample";
  const std::size_t step = tables.all.size() / (has_samples ? shape[0] : 1);
  bool is_one = !has_two_sides;
  TokenLists rows, columns;
  for (std::size_t i = 0; i < tables.all.size(); ++i) {
    const NumberTable& table = tables.all[i];
    shape.end()[-2] = std::max(shape.end()[-2], table.rows);
    shape.back() = std::max(shape.back(), table.cols);
    if (i % step > 0) continue;
    const auto list = [](const std::vector<std::string>& names, std::size_t count) {
      return names.empty() ? TokenList::counted(count) : TokenList(names);
    };
    rows.push_back(list(table.row_labels, table.rows));
    columns.push_back(list(table.column_labels, table.cols));
    is_one = is_one && table.rows == table.cols &&
             (table.row_labels.empty() || table.column_labels.empty() || rows == columns);
  }
  const std::uint64_t bytes = element_count({element_count(shape), sizeof(float)});
  if (bytes > options.memory_limit_bytes) {
    return over_memory("sentences padded to the longest would need more memory than is allowed",
                       bytes, options.memory_limit_bytes, "split the file, or raise the limit");
  }
  std::vector<float> numbers(element_count(shape));
  for (std::size_t i = 0; i < numbers.size() / shape.back(); ++i) {
    const NumberTable& table = tables.all[i / shape.end()[-2]];
    const std::size_t row = i % shape.end()[-2];
    if (row >= table.rows) continue;
    std::copy_n(&table.values[row * table.cols], table.cols, &numbers[i * shape.back()]);
  }
  text.attention = Tensor(shape, std::move(numbers));
  text.layer_numbers = tables.layers;
  text.axes = tables.axes;
  text.axes->insert(text.axes->end(), {"query", "key"});
  if (options.arrays == kTurned) {
    std::swap(text.axes->end()[-1], text.axes->end()[-2]);
    rows.swap(columns);
  }
  (is_one ? text.tokens : text.query_tokens) = rows;
  if (is_one && rows.front().names().empty()) text.tokens = columns;
  if (!is_one) text.key_tokens = std::move(columns);
  return document_of(std::move(text), std::move(taken_as), options);
}

Result<Reading> read_sentences(Alignments alignments, const ReadOptions& options) {
  const std::size_t count = alignments.sentences.size();
  const bool is_turned = options.arrays == kTurned;
  const char* const sides[] = {"words of the translation", "words of the source"};
  std::string taken_as = alignments.form + ", " + counted(count, "sentence") + ": rows are " +
                         sides[is_turned] + ", columns " + sides[!is_turned];
  if (alignments.are_pairs)
    taken_as += "; pairs are source-translation (those of amun are reversed)";
  if (alignments.left_out > 0) {
    taken_as += "; " + counted(alignments.left_out, "further translation") + " of them not read";
  }
  for (const auto& [unnamed, side] : {std::pair{alignments.unnamed_rows, sides[0]},
                                      std::pair{alignments.unnamed_columns, sides[1]}}) {
    if (unnamed == 0) continue;
    taken_as += "; the " + std::string(side) + " are numbered in " + counted(unnamed, "sentence") +
                ", whose words are fewer or more than the alignment has places";
  }
  Result<Reading> reading = attention_of({{"sample"}, {count}, std::move(alignments.sentences)},
                                         true, std::move(taken_as), options);
  if (reading) reading->other_words = is_turned ? "" : kTurned;
  return reading;
}

Result<Reading> read_table(const NumberTable& table, const ReadOptions& options) {
  const std::string reason = reason_for_weights(table);
  const bool is_numbered = !table.column_labels.empty() && is_numbering(table.column_labels[0]);
  std::string taken_as =
      std::to_string(table.rows) + " × " + std::to_string(table.cols) + " numbers as ";
  if (options.arrays != kAsEmbeddings &&
      (!reason.empty() || is_numbered || is_of_keys(table) || !options.arrays.empty())) {
    const Result<Tables> parts = parts_of(table);
    if (!parts) return parts.error();
    taken_as += "finished attention";
    taken_as += reason.empty() ? "" : " weights: " + reason;
    for (std::size_t i = 0; i < parts->axes.size(); ++i) {
      taken_as += ", " + counted(parts->shape[i], parts->axes[i]);
    }
    Result<Reading> reading = attention_of(*parts, false, std::move(taken_as), options);
    if (reading) reading->other_words = kAsEmbeddings;
    return reading;
  }
  DocumentText text;
  text.embeddings = Tensor({table.rows, table.cols}, table.values);
  if (!table.row_labels.empty()) text.tokens = {TokenList(table.row_labels)};
  text.features.only = table.column_labels;
  Result<Reading> reading = document_of(
      std::move(text), taken_as + "embeddings X of " + counted(table.rows, "token"), options);
  if (reading) reading->other_words = kAsAttention;
  return reading;
}

// Words between blanks, brackets and separators.
bool are_mostly_numbers(std::string_view text, double share) {
  constexpr std::string_view kBetween = " \t\r\n,;()[]{}|&\\";
  std::size_t words = 0, numbers = 0;
  while (!text.empty()) {
    const std::string_view word = take_before(text, kBetween);
    if (word.empty()) continue;
    ++words;
    numbers += is_shortened(word) || number_of_cell(word, NonFinite::Read) ? 1 : 0;
  }
  return numbers > 1 && static_cast<double>(numbers) > share * static_cast<double>(words);
}

// Refuses a table with a line for each cell, by the names in its first line.
Status check_wide(std::string_view line) {
  constexpr std::string_view kOfRows[] = {"query", "row", "from", "target"},
                             kOfColumns[] = {"key", "column", "to", "source"},
                             kOfCells[] = {"weight", "weights", "attention", "value", "score"};
  constexpr std::size_t kMostNames = 7;
  std::vector<std::string> names;
  while (!line.empty()) {
    const std::string_view name = without_blanks(take_before(line, ",;\t\r"));
    names.push_back(with_replaced(name, "\"", ""));
  }
  const auto name_in = [&](std::span<const std::string_view> known) {
    const auto is_known = [&](const std::string& name) {
      return std::ranges::count(known, in_small_letters(name)) > 0;
    };
    const auto found = std::ranges::find_if(names, is_known);
    return found == names.end() ? std::string() : *found;
  };
  const std::string row = name_in(kOfRows), column = name_in(kOfColumns), cell = name_in(kOfCells);
  if (row.empty() || column.empty() || cell.empty() || names.size() > kMostNames)
    return ok_status();
  return refusal_at("", "the table has a line for each cell", "the columns " + joined(names),
                    "a row for each query, and a column for each key",
                    "with pandas: frame.pivot(index='" + row + "', columns='" + column +
                        "', values='" + cell + "').to_csv('wide.csv')");
}

// Refuses invalid UTF-8 with line and column.
Status check_encoding(std::string_view text) {
  auto refused = utf8_refusal(text, "the text");
  if (!refused) return ok_status();
  const std::string_view before = text.substr(0, *first_invalid_utf8(text));
  refused->line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  refused->column = before.size() - (before.rfind('\n') + 1) + 1;
  return *std::move(refused);
}

// Reads a first line behind "#", as NumPy writes it, as names of the columns if their number
// matches; else as a comment.
Result<NumberTable> read_table_of(std::string_view text) {
  if (!text.starts_with('#')) return read_numbers(text, NonFinite::Read);
  Result<NumberTable> table = read_numbers(text.substr(1), NonFinite::Read);
  if (table) return table;
  take_before(text, "\n");
  return text.starts_with('#') ? read_table_of(text) : read_numbers(text, NonFinite::Read);
}

// Reads a table: given weights if its rows sum to 1, or if it has columns for samples, layers or
// heads; else embeddings, unless ReadOptions::arrays says otherwise. Returns nothing if it is no
// table, and at most this share of several words are numbers. Errors name no file.
std::optional<Result<Reading>> read_text(std::string_view text, double share,
                                         const ReadOptions& options) {
  if (const Status sound = check_encoding(text); !sound) return sound.error();
  if (const Status fits = check_reading_memory(text, options.memory_limit_bytes); !fits) {
    return fits.error();
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (auto alignments = read_alignments(text, options.memory_limit_bytes)) {
    return *alignments ? read_sentences(**std::move(alignments), options)
                       : Result<Reading>(alignments->error());
  }
  if (const Status wide = check_wide(text.substr(0, text.find('\n'))); !wide) return wide.error();
  const Result<NumberTable> table = read_table_of(text);
  if (table && table->values.size() > 1) return read_table(*table, options);
  const bool is_meant = without_blanks(text).starts_with('[') || are_mostly_numbers(text, share);
  return !table && is_meant ? std::optional<Result<Reading>>(table.error()) : std::nullopt;
}

Result<Reading> read_whole(std::string_view text, const ReadOptions& options) {
  constexpr double kSomeNumbers = 0.2;
  const std::string_view known[] = {"", kAsAttention, kAsEmbeddings, kTurned};
  const std::string_view start = without_blanks(text.substr(0, 1000));
  if (std::ranges::count(known, options.arrays) == 0) {
    return refusal_at("", "this does not apply to tables", options.arrays, kWords);
  }
  if (start.empty()) return refusal_at("", "the file is empty", "no text", kTextForms);
  const bool is_text = text.find('\0') == text.npos;
  if (auto reading = is_text ? read_text(text, kSomeNumbers, options) : std::nullopt) {
    return *std::move(reading);
  }
  return refusal_at("", "this is neither a document nor a table or alignment that can be read",
                    shortened(printable_line(start.substr(0, start.find('\n'))), 40), kTextForms,
                    "for tokens write them as JSON, [\"I\", \"love\"], or paste the text");
}

Result<Reading> read_words(std::string_view text, const ReadOptions& options) {
  Result<std::vector<std::string>> words = split_sentence(text, SplitBy::Words);
  if (!words) return words.error();
  const std::string taken_as = "a text of " + counted(words->size(), "token");
  DocumentText document;
  document.tokens = TokenLists{TokenList(*std::move(words))};
  return document_of(std::move(document), taken_as, options);
}

}  // namespace

bool is_json(std::string_view start) {
  constexpr std::string_view kNumber = "0123456789+-.nNiI";
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  if (!start.starts_with('{') && !start.starts_with('[')) return false;
  // A table may begin with the name "[CLS]" or "{".
  const std::string_view line = start.substr(0, start.find('\n'));
  const bool is_table =
      line.find('\t') != line.npos && start.find_first_of("\"'[{", 1) > line.find('\t');
  if (is_table && (start.size() < 2 || kNumber.find(start[1]) == kNumber.npos)) return false;
  if (start.starts_with('{')) return true;
  const std::size_t first = std::min(start.find_first_not_of("[ \t\r\n"), start.size());
  const bool are_numbers = first < start.size() && kNumber.find(start[first]) != kNumber.npos;
  const bool is_deep = std::ranges::count(start.substr(0, first), '[') > 2;
  return !are_numbers || (is_deep && start.find(',') != start.npos);
}

Reading read_text_file(const DocumentFile& file) {
  const Result<std::string> text = read_rest(*file.bytes);
  Result<Reading> reading = text ? read_whole(*text, file.options) : Result<Reading>(text.error());
  if (reading && is_cancelled(file.options.progress)) reading = reading_stopped("");
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
                        "read as " + reading->taken_as +
                            (reading->other_words.empty() ? "" : "; otherwise with --arrays ") +
                            reading->other_words + std::string(meaning_of(reading->other_words)));
  return *std::move(reading);
}

Result<Reading> read_pasted(std::string_view text, const ReadOptions& options) {
  constexpr double kMostNumbers = 0.75;
  if (is_json(text)) {
    Result<Reading> reading = read_document(text, kCopiedText, options);
    if (reading) reading->taken_as = "a document: " + reading->reading;
    return reading;
  }
  auto reading = read_text(text, kMostNumbers, options);
  if (!reading) return read_words(text, options);
  if (*reading || reading->error().line == 0) return *std::move(reading);
  Error error = reading->error();
  error.file = kCopiedText;
  return error;
}

}  // namespace attn
