#include "document/generate.h"

#include <cmath>

#include "base/random.h"

namespace attn {

std::vector<float> generated_embedding(std::uint64_t seed, const std::string& token,
                                       std::size_t width) {
  Random random(mix(seed, text_hash(token)));
  std::vector<float> row(width);
  for (float& value : row) value = random.normal();
  return row;
}

Tensor generated_projection(std::uint64_t seed, const std::string& name, std::size_t rows,
                            std::size_t cols) {
  Random random(mix(seed, text_hash(name)));
  const float scale = 1.0F / std::sqrt(static_cast<float>(rows));
  std::vector<float> values(rows * cols);
  for (float& value : values) value = random.normal() * scale;
  return Tensor({rows, cols}, std::move(values));
}

Tensor generated_embeddings(std::uint64_t seed, const TokenLists& lists, std::size_t width) {
  const std::size_t n = lists.front().size();
  std::vector<float> values;
  values.reserve(lists.size() * n * width);
  for (const TokenList& tokens : lists) {
    for (const std::string& token : tokens) {
      const std::vector<float> row = generated_embedding(seed, token, width);
      values.insert(values.end(), row.begin(), row.end());
    }
  }
  if (lists.size() == 1) return Tensor({n, width}, std::move(values));
  return Tensor({lists.size(), n, width}, std::move(values));
}

std::vector<float> generated_row(std::uint64_t seed, const std::string& name, std::size_t matrix,
                                 const std::string& token, std::size_t width) {
  return generated_embedding(mix(mix(seed, text_hash(name)), matrix), token, width);
}

}  // namespace attn
