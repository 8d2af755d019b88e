// The tokenizer in the folder of a model, and what its files say against each other. Internal to
// core/document.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "document/folder/families.h"
#include "kinds/parts/vocabulary.h"
#include "text/reader.h"

namespace attn {

// Reads the files of the tokenizer, of which all may be absent. BadInput where vocab.json is all
// there is and the family cuts words otherwise than GPT-2.
Result<TokenizerFiles> tokenizer_files(const std::string& folder, const Family& family,
                                       const ReadOptions& options);

// Null without files. Errors name the file.
Result<std::shared_ptr<const Tokenizer>> tokenizer_of(const std::string& folder,
                                                      const TokenizerFiles& files);

// Notes that the tokenizer seems to be of another model, where its files disagree, and what
// tokenizer_config.json says that tokenizer.json does not do, by trying it.
void note_tokenizer(const TokenizerFiles& files, const Vocabulary& vocabulary,
                    std::vector<std::string>& notes);

}  // namespace attn
