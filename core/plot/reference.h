// Numbers to compare with: another document and its result, or this one as it was.
#pragma once

#include <memory>
#include <string>

#include "document/document.h"
#include "engine/result.h"

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
};
using ReferencePtr = std::shared_ptr<const Reference>;

}  // namespace attn
