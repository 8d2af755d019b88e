#include "plot/tokens.h"

#include "base/utf8.h"

namespace attn {

std::string token_label(const Document& document, Side side, std::size_t sample,
                        std::size_t index) {
  const TokenList& tokens = tokens_of(document, side, sample);
  return index < tokens.size() ? visible_token(tokens[index]) : std::to_string(index);
}

std::string key_value_head(const AttentionShape& shape, Stage stage, std::size_t head) {
  const bool of_keys = stage_info(stage).rows_are_keys();
  if (!of_keys || shape.kv_heads == shape.heads) return "";
  return "key-value head " + std::to_string(head / (shape.heads / shape.kv_heads) + 1);
}

}  // namespace attn
