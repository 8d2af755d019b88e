// Numbers tokens so that equal ones have equal numbers.
#include "document/token_ids.h"

#include <map>
#include <string_view>

namespace attn {

TokenIds token_ids(const Document& document, std::size_t sample) {
  if (document.cross || document.query_tokens.empty()) return {};
  TokenIds ids;
  std::map<std::string_view, std::size_t> known;
  for (const std::string& token : tokens_of(document, Side::Query, sample)) {
    ids.query.push_back(known.emplace(token, known.size()).first->second);
  }
  ids.key = ids.query;
  return ids;
}

}  // namespace attn
