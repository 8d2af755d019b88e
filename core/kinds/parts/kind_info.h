// Facts about a kind of model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "attention/problem.h"

namespace attn {

// Facts of a kind, used instead of checking which kind it is.
struct KindInfo {
  std::string_view name;      // name in messages: "recurrent"
  std::string_view label;     // "Recurrent encoder–decoder"
  std::string_view sentence;  // what it is, one line
  bool has_scores = true;     // else weights are given
  bool projects = false;      // projects embeddings to heads
  bool has_steps = false;     // makes rows sequentially, each from the one before
  bool has_layers = false;    // may have several
  std::size_t sequences = 0;  // 1 or 2; 0: either
  // Reason why documents of the kind have no positions; empty if they may.
  std::string_view no_positions = {};
  ScoringFunction usual_scoring{};  // default of documents

  const ProblemKind* problems;  // stages and costs of the kind

  // Approximate number of elements of a model of this shape.
  std::uint64_t (*numbers)(const AttentionShape&);

  bool is_embedded() const { return projects || has_steps; }    // starts from embeddings
  bool has_networks() const { return projects && has_layers; }  // is made of blocks
};

}  // namespace attn
