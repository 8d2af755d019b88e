// Small tokenizers for tests, written as tokenizer.json has them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace attn::test {

// tokenizer.json with this model and other members: R"("normalizer": {…})".
inline std::string tokenizer_json(const std::string& model, const std::string& others = "") {
  return "{" + others + (others.empty() ? "" : ", ") + "\"model\": " + model + "}";
}

inline std::shared_ptr<const Tokenizer> opened(const TokenizerFiles& files) {
  const auto tokenizer = Tokenizer::open(files);
  EXPECT_TRUE(tokenizer.ok()) << (tokenizer ? "" : describe(tokenizer.error()))
                              << files.tokenizer_json;
  return tokenizer ? *tokenizer : nullptr;
}

inline std::shared_ptr<const Tokenizer> opened(const std::string& json) {
  return opened(TokenizerFiles{.tokenizer_json = json});
}

using Ids = std::vector<std::uint32_t>;

// The ids; those of errors are one that no vocabulary has.
inline Ids ids_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& text) {
  if (tokenizer == nullptr) return {999'999};
  const auto ids = tokenizer->encode(text);
  EXPECT_TRUE(ids.ok()) << describe(ids.error());
  return ids ? *ids : Ids{999'999};
}

// The pieces of the ids with "|" between them.
inline std::string pieces_of(const std::shared_ptr<const Tokenizer>& tokenizer,
                             const std::string& text) {
  std::string pieces;
  for (const std::uint32_t id : ids_of(tokenizer, text)) {
    pieces += (pieces.empty() ? "" : "|") + tokenizer->piece(id);
  }
  return pieces;
}

}  // namespace attn::test
