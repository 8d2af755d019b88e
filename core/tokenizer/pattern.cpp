// Patterns by PCRE2, with those signs rewritten that mean something else there.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/joined.h"
#include "tokenizer/members.h"
#include "tokenizer/steps.h"
#include "tokenizer/unicode.h"

namespace attn::tokenizing {
namespace {

constexpr std::uint32_t kMostSteps = 10'000'000, kMostKibibytes = 64 * 1024;

// The members of a class that is written by a small letter; the capital means all others.
struct NamedClass {
  char letter;
  std::string_view members;
};
constexpr NamedClass kClasses[] = {
    {'s', R"(\p{Z}\t-\r\x{85})"},
    {'w', R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24B6}-\x{24E9}\x{200C}\x{200D})"},
    {'h', "0-9a-fA-F"},
};

// An escape of two characters in PCRE2's words.
std::string escape_in_own_words(std::string_view escape, bool in_class) {
  const char letter = in_small_letters(escape).back();
  const auto found = std::ranges::find(kClasses, letter, &NamedClass::letter);
  const bool is_negated = escape.back() != letter;
  if (found == std::end(kClasses) || (in_class && is_negated)) return std::string(escape);
  const std::string members(found->members);
  return in_class ? members : (is_negated ? "[^" : "[") + members + "]";
}

// True for a set of characters within another, or what two have in common, which PCRE2 does not
// have.
bool is_set_in_set(std::string_view in_class) {
  return in_class.starts_with("&&") || (in_class.starts_with('[') && !in_class.starts_with("[:"));
}

// The expression in PCRE2's words, which takes scripts for all characters that are used with them,
// and ends lines as it was built; nothing if it has none.
std::optional<std::string> expression_in_own_words(std::string_view expression) {
  std::string own = "(*LF)";
  bool in_class = false;
  std::size_t first = 0;  // where the members of the class begin
  for (std::size_t at = 0; at < expression.size(); ++at) {
    const std::string_view rest = expression.substr(at);
    if (in_class && is_set_in_set(rest)) return std::nullopt;
    if (rest.front() == '\\' && rest.size() > 1) {
      own += escape_in_own_words(expression.substr(at++, 2), in_class);
      continue;
    }
    if (in_class && rest.starts_with("[:") && rest.find(":]") != rest.npos) {
      own += rest.substr(0, rest.find(":]") + 1);
      at += rest.find(":]") + 1;
    } else if (rest.front() == '[') {
      in_class = true;
      first = at + (rest.starts_with("[^") ? 2 : 1);
    } else if (rest.front() == ']' && at != first) {
      in_class = false;
    }
    own += expression[at];
  }
  return with_replaced(own, "p{Han}", "p{sc:Han}");
}

std::string message_of(int code) {
  PCRE2_UCHAR text[256] = {};
  pcre2_get_error_message(code, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

PCRE2_SPTR units_of(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

// The limits of all matching.
pcre2_match_context* limits() {
  static pcre2_match_context* const kLimits = [] {
    pcre2_match_context* const made = pcre2_match_context_create(nullptr);
    pcre2_set_match_limit(made, kMostSteps);
    pcre2_set_depth_limit(made, kMostSteps);
    pcre2_set_heap_limit(made, kMostKibibytes);
    return made;
  }();
  return kLimits;
}

Error not_understood(std::string found, std::string expected) {
  return {.kind = ErrorKind::BadInput,
          .message = "this is no regular expression that is understood",
          .found = std::move(found),
          .expected = std::move(expected)};
}

Result<std::vector<Span>> matches_of(const pcre2_code* code, std::string_view text) {
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(
      pcre2_match_data_create(1, nullptr), &pcre2_match_data_free);
  std::vector<Span> found;
  for (std::size_t from = 0; from <= text.size();) {
    const int result = pcre2_match(code, units_of(text), text.size(), from, PCRE2_NO_UTF_CHECK,
                                   data.get(), limits());
    if (result == PCRE2_ERROR_NOMATCH) break;
    const PCRE2_SIZE* const place = pcre2_get_ovector_pointer(data.get());
    const bool is_sound = result >= 0 && place[0] >= from && place[1] >= place[0];
    if (!is_sound) {
      return Error{.kind = ErrorKind::BadInput,
                   .message = "a pattern of the tokenizer cannot be matched with this text",
                   .found = result < 0 ? message_of(result) : "a match before its start",
                   .expected = "a match after at most 10,000,000 steps",
                   .hint = "give a shorter text, or the ids of its tokens"};
    }
    // An empty match directly behind the last one is none.
    const bool is_again = place[1] == place[0] && !found.empty() && found.back().end == place[0];
    if (!is_again) found.push_back({place[0], place[1]});
    from = place[1];
    if (is_again) from += from < text.size() ? code_point_at(text, from).length : 1;
  }
  return found;
}

}  // namespace

Result<Pattern> pattern_of_expression(std::string_view expression) {
  const std::optional<std::string> own = expression_in_own_words(expression);
  if (!own) {
    return not_understood("a set of characters within another",
                          "sets without && and inner brackets");
  }
  constexpr auto kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
  int error = 0;
  PCRE2_SIZE at = 0;
  const std::shared_ptr<pcre2_code> code(
      pcre2_compile(units_of(*own), own->size(), kOptions, &error, &at, nullptr), &pcre2_code_free);
  if (code == nullptr) return not_understood(message_of(error), "one as PCRE2 reads it");
  return Pattern([code](std::string_view text) { return matches_of(code.get(), text); });
}

Pattern pattern_of_text(const std::string& wanted) {
  return [wanted](std::string_view text) {
    std::vector<Span> found;
    for (std::size_t at = 0; !wanted.empty() && (at = text.find(wanted, at)) != text.npos;) {
      found.push_back({at, at + wanted.size()});
      at += wanted.size();
    }
    return found;
  };
}

Pattern read_pattern(JsonValue step) {
  const JsonValue json = member(step, "pattern").value_or(step);
  const std::optional<JsonValue> text = member(json, "String"), expression = member(json, "Regex");
  std::string source;
  if (text && text->read_text(source) && is_short(json, source)) return pattern_of_text(source);
  if (!text && expression && expression->read_text(source)) {
    Result<Pattern> pattern = pattern_of_expression(source);
    if (pattern) return *std::move(pattern);
    const Error& error = pattern.error();
    expression->refuse(error.message, error.found, error.expected, kGiveIds);
  }
  if (!text && !expression && member(step, "pattern")) {
    json.refuse("this is no pattern", json.describe(), "{\"String\": …} or {\"Regex\": …}");
  }
  return pattern_of_text("");
}

Pattern pattern_of_characters(bool (*is_match)(char32_t)) {
  return [is_match](std::string_view text) {
    std::vector<Span> found;
    each_code_point(text, [&](char32_t c, std::string_view bytes) {
      const auto begin = static_cast<std::size_t>(bytes.data() - text.data());
      if (is_match(c)) found.push_back({begin, begin + bytes.size()});
    });
    return found;
  };
}

Status replace(const Pattern& pattern, std::string_view content, std::string& text) {
  const Result<std::vector<Span>> found = pattern(text);
  if (!found) return found.error();
  if (Status fits = within_limit(text.size() + found->size() * content.size()); !fits) return fits;
  std::string replaced;
  std::size_t at = 0;
  for (const Span& match : *found) {
    replaced.append(text, at, match.begin - at).append(content);
    at = match.end;
  }
  text = replaced.append(text, at);
  return ok_status();
}

}  // namespace attn::tokenizing
