// Errors collected by checks of a model or document.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "attention/scoring.h"
#include "base/error.h"
#include "base/number_text.h"
#include "base/tensor.h"

namespace attn {

// Maximum of errors reported for one text.
inline constexpr std::size_t kMostFindings = 100;

// BadInput at a JSON pointer.
Error refusal_at(const std::string& pointer, const std::string& message, const std::string& found,
                 const std::string& expected, const std::string& hint = {});

// Errors found so far. Checks return true if their subject is valid.
class Findings {
 public:
  explicit Findings(std::span<const std::string> generated = {}) : generated_(generated) {}

  // "w_q", or "the generated w_q" if it was not given.
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

  // Adds the errors of another list, replacing `prefix` of their pointers by `place`.
  void add_from(Findings& others, const std::string& prefix, const std::string& place) {
    for (Error& error : others.take()) {
      if (error.pointer.starts_with(prefix)) error.pointer.replace(0, prefix.size(), place);
      add(std::move(error));
    }
  }

  // Further pointers are relative to this block: "/blocks/1"; empty: to the document.
  void enter(std::string block) { block_ = std::move(block); }

  bool none() const { return errors_.empty(); }
  std::vector<Error> take() { return std::move(errors_); }

 private:
  std::span<const std::string> generated_;
  std::string block_;
  std::vector<Error> errors_;
};

// Checks the rank of a tensor that must be given.
bool rank_between(Findings& findings, const Tensor& tensor, const std::string& pointer,
                  std::size_t low, std::size_t high, const std::string& as = "");

// Checks that two tensors have equally many rows, heads or samples.
void same_count(Findings& findings, const std::string& pointer, const std::string& noun,
                std::size_t found, std::size_t expected, const std::string& other);

// Extent of an axis counted from the last, which is 1; 1 if there is no such axis.
std::size_t extent_from_end(const Tensor& tensor, std::size_t back);

// Context of a model's checks.
struct Surroundings {
  bool cross = false;  // cross-attention
  ScoringFunction function = Scoring{}.function;
};

}  // namespace attn
