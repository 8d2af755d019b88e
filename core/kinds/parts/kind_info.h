// What a kind of model says of itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "attention/problem.h"

namespace attn {

// What is true of every model of a kind: asked for instead of asking which kind it is.
struct KindInfo {
  std::string_view name;      // "recurrent": in messages
  std::string_view label;     // "Recurrent encoder–decoder"
  std::string_view sentence;  // what it is, one line
  bool has_scores = true;     // else the weights are as they were given
  bool projects = false;      // cuts heads from embeddings by projections
  bool has_steps = false;     // makes its rows one after another, each from the one before
  bool has_layers = false;    // may have several
  std::size_t sequences = 0;  // 1 or 2; 0: either
  // Why a document with it has no positions to choose; empty where it may have.
  std::string_view no_positions = {};
  ScoringFunction usual_scoring{};  // where a document names none

  const ProblemKind* problems;  // whose stages it has, beside what is as long as the tokens

  // How many numbers a model of this shape has, roughly.
  std::uint64_t (*numbers)(const AttentionShape&);

  bool is_embedded() const { return projects || has_steps; }    // starts from embeddings
  bool has_networks() const { return projects && has_layers; }  // is made of blocks
};

}  // namespace attn
