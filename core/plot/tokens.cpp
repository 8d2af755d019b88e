#include "plot/tokens.h"

#include "base/utf8.h"

namespace attn {

std::string token_label(const Document& document, Side side, std::size_t sample,
                        std::size_t index) {
  const TokenList& tokens = tokens_of(document, side, sample);
  return index < tokens.size() ? visible_token(tokens[index]) : std::to_string(index);
}

}  // namespace attn
