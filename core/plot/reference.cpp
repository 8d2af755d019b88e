// Words for a reference that is not there.
#include "plot/reference.h"

#include <utility>

namespace attn {

NoReference awaited_reference(const std::string& path) {
  return std::make_shared<const Error>(
      usage_error("the reference " + path + " is still being opened and computed"));
}

NoReference missing_reference(const std::string& path, const Error& why) {
  Error error =
      usage_error("the reference " + path + " cannot be compared with: " + why.message,
                  "put the file back, choose another reference, or compare within the document");
  error.file = why.file;
  error.found = why.found;
  error.expected = why.expected;
  return std::make_shared<const Error>(std::move(error));
}

}  // namespace attn
