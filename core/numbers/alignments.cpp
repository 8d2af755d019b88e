// Forms of alignments: the sentences that the lines of each form hold, and their numbers.
#include "numbers/alignments.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "base/utf8.h"
#include "numbers/forms.h"
#include "numbers/read_numbers.h"

namespace attn {
namespace {

using Texts = std::vector<std::string_view>;

// A sentence as it is written.
struct Written {
  std::size_t line = 0;  // of the alignment; 0: none
  std::string target{}, source{};
  std::string alignment{};  // pairs, or rows of numbers between blanks or breaks
  std::size_t numbers = 0;  // that are announced; 0: none are
  bool is_stray = false;    // a line that belongs to no sentence
};
using Sentences = std::map<std::size_t, Written>;  // by their numbers

Texts parts_of(std::string_view text, std::string_view between) {
  Texts parts;
  while (true) {
    const std::size_t end = text.find(between);
    parts.push_back(without_blanks(text.substr(0, end)));
    if (end == text.npos) return parts;
    text.remove_prefix(end + between.size());
  }
}

Texts words_of(std::string_view text) {
  Texts words = parts_of(text, " ");
  std::erase(words, std::string_view());
  return words;
}

// Up to `count` lines behind one and before an empty one, without their first words.
std::string lines_behind(const Texts& lines, std::size_t line, std::size_t count,
                         std::size_t words_left_out = 0) {
  std::string text;
  for (std::size_t i = line + 1; i < lines.size() && i <= line + count && !lines[i].empty(); ++i) {
    const Texts words = words_of(lines[i]);
    text += joined(std::span(words).subspan(words_left_out), " ") + '\n';
  }
  return text;
}

std::optional<std::uint32_t> index_of(std::string_view text) {
  return number_spelt<std::uint32_t>(text);
}

struct Pair {
  std::array<std::uint32_t, 2> at{};  // source, translation
  float share = 1.0F;
};

// "3-4", a possible one "3?4" or "3p4", a probable one "3-4:0.9".
std::optional<Pair> pair_of(std::string_view text) {
  const std::size_t sign = text.find_first_of("-?p"), colon = std::min(text.find(':'), text.size());
  if (sign >= colon) return std::nullopt;
  const auto source = index_of(text.substr(0, sign));
  const auto target = index_of(text.substr(sign + 1, colon - sign - 1));
  const Result<float> share = parse_number(colon < text.size() ? text.substr(colon + 1) : "1");
  if (!source || !target || !share || *share < 0.0F || *share > 1.0F) return std::nullopt;
  return Pair{{*source, *target}, *share};
}

// Recognises a form by the first word.
bool begins_alignment(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  return pair_of(word) ||
         (word.find(',') != word.npos && std::ranges::all_of(parts_of(word, ","), looks_numeric));
}

// Uses the words as names if their number matches, or is one fewer: then the last place is the end.
std::vector<std::string> names_of_places(const Texts& words, std::size_t places) {
  std::vector<std::string> names(words.begin(), words.end());
  if (!names.empty() && names.size() + 1 == places) names.emplace_back("</s>");
  if (names.size() != places) names.clear();
  return names;
}

Result<NumberTable> table_of_pairs(const Written& one, const Texts& source, const Texts& target,
                                   std::uint64_t limit_bytes) {
  const auto limit = [](const Texts& words) {
    return words.empty() ? "any" : std::to_string(words.size());
  };
  NumberTable table{target.size(), source.size()};
  std::vector<Pair> pairs;
  for (const std::string_view word : words_of(one.alignment)) {
    const auto pair = pair_of(word);
    if (!pair) return bad_paste("this is not a pair of words", shortened(word, 40), "such as 0-0");
    const std::size_t col = pair->at[0], row = pair->at[1];
    if ((!source.empty() && col > source.size()) || (!target.empty() && row > target.size())) {
      return bad_paste("the pair lies outside of its sentence", std::string(word),
                       limit(source) + " words of the source and " + limit(target) +
                           " of the translation, counted from 0, and the end behind them");
    }
    table.rows = std::max(table.rows, row + 1);
    table.cols = std::max(table.cols, col + 1);
    pairs.push_back(*pair);
  }
  const std::uint64_t bytes = element_count({table.rows, table.cols, sizeof(float)});
  if (bytes > limit_bytes) return over_memory("the sentence is too long", bytes, limit_bytes, "");
  table.values.resize(table.rows * table.cols);
  for (const Pair& pair : pairs) table.values[pair.at[1] * table.cols + pair.at[0]] = pair.share;
  return table;
}

// Rows between blanks, of numbers between commas; or lines, of numbers between blanks.
Result<NumberTable> table_of_rows(const Written& one) {
  std::string text = one.alignment;
  if (text.find('\n') == text.npos) std::ranges::replace(text, ' ', '\n');
  std::ranges::replace(text, ',', '\t');
  std::ranges::replace(text, '*', ' ');  // fills the place of the largest number
  Result<NumberTable> table = read_numbers(text, NonFinite::Read);
  if (!table) return named_otherwise(table.error(), "the alignment");
  if (!table->row_labels.empty() || !table->column_labels.empty()) {
    return bad_paste("the alignment has words between its numbers");
  }
  if (one.numbers == 0 || table->values.size() == one.numbers) return table;
  return bad_paste("the alignment does not have the size that the lines before it state",
                   counted(table->values.size(), "number"), std::to_string(one.numbers));
}

bool has_pairs(const Written& one) {
  const std::size_t end = one.alignment.find_first_of(" \n");
  return one.alignment.empty() || pair_of(one.alignment.substr(0, end));
}

Error stray_line(const Written& one) {
  return bad_paste("the line belongs to no sentence", shortened(one.target, 40),
                   "as many lines of numbers as the sentence before says, or words ||| numbers");
}

Result<NumberTable> table_of(const Written& one, std::uint64_t limit_bytes) {
  const Texts target = words_of(one.target), source = words_of(one.source);
  Result<NumberTable> table = one.is_stray     ? stray_line(one)
                              : has_pairs(one) ? table_of_pairs(one, source, target, limit_bytes)
                                               : table_of_rows(one);
  if (!table) {
    Error error = table.error();
    error.line = one.line;
    error.column = 1;
    return error;
  }
  table->row_labels = names_of_places(target, table->rows);
  table->column_labels = names_of_places(source, table->cols);
  return table;
}

// Each of the following functions adds the sentences of one form and counts further hypotheses;
// returns false if the lines do not have the form.

// "S-3⇥source", "H-3⇥score⇥translation" and "A-3⇥alignment" among other lines of a log.
bool fairseq(const Texts& lines, Sentences& all, std::size_t& left_out) {
  bool is_form = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view text = lines[i];
    if (text.find('-') != 1) continue;
    const std::string_view name = take_before(text, "\t");
    const auto id = index_of(name.substr(2));
    if (!id) continue;
    Written& one = all[*id];
    if (name[0] == 'S') one.source = text;
    if (name[0] == 'A' && one.line > 0) ++left_out;
    if (name[0] == 'A' && one.line == 0) one.line = i + 1, one.alignment = text;
    is_form = is_form || (name[0] == 'A' && begins_alignment(text));
    if (name[0] != 'H' || text.find('\t') == text.npos) continue;
    take_before(text, "\t");  // the score
    if (one.target.empty()) one.target = text;
    is_form = is_form || !looks_numeric(text);
  }
  return is_form;
}

// Marian's "translation ||| alignment", in lists after an identifier, and Nematus's "id |||
// translation ||| score ||| source ||| columns rows" before the rows.
bool between_bars(const Texts& lines, Sentences& all, std::size_t& left_out) {
  bool is_form = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Texts fields = parts_of(lines[i], "|||"), size = words_of(fields.back());
    if (size.empty() && fields.size() == 1) continue;
    const auto id = fields.size() > 2 ? index_of(fields[0]) : std::nullopt;
    const std::size_t first = id ? 1 : 0;
    Written one{i + 1, std::string(fields[first])};
    one.alignment = fields[std::min(first + 1, fields.size() - 1)];
    one.is_stray = fields.size() == 1;
    const auto rows = fields.size() == 5 && size.size() == 2 ? index_of(size[1]) : std::nullopt;
    if (id && rows) {
      one.source = fields[3];
      one.numbers = std::size_t{*rows} * index_of(size[0]).value_or(0);
      one.alignment = lines_behind(lines, i, *rows);
      i += *rows;
    }
    is_form = is_form || (id && rows) || (fields.size() > 1 && begins_alignment(one.alignment));
    left_out += all.try_emplace(id.value_or(i), std::move(one)).second ? 0 : 1;
  }
  return is_form;
}

// OpenNMT-py's "SENT 1: ['I', 'love']", "PRED 1: translation", and a table of their words, cut.
bool opennmt(const Texts& lines, Sentences& all, std::size_t& /*left_out*/) {
  Texts source;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t colon = std::min(lines[i].find(": "), lines[i].size());
    const Texts words = words_of(lines[i]);
    if (lines[i].starts_with("SENT ")) {
      source = parts_of(lines[i].substr(colon), ", ");
      // Removes brackets and quotation marks.
      source.front().remove_prefix(std::min<std::size_t>(source.front().size(), 3));
      source.back().remove_suffix(source.back().empty() ? 0 : 1);
      for (std::string_view& word : source) {
        if (word.size() > 1) word = word.substr(1, word.size() - 2);
      }
    } else if (lines[i].starts_with("PRED ") && index_of(lines[i].substr(5, colon - 5))) {
      all[all.size()] = {0, std::string(lines[i].substr(std::min(colon + 1, lines[i].size()))),
                         joined(source, " ")};
    } else if (!all.empty() && !words.empty() && words.size() == source.size() &&
               all.rbegin()->second.line == 0 && source.front().starts_with(words.front())) {
      Written& one = all.rbegin()->second;
      one.line = i + 2;
      one.alignment = lines_behind(lines, i, words_of(one.target).size() + 1, 1);
    }
  }
  return !all.empty();
}

// Pharaoh's pairs. Unlike dates and results of games, those of sentences begin near the first
// words, ascend on one side and leave few words out. The reader refuses errors in few lines.
bool pairs(const Texts& lines, Sentences& all, std::size_t& /*left_out*/) {
  constexpr std::uint64_t kMostPlaces = 16;  // for each pair
  std::size_t good = 0, bad = 0;
  std::uint64_t places = 0, count = 0;
  std::array<std::uint32_t, 2> first{UINT32_MAX, UINT32_MAX};
  for (const std::string_view line : lines) {
    all[all.size()] = {all.size() + 1, "", "", std::string(line)};
    std::vector<Pair> in_line;
    const Texts words = words_of(line);
    for (const std::string_view word : words) {
      if (const auto pair = pair_of(word)) in_line.push_back(*pair);
    }
    const bool is_good = in_line.size() == words.size();
    ++(is_good ? good : bad);
    if (bad > good + 1) return false;
    if (!is_good || words.empty()) continue;
    bool in_order = false;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto index = [side](const Pair& pair) { return pair.at[side]; };
      in_order = in_order || std::ranges::is_sorted(in_line, {}, index);
      const auto [least, most] = std::ranges::minmax(in_line, {}, index);
      first[side] = std::min(first[side], index(least));
      places += std::uint64_t{index(most)} + 1;
    }
    if (!in_order) return false;
    count += words.size();
  }
  return count > 1 && good > bad && places <= kMostPlaces * count && std::ranges::max(first) <= 1;
}

struct Form {
  std::string_view name, mark;  // a text without the mark does not have the form
  bool (*add_sentences)(const Texts& lines, Sentences& all, std::size_t& left_out);
};

constexpr Form kForms[] = {{"alignments of fairseq", "\t", fairseq},
                           {"alignments of Marian or Nematus", "|||", between_bars},
                           {"alignments of OpenNMT-py", "PRED ", opennmt},
                           {"pairs of words", "-", pairs}};

Result<Alignments> alignments_of(const Form& form, Sentences& sentences,
                                 std::uint64_t limit_bytes) {
  std::erase_if(sentences, [](const auto& one) { return one.second.line == 0; });
  if (sentences.empty()) {
    return bad_paste("this output has none of the " + std::string(form.name), "", "",
                     "let the program write them: --print-alignment soft, or -attn_debug");
  }
  Alignments all{std::string(form.name), has_pairs(sentences.begin()->second)};
  for (const auto& [number, one] : sentences) {
    Result<NumberTable> table = table_of(one, limit_bytes);
    if (!table) return table.error();
    limit_bytes -= std::min<std::uint64_t>(limit_bytes, table->values.size() * sizeof(float));
    const auto lacks = [](const std::string& words, const std::vector<std::string>& names) {
      return !words_of(words).empty() && names.empty();
    };
    if (lacks(one.target, table->row_labels)) ++all.unnamed_rows;
    if (lacks(one.source, table->column_labels)) ++all.unnamed_columns;
    all.sentences.push_back(*std::move(table));
  }
  return all;
}

}  // namespace

std::optional<Result<Alignments>> read_alignments(std::string_view text,
                                                  std::uint64_t limit_bytes) {
  const Texts lines = parts_of(text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0)), "\n");
  for (const Form& form : kForms) {
    if (text.find(form.mark) == text.npos) continue;
    Sentences sentences;
    std::size_t left_out = 0;  // further hypotheses
    if (!form.add_sentences(lines, sentences, left_out)) continue;
    Result<Alignments> all = alignments_of(form, sentences, limit_bytes);
    if (all) all->left_out = left_out;
    return all;
  }
  return std::nullopt;
}

}  // namespace attn
