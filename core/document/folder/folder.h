// Folders of language models, translated into the text of a document: settings of config.json and
// the arrays of its files, by the row of the family. Nothing in a folder is executed. Internal to
// core/document.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "document/json/document_text.h"
#include "document/model_places.h"
#include "kinds/parts/vocabulary.h"
#include "text/reader.h"

namespace attn {

// The folder of a model by one of its files; empty if the file is in no such folder.
std::string model_folder_of(const std::string& file);

struct LoadedModel {
  std::string family;  // "gpt2"
  DocumentText text;   // blocks and their rules; no tokens
  std::shared_ptr<const Vocabulary> vocabulary;
  std::vector<std::string> notes;
};

// Reads a folder; weights stay in their files. Errors name the file or the array, what was found
// and expected. BadInput for unknown families, with the nearest known one.
Result<LoadedModel> load_model(const std::string& folder, const ReadOptions& options);

}  // namespace attn
