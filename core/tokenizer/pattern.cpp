// Patterns by PCRE2, with those signs rewritten that mean something else there.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "tokenizer/pattern.h"

#include <pcre2.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"

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

// Memory of one thread for matching.
struct Matching {
  pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
  pcre2_match_context* context = pcre2_match_context_create(nullptr);
  Matching() {
    pcre2_set_match_limit(context, kMostSteps);
    pcre2_set_depth_limit(context, kMostSteps);
    pcre2_set_heap_limit(context, kMostKibibytes);
  }
  ~Matching() {
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
  }
  Matching(const Matching&) = delete;
  Matching& operator=(const Matching&) = delete;
};

}  // namespace

Status within_limit(std::size_t bytes) {
  if (bytes <= kLongestText) return ok_status();
  return Error{.kind = ErrorKind::BadInput,
               .message = "the text is too long for a tokenizer",
               .found = "more than " + bytes_text(kLongestText) + ", or steps that make it so long",
               .expected = "at most " + bytes_text(kLongestText),
               .hint = "give a shorter text"};
}

Result<Pattern> Pattern::compile(std::string_view source, unsigned options) {
  int code = 0;
  PCRE2_SIZE at = 0;
  Pattern pattern;
  pattern.code_.reset(
      pcre2_compile(units_of(source), source.size(), PCRE2_UTF | options, &code, &at, nullptr),
      [](const pcre2_code* owned) { pcre2_code_free(const_cast<pcre2_code*>(owned)); });
  if (pattern.code_ != nullptr) return pattern;
  return Error{.kind = ErrorKind::BadInput,
               .message = "this is no regular expression that is understood",
               .found = message_of(code),
               .expected = "one as PCRE2 reads it"};
}

Result<Pattern> Pattern::of_text(std::string_view text) {
  return text.empty() ? Result<Pattern>(Pattern()) : compile(text, PCRE2_LITERAL);
}

Result<Pattern> Pattern::of_expression(std::string_view expression) {
  const std::optional<std::string> own = expression_in_own_words(expression);
  if (own) return compile(*own, PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C);
  return Error{.kind = ErrorKind::BadInput,
               .message = "this is no regular expression that is understood",
               .found = "a set of characters within another",
               .expected = "sets without && and inner brackets"};
}

Result<std::vector<Span>> Pattern::matches(std::string_view text) const {
  thread_local const Matching kMatching;
  std::vector<Span> found;
  for (std::size_t from = 0; code_ != nullptr && from <= text.size();) {
    const int code = pcre2_match(code_.get(), units_of(text), text.size(), from, PCRE2_NO_UTF_CHECK,
                                 kMatching.data, kMatching.context);
    if (code == PCRE2_ERROR_NOMATCH) break;
    const PCRE2_SIZE* const place = pcre2_get_ovector_pointer(kMatching.data);
    const bool is_sound = code >= 0 && place[0] >= from && place[1] >= place[0];
    if (!is_sound) {
      return Error{.kind = ErrorKind::BadInput,
                   .message = "a pattern of the tokenizer cannot be matched with this text",
                   .found = code < 0 ? message_of(code) : "a match before its start",
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

Status Pattern::replace(std::string& text, std::string_view content) const {
  const Result<std::vector<Span>> found = matches(text);
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
