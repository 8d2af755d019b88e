// Gates by the addresses of their heads.
#include "attention/what_if.h"

#include <algorithm>
#include <tuple>

namespace attn {
namespace {

// Orders gates by layer, head and attention.
auto place_of(const HeadAddress& at) {
  const auto& [layer, sample, head, attention] = at;
  return std::tuple(layer, head, attention);
}

auto place_of_gate(const HeadGate& gate) { return place_of(gate.at); }

bool is_in(const HeadGate& gate, const HeadAddress& at) {
  return gate.at.same_attention(at) && gate.at.layer == at.layer;
}

}  // namespace

float gate_of(const Interventions& what_if, const HeadAddress& at) {
  const auto found = std::ranges::find(what_if.gates, place_of(at), place_of_gate);
  return found == what_if.gates.end() ? 1.0F : found->factor;
}

void set_gate(Interventions& what_if, const HeadAddress& at, float factor) {
  const auto found = std::ranges::lower_bound(what_if.gates, place_of(at), {}, place_of_gate);
  const bool is_there = found != what_if.gates.end() && place_of_gate(*found) == place_of(at);
  if (is_there && factor == 1.0F) what_if.gates.erase(found);
  if (factor == 1.0F) return;
  if (is_there) {
    found->factor = factor;
  } else {
    what_if.gates.insert(found, {at.moved_to(at.layer, 0, at.head), factor});
  }
}

std::vector<float> gates_of(const Interventions& what_if, const HeadAddress& at,
                            std::size_t heads) {
  std::vector<float> factors;
  for (const HeadGate& gate : what_if.gates) {
    if (!is_in(gate, at)) continue;
    factors.resize(heads, 1.0F);
    factors[gate.at.head] = gate.factor;
  }
  return factors;
}

Interventions of_one_layer(const Interventions& what_if, const HeadAddress& at) {
  Interventions made;
  for (const HeadGate& gate : what_if.gates) {
    if (is_in(gate, at)) made.gates.push_back({{.head = gate.at.head}, gate.factor});
  }
  return made;
}

}  // namespace attn
