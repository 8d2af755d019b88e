// Checks shared by all kinds of model.
#include "kinds/parts/findings.h"

namespace attn {

Error refusal_at(const std::string& pointer, const std::string& message, const std::string& found,
                 const std::string& expected, const std::string& hint) {
  return Error{.kind = ErrorKind::BadInput,
               .message = message,
               .pointer = pointer,
               .found = found,
               .expected = expected,
               .hint = hint};
}

bool rank_between(Findings& findings, const Tensor& tensor, const std::string& pointer,
                  std::size_t low, std::size_t high, const std::string& as) {
  const std::string expected =
      (low == high ? "depth " + std::to_string(low)
                   : "depth " + std::to_string(low) + " to " + std::to_string(high)) +
      as;
  return findings.require(tensor.rank() >= low && tensor.rank() <= high && !tensor.empty(), pointer,
                          "the lists are nested to the wrong depth",
                          tensor.empty() ? "no numbers" : "depth " + std::to_string(tensor.rank()),
                          expected);
}

void same_count(Findings& findings, const std::string& pointer, const std::string& noun,
                std::size_t found, std::size_t expected, const std::string& other) {
  findings.require(found == expected, pointer, "does not fit " + other, counted(found, noun),
                   std::to_string(expected) + ", as " + other + " has");
}

std::size_t extent_from_end(const Tensor& tensor, std::size_t back) {
  return tensor.rank() >= back ? tensor.extent(tensor.rank() - back) : 1;
}

}  // namespace attn
