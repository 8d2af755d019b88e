// Finds what a text leaves open, and puts it into the translation of the rest.
#include "words/catalogue.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/embedded_assets.h"
#include "base/files.h"
#include "base/json.h"

namespace attn {
namespace {

constexpr std::string_view kTable = "words.json";
constexpr std::uint64_t kLimitBytes = 1 << 20;
constexpr std::string_view kOpening = "“", kClosing = "”", kMinus = "−";

struct OpenedText {
  std::string phrase;
  std::vector<std::string_view> parts;  // of the text, in its order
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t digits_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

std::size_t sign_size(std::string_view text) {
  if (text.starts_with(kMinus)) return kMinus.size();
  return text.starts_with('-') ? 1 : 0;
}

// "1,024.5", "−3", "1e-38"; 0 where no number begins.
std::size_t number_size(std::string_view text) {
  const std::size_t sign = sign_size(text);
  std::size_t end = digits_end(text, sign);
  if (end == sign) return 0;
  const auto goes_on = [&](std::size_t skipped) { return digits_end(text, end + skipped); };
  while (end < text.size() && (text[end] == ',' || text[end] == '.') && goes_on(1) > end + 1) {
    end = goes_on(1);
  }
  if (end < text.size() && text[end] == 'e') {
    const std::string_view exponent = text.substr(end + 1);
    const std::size_t skipped = 1 + (exponent.starts_with('+') ? 1 : sign_size(exponent));
    if (goes_on(skipped) > end + skipped) end = goes_on(skipped);
  }
  return end;
}

// Up to the mark that closes the one before `text`; 0 where none does.
std::size_t quoted_size(std::string_view text) {
  std::size_t depth = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kOpening)) ++depth;
    if (text.substr(at).starts_with(kClosing) && --depth == 0) return at;
  }
  return 0;
}

// " ms" and the like after a number, which no language says otherwise.
std::size_t unit_size(std::string_view text) {
  for (const std::string_view unit : {" ms", " µs", " s", " bytes", " KiB", " MiB", " GiB"}) {
    if (!text.starts_with(unit)) continue;
    if (text.size() == unit.size() || !is_of_word(text[unit.size()])) return unit.size();
  }
  return 0;
}

bool begins_number(std::string_view text, std::size_t at) {
  return at == 0 || !is_of_word(text[at - 1]);
}

std::size_t open_size(std::string_view text, std::size_t at) {
  if (text.substr(0, at).ends_with(kOpening)) return quoted_size(text.substr(at));
  const std::size_t number = begins_number(text, at) ? number_size(text.substr(at)) : 0;
  return number == 0 ? 0 : number + unit_size(text.substr(at + number));
}

OpenedText open_text(std::string_view text) {
  OpenedText opened;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = open_size(text, at);
    if (size == 0) {
      opened.phrase += text[at++];
      continue;
    }
    opened.parts.push_back(text.substr(at, size));
    opened.phrase += "{" + std::to_string(opened.parts.size()) + "}";
    at += size;
  }
  return opened;
}

// The number of the place that begins there, and its end; 0: none does.
std::pair<std::size_t, std::size_t> place_at(std::string_view text, std::size_t at) {
  std::size_t number = 0;
  if (text[at] != '{') return {0, at};
  const char* end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data() + at + 1, end, number);
  if (failed != std::errc() || rest == end || *rest != '}') return {0, at};
  return {number, static_cast<std::size_t>(rest - text.data()) + 1};
}

std::string filled(std::string_view text, std::span<const std::string_view> parts) {
  std::string whole;
  for (std::size_t at = 0; at < text.size();) {
    const auto [number, end] = place_at(text, at);
    if (number == 0 || number > parts.size()) {
      whole += text[at++];
      continue;
    }
    whole += parts[number - 1];
    at = end;
  }
  return whole;
}

std::size_t highest_place(std::string_view text) {
  std::size_t highest = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    highest = std::max(highest, place_at(text, at).first);
  }
  return highest;
}

std::string_view english_table() {
  const auto assets = embedded_assets();
  const auto found = std::ranges::find(assets, kTable, &EmbeddedAsset::name);
  return found == assets.end() ? std::string_view("{}") : found->bytes;
}

std::vector<std::string> read_phrases() {
  std::vector<std::string> phrases;
  const Json table = Json::parse(english_table(), nullptr, false);
  for (const auto& entry : table.items()) phrases.push_back(entry.key());
  std::ranges::sort(phrases);
  return phrases;
}

Error refused_catalogue(const std::string& file, std::string message) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.file = file;
  error.message = std::move(message);
  error.hint = "attnscope words prints the table to fill in";
  return error;
}

Status check_translation(const std::string& file, const std::string& phrase, const Json& text) {
  const std::string where = "the translation of “" + phrase + "” ";
  if (!text.is_string()) return refused_catalogue(file, where + "is no text");
  const std::string words = text.get<std::string>();
  if (words.find("##") != std::string::npos || words.ends_with('#')) {
    return refused_catalogue(file, where + "has ## in it, or ends with #");
  }
  if (std::ranges::any_of(words, [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    return refused_catalogue(file, where + "has a line break or another sign that is not drawn");
  }
  const std::size_t place = highest_place(words);
  if (place <= highest_place(phrase)) return ok_status();
  return refused_catalogue(
      file, where + "speaks of {" + std::to_string(place) + "}, which is not in the phrase");
}

}  // namespace

std::string phrase_of(std::string_view words) { return open_text(words).phrase; }

std::optional<std::string> translated(const Catalogue& catalogue, std::string_view words) {
  const OpenedText opened = open_text(words);
  const auto found = catalogue.translations.find(opened.phrase);
  if (found == catalogue.translations.end()) return std::nullopt;
  return filled(found->second, opened.parts);
}

std::string spoken(const Catalogue* catalogue, std::string_view words) {
  std::optional<std::string> other;
  if (catalogue != nullptr) other = translated(*catalogue, words);
  return other ? *std::move(other) : std::string(words);
}

std::span<const std::string> all_phrases() {
  static const std::vector<std::string> kPhrases = read_phrases();
  return kPhrases;
}

Result<Catalogue> read_catalogue(std::string_view json, const std::string& file) {
  const Json table = Json::parse(json, nullptr, false);
  if (!table.is_object()) return refused_catalogue(file, "this is no JSON object of texts");
  Catalogue catalogue;
  for (const auto& [phrase, text] : table.items()) {
    if (const Status good = check_translation(file, phrase, text); !good) return good.error();
    const std::string words = text.get<std::string>();
    if (!words.empty()) catalogue.translations.emplace(phrase, words);
  }
  return catalogue;
}

Result<Catalogue> load_catalogue(const std::string& path) {
  const Result<std::string> text = read_file(path, kLimitBytes);
  if (!text) return text.error();
  return read_catalogue(*text, path);
}

std::string catalogue_text(const Catalogue& catalogue) {
  Json table = Json::object();
  for (const std::string& phrase : all_phrases()) {
    const auto known = catalogue.translations.find(phrase);
    table[phrase] = known == catalogue.translations.end() ? std::string() : known->second;
  }
  return json_text(table);
}

}  // namespace attn
