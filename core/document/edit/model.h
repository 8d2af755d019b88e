// Edits of one kind of model as a whole. Internal to core/document.
#pragma once

#include <string>

#include "base/result.h"
#include "document/document.h"

namespace attn {

// The answers of edit.h for the choices of one kind. Preconditions: it takes the choice; applied:
// there is no reason against it.
struct ModelEdit {
  const char* label;
  bool (*takes)(const ModelChoice&);
  std::string (*reason_against)(const Document&, const ModelChoice&);
  Result<Document> (*applied)(const Document&, const ModelChoice&);
};

}  // namespace attn
