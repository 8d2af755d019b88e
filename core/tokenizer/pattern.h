// Texts and regular expressions of tokenizers, as Oniguruma understands them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct pcre2_real_code_8;

namespace attn::tokenizing {

// Bytes of a text.
struct Span {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

// Texts are refused that have more bytes, or get them from a step.
inline constexpr std::size_t kLongestText = std::size_t{8} << 20U;
Status within_limit(std::size_t bytes);

class Pattern {
 public:
  // Matches the text itself. An empty one matches nothing.
  static Result<Pattern> of_text(std::string_view text);
  // Errors: BadInput if it is no regular expression, or one of a kind that is not known.
  static Result<Pattern> of_expression(std::string_view expression);

  // All matches, in order. Thread-safe. Precondition: well-formed UTF-8. Errors: BadInput if one
  // takes more steps than are allowed.
  Result<std::vector<Span>> matches(std::string_view text) const;
  // Puts `content` in place of all matches. Errors: as above, or if the text becomes too long.
  Status replace(std::string& text, std::string_view content) const;

 private:
  static Result<Pattern> compile(std::string_view source, unsigned options);

  std::shared_ptr<const pcre2_real_code_8> code_;  // null: matches nothing
};

}  // namespace attn::tokenizing
