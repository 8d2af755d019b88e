// Parser of places such as "head 3", and the search for tokens.
#include "session/place.h"

#include <algorithm>
#include <charconv>

#include "base/joined.h"
#include "base/utf8.h"
#include "figure/letters.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

enum PlacePart : std::size_t { kRowPart, kColumnPart, kHeadPart, kLayerPart, kSamplePart };
constexpr std::string_view kPlaceWords[][2] = {{"row", "query"},
                                               {"column", "key"},
                                               {"head", "head"},
                                               {"layer", "layer"},
                                               {"sample", "sample"}};

Error refused_place(std::string message) {
  return usage_error(std::move(message),
                     "a row, “row, column”, or words such as “head 3”, “layer 2 head 1”, “key 4”");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Runs of letters and of digits; empty if anything else stands between them.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  char before = ' ';
  for (const char c : text) {
    const bool digit = is_digit(c), letter = is_letter(c);
    const bool separates = std::string_view(" \t,;:/#").find(c) != std::string_view::npos;
    if (!digit && !letter && !separates) return {};
    const bool goes_on = digit ? is_digit(before) : letter && is_letter(before);
    if ((digit || letter) && !goes_on) words.emplace_back();
    if (digit || letter) {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    before = c;
  }
  return words;
}

// Matches the word, its plural and its prefixes.
std::optional<std::size_t> part_named(const std::string& word) {
  const auto is_meant = [&](std::string_view known) {
    return known.starts_with(word) || word == std::string(known) + "s";
  };
  for (std::size_t part = 0; part < std::size(kPlaceWords); ++part) {
    if (std::ranges::any_of(kPlaceWords[part], is_meant)) return part;
  }
  return std::nullopt;
}

// Number of choices for a part.
std::size_t count_of(const AppState& state, std::size_t part) {
  const AttentionShape shape = shown_shape(state);
  const StageShape extents = extents_in_view(state.document, focused_view(state));
  const std::size_t counts[] = {extents.rows, extents.cols, shape.heads, shape.layers,
                                shape.samples};
  return counts[part];
}

void set(command::GoTo& place, const AppState& state, std::size_t part, std::size_t index) {
  if (part == kRowPart) {
    place.row = index;
  } else if (part == kColumnPart) {
    place.col = index;
  } else {
    if (!place.head) place.head = focused_view(state).options.at;
    HeadAddress& head = *place.head;
    (part == kHeadPart ? head.head : part == kLayerPart ? head.layer : head.sample) = index;
  }
}

// Converts the 1-based index of the text into a 0-based one.
Result<std::size_t> index_of(const AppState& state, std::size_t part, const std::string& digits) {
  std::size_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  AttentionShape shape{.layers = count_of(state, part)};
  if (part == kLayerPart) shape.layer_numbers = state.document.layer_numbers;
  const std::optional<std::size_t> index = layer_numbered(shape, number, 1);
  if (read.ec == std::errc() && index) return *index;
  return refused_place("there is no " + std::string(kPlaceWords[part][0]) + " " + digits +
                       (shape.layer_numbers.empty() ? ": they count from " : ", but ") +
                       layer_numbers_text(shape, 1));
}

std::string token_words(const AppState& state, std::optional<Side> side, std::size_t index) {
  if (!side) return "";
  const HeadAddress& at = focused_view(state).options.at;
  return " (" + quoted_token(state.document, *side, at, index) + ")";
}

void add_found(std::vector<TokenHit>& found, const AppState& state, Side side,
               const std::string& wanted) {
  const std::size_t sample = focused_view(state).options.at.sample;
  const TokenList& tokens = tokens_of(state.document, side, sample);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool has = folded(tokens.spoken(i)).find(wanted) != std::string::npos ||
                     folded(tokens.as_written().spoken(i)).find(wanted) != std::string::npos;
    if (has) found.push_back({side, sample, i});
  }
}

}  // namespace

Result<command::GoTo> parse_place(const AppState& state, std::string_view text) {
  command::GoTo place;
  std::optional<std::size_t> named;
  std::size_t plain = 0;  // count of numbers without a word
  const std::vector<std::string> words = words_in(text);
  if (words.empty()) return refused_place("no place is named");
  for (const std::string& word : words) {
    if (is_letter(word.front())) {
      named = part_named(word);
      if (!named) return refused_place("“" + word + "” is not a place");
      continue;
    }
    if (!named && plain > 1) return refused_place("a third number needs a word before it");
    const std::size_t part = named ? *named : plain++ == 0 ? kRowPart : kColumnPart;
    named.reset();
    const Result<std::size_t> index = index_of(state, part, word);
    if (!index) return index.error();
    set(place, state, part, *index);
  }
  if (named) return refused_place("a number is missing at the end");
  return place;
}

std::string place_text(const AppState& state, const command::GoTo& place) {
  const MatrixId shown = matrix_in_view(state);
  std::vector<std::string> parts;
  if (place.row) {
    parts.push_back("row " + std::to_string(*place.row + 1) +
                    token_words(state, row_side(shown), *place.row));
  }
  if (place.col) {
    parts.push_back("column " + std::to_string(*place.col + 1) +
                    token_words(state, column_side(shown), *place.col));
  }
  if (place.head) {
    const AttentionShape shape = shown_shape(state);
    const std::uint64_t layer = layer_number(shape, place.head->layer);
    if (shape.layers > 1) parts.push_back("layer " + std::to_string(layer));
    if (shape.samples > 1) parts.push_back("sample " + std::to_string(place.head->sample + 1));
    parts.push_back("head " + std::to_string(place.head->head + 1));
  }
  return as_sentence(joined(parts));
}

std::vector<TokenHit> tokens_with(const AppState& state, std::string_view text) {
  std::vector<TokenHit> found;
  const std::string wanted = folded(text);
  if (wanted.empty()) return found;
  add_found(found, state, Side::Query, wanted);
  if (state.document.cross) add_found(found, state, Side::Key, wanted);
  return found;
}

}  // namespace attn
