// Documents of a model's folder: completion of their text, other texts for the model, and what is
// written of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "document/document.h"
#include "document/json/document_text.h"
#include "document/reading.h"
#include "text/reader.h"

namespace attn {

// The text that a model reads if none is given.
inline constexpr std::string_view kUsualText = "The cat sat because it was tired";
// The beginning of the note on that.
inline constexpr std::string_view kNoTextGiven = "no text is given";

// Fills in the model of the text's folder and the tokens of its sentence. Absent for texts without
// a folder, and where an error is added to `errors`. Notes are about the folder.
std::optional<SourceModel> fill_from_folder(DocumentText& text, const ReadOptions& options,
                                            std::vector<std::string>& notes,
                                            std::vector<Error>& errors);

// Remembers the document as the folder gives it, and applies the edits of its text. Adds errors to
// the reading, such as that of a tensor that the model has not.
void put_source(Reading& reading, SourceModel source, const std::vector<TensorEdit>& edits);

// True if the model can read the text; else the reason.
Status check_text(const SourceModel& model, const std::string& text,
                  std::uint64_t memory_limit_bytes);

// The document with another sentence for its model: other tokens and embeddings, the same
// parameters, and all edits of these. BadInput with the reason if the tokenizer refuses the text,
// or the model reads fewer tokens; OverMemoryLimit.
Result<Document> with_text(const Document& document, const std::string& text,
                           std::uint64_t memory_limit_bytes);

}  // namespace attn
