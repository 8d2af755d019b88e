// Where editors find the schema of documents: beside them, or where the user had it installed.
#pragma once

#include <string>

#include "base/result.h"

namespace attn {

// The text that documents name it by where it lies beside them: "attnscope.schema.json".
std::string usual_schema();

// Writes the schema to the user's data folder, replacing an older one, and returns its path.
// CannotWrite.
Result<std::string> install_schema();

// What `$schema` of a document in `folder` says: what it says already, where that is a person's own
// choice; else the usual text where the schema lies in the folder or is installed nowhere; else the
// file URI of the first of data_folders() that has it.
std::string schema_seen_from(const std::string& schema, const std::string& folder);

}  // namespace attn
