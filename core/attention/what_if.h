// Interventions: changes of single heads that leave all parameters as they are.
#pragma once

#include <span>
#include <vector>

#include "attention/stage.h"

namespace attn {

inline constexpr float kLargestGate = 2.0F;

// The factor of a head's output in front of W_O, in every sample: (gate ⊙ concat) · W_O + b_O. With
// 0 nothing reads the head (Michel et al. 2019).
struct HeadGate {
  HeadAddress at;       // layer, head and attention; sample 0
  float factor = 1.0F;  // from 0 to kLargestGate
  friend bool operator==(const HeadGate&, const HeadGate&) = default;
};

// Compared and written as they are ordered: by layer, head and attention, each head once, none with
// the factor 1.
struct Interventions {
  std::vector<HeadGate> gates;
  friend bool operator==(const Interventions&, const Interventions&) = default;
};

// The factor of the head at the address, whatever the sample; 1 unless there is a gate.
float gate_of(const Interventions& what_if, const HeadAddress& at);
// Sets it.
void set_gate(Interventions& what_if, const HeadAddress& at, float factor);

// Factors of all heads of an attention of a layer, in order; empty if all are 1.
std::vector<float> gates_of(const Interventions& what_if, const HeadAddress& at, std::size_t heads);

// The gates of one attention of one layer, as those of a model that has only these.
Interventions of_one_layer(const Interventions& what_if, const HeadAddress& at);

}  // namespace attn
