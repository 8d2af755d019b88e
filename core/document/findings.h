// What is found wrong with a document, collected. Internal to core/document.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/tensor.h"
#include "document/document.h"
#include "document/inconsistencies.h"
#include "document/json_cursor.h"

namespace attn {

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
    if (!fits && errors_.size() < kMostErrors) {
      const bool of_block = !block_.empty() && pointer != "/heads";
      errors_.push_back(
          refusal_at((of_block ? block_ : "") + pointer, message, found, expected, hint));
    }
    return fits;
  }

  void add(Error error) {
    if (errors_.size() < kMostErrors) errors_.push_back(std::move(error));
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

// Everything about a stack of blocks but their projections. Preconditions: those fit, and there are
// blocks.
void check_stack(Findings& findings, const Stack& stack, std::size_t d_model);

// Everything about a recurrent model. Precondition: there is one, and the embeddings are sound.
void check_recurrent(Findings& findings, const RecurrentModel& model, ScoringFunction function);

// True where queries and keys must have the same number of columns.

// The rules beside the input. check_scoring_numbers needs no shape; the others a sound input.
void check_scoring_numbers(Findings& findings, const Scoring& scoring);
void check_scoring_matrices(Findings& findings, const Scoring& scoring,
                            const AttentionShape& shape);
void check_mask(Findings& findings, const Mask& mask, const AttentionShape& shape);
void check_position(Findings& findings, const Document& document, const AttentionShape& shape);

}  // namespace attn
