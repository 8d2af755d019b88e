// What is found wrong with a model or a document, collected.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "attention/scoring.h"
#include "base/error.h"
#include "base/tensor.h"

namespace attn {

// As many as are told of one text; more help nobody.
inline constexpr std::size_t kMostFindings = 100;

// "3 rows", "1 row".
std::string counted(std::size_t count, const std::string& noun);

// A refusal of kind BadInput at a JSON pointer, in the words of its parts.
Error refusal_at(const std::string& pointer, const std::string& message, const std::string& found,
                 const std::string& expected, const std::string& hint = {});

// The errors found so far. Each check returns true when what it looked at fits.
class Findings {
 public:
  explicit Findings(std::span<const std::string> generated = {}) : generated_(generated) {}

  // "w_q", or "the generated w_q" when nobody gave it.
  std::string spoken(const std::string& matrix) const {
    const bool made = std::find(generated_.begin(), generated_.end(), matrix) != generated_.end();
    return (made ? "the generated " : "") + matrix;
  }

  bool require(bool fits, const std::string& pointer, const std::string& message,
               const std::string& found, const std::string& expected,
               const std::string& hint = "") {
    if (!fits && errors_.size() < kMostFindings) {
      const bool of_block = !block_.empty() && pointer != "/heads";
      errors_.push_back(
          refusal_at((of_block ? block_ : "") + pointer, message, found, expected, hint));
    }
    return fits;
  }

  void add(Error error) {
    if (errors_.size() < kMostFindings) errors_.push_back(std::move(error));
  }

  // Takes over what others found, with `place` where their pointers begin with `prefix`.
  void add_from(Findings& others, const std::string& prefix, const std::string& place) {
    for (Error& error : others.take()) {
      if (error.pointer.starts_with(prefix)) error.pointer.replace(0, prefix.size(), place);
      add(std::move(error));
    }
  }

  // Pointers are those of this block from here on: "/blocks/1"; empty: of the document.
  void enter(std::string block) { block_ = std::move(block); }

  bool none() const { return errors_.empty(); }
  std::vector<Error> take() { return std::move(errors_); }

 private:
  std::span<const std::string> generated_;
  std::string block_;
  std::vector<Error> errors_;
};

// The rank of a tensor that must be there.
bool rank_between(Findings& findings, const Tensor& tensor, const std::string& pointer,
                  std::size_t low, std::size_t high, const std::string& as = "");

// The same number of rows, heads or samples in two tensors.
void same_count(Findings& findings, const std::string& pointer, const std::string& noun,
                std::size_t found, std::size_t expected, const std::string& other);

// The extent of an axis counted from the last, which is 1; 1 where the tensor has no such axis.
std::size_t extent_from_end(const Tensor& tensor, std::size_t back);

// Tensors by their JSON pointers.
struct Placed {
  const Tensor& tensor;
  const char* pointer;
};
// All of them are looked at, so that every one that is wrong is reported.
bool ranks_between(Findings& findings, std::span<const Placed> tensors, std::size_t low,
                   std::size_t high, const std::string& as = "");

// What a model must fit beside its own tensors.
struct Surroundings {
  bool cross = false;  // queries and keys are different sequences
  ScoringFunction function = Scoring{}.function;
};

}  // namespace attn
