// Interventions: changes of single heads that leave all parameters as they are.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/stage.h"
#include "base/tensor.h"

namespace attn {

inline constexpr float kLargestGate = 2.0F;

// The factor of a head's output in front of W_O, in every sample: (gate ⊙ concat) · W_O + b_O. With
// 0 nothing reads the head (Michel et al. 2019).
struct HeadGate {
  HeadAddress at;       // layer, head and attention; sample 0
  float factor = 1.0F;  // from 0 to kLargestGate
  friend bool operator==(const HeadGate&, const HeadGate&) = default;
};

// Weights that a head of one sample has in place of those from its scores: (n_q, n_k), as they are;
// those of keys that the mask hides are 0. Only where maps are materialised.
struct HeadPattern {
  HeadAddress at;
  Tensor weights;
  friend bool operator==(const HeadPattern&, const HeadPattern&) = default;
};

// Outputs of a head of one sample that W_O reads in place of its own, (n_q, d_v): those of another
// text, as patching uses them (Meng et al. 2022). Never in documents.
struct HeadOutput {
  HeadAddress at;
  Tensor rows;
  friend bool operator==(const HeadOutput&, const HeadOutput&) = default;
};

// The path from the output of a head to the queries, keys or values of a later one, which are made
// without it in every sample: from the norm of x − gate · output · W_O (path patching,
// Goldowsky-Dill et al. 2023). Only where W_O is all that stands between the output and the sum x.
struct CutEdge {
  HeadAddress at;              // the later head
  Stage input = Stage::Query;  // Query, Key or Value
  HeadAddress from;
  friend bool operator==(const CutEdge&, const CutEdge&) = default;
};

// Rows, (samples, n, d_model), from which one stage of a head of a layer is made in place of those
// of the layer. Never in documents.
struct HeadInput {
  HeadAddress at;
  Stage input = Stage::Query;
  Tensor rows;
  friend bool operator==(const HeadInput&, const HeadInput&) = default;
};

// Compared and written as they are ordered: by layer, head, attention and sample, each head once,
// no gate with the factor 1; edges by the later head, its input, and the earlier head.
struct Interventions {
  std::vector<HeadGate> gates;
  std::vector<HeadPattern> patterns;
  std::vector<CutEdge> edges;
  std::vector<HeadOutput> outputs;
  std::vector<HeadInput> inputs;
  friend bool operator==(const Interventions&, const Interventions&) = default;
};

// The factor of the head at the address, whatever the sample; 1 unless there is a gate.
float gate_of(const Interventions& what_if, const HeadAddress& at);
// Sets it.
void set_gate(Interventions& what_if, const HeadAddress& at, float factor);

// Weights of the head at the address in place of its own, or null. Borrowed.
const Tensor* pattern_of(const Interventions& what_if, const HeadAddress& at);
// Sets them; empty ones leave the head its own.
void set_pattern(Interventions& what_if, const HeadAddress& at, Tensor weights);

// True if some edge to the stage of the head is cut.
bool cuts_edge_to(const Interventions& what_if, const HeadAddress& at, Stage input);
// The first cut edge to each stage of a head.
std::vector<CutEdge> edges_by_input(const Interventions& what_if);
// Cuts an edge, or restores it.
void set_edge(Interventions& what_if, const CutEdge& edge, bool is_cut);

// "queries", "keys", "values".
std::string_view input_name(Stage input);
// "L5 H1 without L2 H4 in its keys", with the numbers of the layers and heads counted from 1.
std::string edge_words(const CutEdge& edge, const AttentionShape& shape);

// Factors of all heads of an attention of a layer, in order; empty if all are 1.
std::vector<float> gates_of(const Interventions& what_if, const HeadAddress& at, std::size_t heads);

// Returns the interventions in one attention of one layer, with addresses in a model of that layer
// alone, which has no edges.
Interventions of_one_layer(const Interventions& what_if, const HeadAddress& at);

// The first interventions in words, "L3 H1 × 0, other weights in L2 H4, L5 H1 without L2 H4 in its
// keys and 2 more"; "" without any.
std::string list_of(const Interventions& what_if, const AttentionShape& shape);

// "gates", "patterns and cut edges" and the like; "" without any.
std::string words_of(const Interventions& what_if);

}  // namespace attn
