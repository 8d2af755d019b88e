// Files of a model's folder that describe its tokenizer.
#pragma once

#include <string>

namespace attn {

// Contents of the files of a model's folder; empty: absent.
struct TokenizerFiles {
  std::string tokenizer_json = {};
  std::string vocab_json = {}, merges_txt = {};  // as GPT-2 has them
  std::string vocab_txt = {};                    // as BERT has it
  std::string tokenizer_config_json = {};        // of the two latter
};

}  // namespace attn
