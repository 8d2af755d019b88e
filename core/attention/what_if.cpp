// Gates and patterns by the addresses of their heads.
#include "attention/what_if.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace attn {
namespace {

// Orders by layer, head, attention and sample, which is 0 for gates.
auto place_of(const HeadAddress& at) {
  const auto& [layer, sample, head, attention] = at;
  return std::tuple(layer, head, attention, sample);
}

HeadAddress of_all_samples(const HeadAddress& at) { return at.moved_to(at.layer, 0, at.head); }

// Finds the entry of a head in an ordered list, or the place of it.
template <class List>
auto entry_of(List& list, const HeadAddress& at) {
  const auto place = [](const auto& entry) { return place_of(entry.at); };
  const auto found = std::ranges::lower_bound(list, place_of(at), {}, place);
  return std::pair(found, found != list.end() && place(*found) == place_of(at));
}

// Sets the entry of a head, or removes it.
template <class Entry>
void set_entry(std::vector<Entry>& list, Entry entry, bool removes) {
  const auto [found, is_there] = entry_of(list, entry.at);
  if (is_there && removes) list.erase(found);
  if (removes) return;
  if (is_there) {
    *found = std::move(entry);
  } else {
    list.insert(found, std::move(entry));
  }
}

bool is_in(const HeadAddress& one, const HeadAddress& at) {
  return one.same_attention(at) && one.layer == at.layer;
}

}  // namespace

float gate_of(const Interventions& what_if, const HeadAddress& at) {
  const auto [found, is_there] = entry_of(what_if.gates, of_all_samples(at));
  return is_there ? found->factor : 1.0F;
}

void set_gate(Interventions& what_if, const HeadAddress& at, float factor) {
  set_entry(what_if.gates, HeadGate{of_all_samples(at), factor}, factor == 1.0F);
}

const Tensor* pattern_of(const Interventions& what_if, const HeadAddress& at) {
  const auto [found, is_there] = entry_of(what_if.patterns, at);
  return is_there ? &found->weights : nullptr;
}

void set_pattern(Interventions& what_if, const HeadAddress& at, Tensor weights) {
  const bool removes = weights.empty();
  set_entry(what_if.patterns, HeadPattern{at, std::move(weights)}, removes);
}

std::vector<float> gates_of(const Interventions& what_if, const HeadAddress& at,
                            std::size_t heads) {
  std::vector<float> factors;
  for (const HeadGate& gate : what_if.gates) {
    if (!is_in(gate.at, at)) continue;
    factors.resize(heads, 1.0F);
    factors[gate.at.head] = gate.factor;
  }
  return factors;
}

Interventions of_one_layer(const Interventions& what_if, const HeadAddress& at) {
  Interventions made;
  for (const HeadGate& gate : what_if.gates) {
    if (is_in(gate.at, at)) made.gates.push_back({{.head = gate.at.head}, gate.factor});
  }
  for (const auto& [of, weights] : what_if.patterns) {
    if (is_in(of, at)) made.patterns.push_back({{.sample = of.sample, .head = of.head}, weights});
  }
  for (const auto& [of, rows] : what_if.outputs) {
    if (is_in(of, at)) made.outputs.push_back({{.sample = of.sample, .head = of.head}, rows});
  }
  return made;
}

std::string words_of(const Interventions& what_if) {
  const bool both = !what_if.gates.empty() && !what_if.patterns.empty();
  return (what_if.gates.empty() ? "" : std::string("gates")) + (both ? " and " : "") +
         (what_if.patterns.empty() ? "" : "patterns");
}

}  // namespace attn
