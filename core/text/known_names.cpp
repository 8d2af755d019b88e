// The table of names, read from its text.
#include "text/known_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/embedded_assets.h"
#include "base/joined.h"
#include "base/number_text.h"

namespace attn {
namespace {

constexpr std::string_view kRoles[] = {
    "weights", "scores", "perhaps",      "q",          "k",   "v",    "padding", "mask",
    "bias",    "tokens", "query_tokens", "key_tokens", "ids", "none", "sparse"};
constexpr std::string_view kParameters[] = {
    "weight", "bias", "kernel", "gamma", "beta", "in_proj_weight", "in_proj_bias", "embedding"};

KnownName row_of(std::string_view line) {
  std::array<std::string_view, 5> cells;
  for (std::string_view& cell : cells) cell = take_before(line, "\t");
  const auto& [role, end, type, leanings, who] = cells;
  KnownName row{NameRole(std::ranges::find(kRoles, role) - std::begin(kRoles)), end, type};
  std::string_view left = leanings;
  row.leaning = number_spelt<int>(take_before(left, "/")).value_or(0);
  row.square_leaning = number_spelt<int>(left).value_or(row.leaning);
  row.who = who;
  return row;
}

std::vector<KnownName> read_table() {
  std::vector<KnownName> rows;
  std::string_view text = asset_named("names.tsv");
  take_before(text, "\n");  // the heading
  while (!text.empty()) {
    rows.push_back(row_of(take_before(text, "\n")));
    rows.back().rank = rows.size() - 1;
  }
  return rows;
}

bool has_type(const KnownName& row, NameType type) {
  if (type == NameType::Any) return true;
  if (row.type == "text" || type == NameType::Text)
    return row.type == "text" && type == NameType::Text;
  return type == NameType::Floats || row.type == "numbers" ||
         (row.type == "whole" && type == NameType::Whole);
}

bool ends_like(std::string_view words, std::string_view end) {
  if (end.starts_with('*')) return words.ends_with(end.substr(1));
  return words == end || (words.ends_with(end) && words[words.size() - end.size() - 1] == '_');
}

}  // namespace

bool is_parameter(std::string_view name) {
  while (!name.empty() && std::isalpha(static_cast<unsigned char>(name.back())) == 0) {
    name.remove_suffix(1);
  }
  const std::size_t behind = name.find_last_of("./");
  return behind != name.npos && std::ranges::count(kParameters, name.substr(behind + 1)) > 0;
}

std::span<const KnownName> all_known_names() {
  static const std::vector<KnownName> kRows = read_table();
  return kRows;
}

std::string name_words(std::string_view name) {
  std::string words;
  bool parts = false, was_small = false;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    const bool is_upper = std::isupper(letter) != 0;
    if ((is_upper && was_small) || std::isalnum(letter) == 0) parts = true;
    if (std::isalpha(letter) == 0) continue;
    if (parts && !words.empty()) words += '_';
    words += static_cast<char>(std::tolower(letter));
    parts = false;
    was_small = !is_upper;
  }
  return words;
}

std::optional<KnownName> known_name(std::string_view name, NameType type) {
  std::optional<KnownName> longest;
  if (is_parameter(name)) return longest;
  const std::string words = name_words(name);
  for (const KnownName& row : all_known_names()) {
    if (!ends_like(words, row.end) || !has_type(row, type)) continue;
    if (!longest || row.end.size() > longest->end.size()) longest = row;
  }
  return longest;
}

}  // namespace attn
