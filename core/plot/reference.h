// Numbers to compare with: another document and its result, or this one as it was.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "document/document.h"
#include "engine/read/result.h"

namespace attn {

// A value that never changes: what is compared with stays what it was, whatever becomes of the
// document it came from. That something became of it is said by the remark.
struct Reference {
  std::string key;     // tells it from all others of a run
  std::string label;   // "cats.attn.json", "Two heads as it was kept"
  std::string remark;  // "the document was edited since"; empty: nothing happened
  std::string path;    // of its file, or example:NAME; empty for a state that was kept
  std::shared_ptr<const Document> document;  // neither is null
  ResultPtr result;
  std::optional<FileVersion> version = {};  // of the bytes that were read; none: nothing to look at
};
using ReferencePtr = std::shared_ptr<const Reference>;

// Why there is no reference although a document or a person names one. Shared, so that options are
// cheap to copy and to compare.
using NoReference = std::shared_ptr<const Error>;

// The one of `path` is not there yet.
NoReference awaited_reference(const std::string& path);
// It could not be opened or computed, as `why` says: refused (Usage) with what, where, what to do.
NoReference missing_reference(const std::string& path, const Error& why);

}  // namespace attn
