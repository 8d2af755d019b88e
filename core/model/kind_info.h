// What is true of every model of a kind: asked for instead of asking which kind it is.
#pragma once

#include <string_view>

#include "attention/scoring.h"

namespace attn {

struct KindInfo {
  std::string_view name;   // "recurrent": in messages
  bool has_scores = true;  // else the weights are as they were given
  bool projects = false;   // cuts heads from embeddings by projections
  bool has_steps = false;  // makes its rows one after another, each from the one before
  // Why a document with it has no positions to choose; empty where it may have.
  std::string_view no_positions = {};
  ScoringFunction usual_scoring{};  // where a document names none
};

}  // namespace attn
