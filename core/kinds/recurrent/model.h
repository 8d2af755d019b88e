// Kind of model: a recurrent encoder–decoder with attention.
#pragma once

#include <optional>
#include <string>

#include "attention/problem.h"
#include "attention/recurrent.h"
#include "kinds/parts/embeddings.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/kind_info.h"

namespace attn {

struct RecurrentModel {
  static const KindInfo kInfo;
  static const KindInfo& info() { return kInfo; }
  Embeddings embeddings;  // keys are the source, queries the target; no values
  std::size_t heads = 1;  // 1 when consistent
  Recurrent recurrent;
  AttentionShape shape() const;
  TensorList tensors(const AttentionShape& shape, std::optional<std::size_t> block = {}) const;
  void check(Findings& findings, const Surroundings& around) const;
  void put_into(AttentionProblem& problem) const;
  friend bool operator==(const RecurrentModel&, const RecurrentModel&) = default;
};

// Choices for a recurrent model.
struct RecurrentChoice {
  CellKind cell{};
  QueryState asks = QueryState::Previous;
  bool bidirectional = false;
  std::size_t hidden = 1;  // units of each cell
  bool outputs = true;     // o_t
  friend bool operator==(const RecurrentChoice&, const RecurrentChoice&) = default;
};
RecurrentChoice choice_of(const Recurrent& model);

// "GRU encoder and decoder of 3 hidden units".
std::string words_of_cells(const RecurrentModel& model);

// Widths of the model's tensors. Precondition: encoder and decoder are given.
RecurrentWidths widths_of(const RecurrentModel& model);

// Error of a tensor of another shape than the fitting one (empty: not allowed).
Error refused_recurrent_shape(const RecurrentTensorInfo& info, const Shape& found,
                              const Shape& expected);

// The row of ProblemKind for such a model.
extern const ProblemKind kRecurrentProblems;

}  // namespace attn
