// Tokenizers of language models: the ids of the tokens of a text, as the libraries compute them
// whose files lie in a model's folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace attn {

namespace tokenizing {
struct TokenizerParts;
}

// Contents of the files of a model's folder; empty: absent.
struct TokenizerFiles {
  std::string tokenizer_json = {};
  std::string vocab_json = {}, merges_txt = {};  // as GPT-2 has them
  std::string vocab_txt = {};                    // as BERT has it
  // Settings of the two latter, with special tokens; names of these; ids of added tokens.
  std::string tokenizer_config_json = {}, special_tokens_map_json = {}, added_tokens_json = {};
  bool ends_texts = false;  // vocab.json has <s> and </s> around each text, as of RoBERTa
};

// Immutable and thread-safe.
class Tokenizer {
 public:
  // Reads tokenizer.json, else vocab.json with merges.txt, else vocab.txt. As in the libraries,
  // added_tokens_decoder of the settings stands for both other files of the older layouts, and
  // special_tokens_map.json stands before the settings. Errors: BadInput, with the name of the
  // file, the JSON pointer or line, and the kinds of steps that are known.
  static Result<std::shared_ptr<const Tokenizer>> open(const TokenizerFiles& files);

  explicit Tokenizer(tokenizing::TokenizerParts parts);
  ~Tokenizer();
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // The ids of a text, with the special tokens that the model has around it. In about n log n steps
  // for n bytes, of which at most 8 MiB are allowed. Errors: BadInput for texts that are no UTF-8,
  // too long, too much for a pattern of the tokenizer, or unknown to a vocabulary without a token
  // for that.
  Result<std::vector<std::uint32_t>> encode(std::string_view text) const;

  // A token as people read it: " cat" for "Ġcat" and "▁cat"; "##ing" as it is; bytes that are no
  // UTF-8 by themselves as "<0xE4>". Empty for ids without a token.
  std::string piece(std::uint32_t id) const;

  // A token as the vocabulary writes it: "Ġcat", "▁cat", "##ing". Empty for ids without a token.
  std::string token(std::uint32_t id) const;

  // The highest id and one.
  std::size_t size() const;

 private:
  std::unique_ptr<const tokenizing::TokenizerParts> parts_;
};

}  // namespace attn
