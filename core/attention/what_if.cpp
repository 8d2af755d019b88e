// Gates, patterns and cut edges by the addresses of their heads.
#include "attention/what_if.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "attention/block.h"
#include "base/joined.h"
#include "base/number_text.h"

namespace attn {
namespace {

// Orders by layer, head, attention and sample, which is 0 for gates.
auto place_of(const HeadAddress& at) {
  const auto& [layer, sample, head, attention] = at;
  return std::tuple(layer, head, attention, sample);
}

template <class Entry>
auto place_of(const Entry& entry) {
  return place_of(entry.at);
}
auto place_of(const CutEdge& edge) {
  return std::tuple(place_of(edge.at), edge.input, place_of(edge.from));
}

HeadAddress of_all_samples(const HeadAddress& at) { return at.moved_to(at.layer, 0, at.head); }

// Finds what stands at a place of an ordered list, or where it would.
template <class List, class Place>
auto entry_of(List& list, const Place& at) {
  const auto place = [](const auto& entry) { return place_of(entry); };
  const auto found = std::ranges::lower_bound(list, place_of(at), {}, place);
  return std::pair(found, found != list.end() && place(*found) == place_of(at));
}

// "L3 H1", of the attention to the own rows of a decoder "self L3 H1".
std::string name_of(const HeadAddress& at, const AttentionShape& shape) {
  const std::string attention(at.same_attention({}) ? "" : attention_info(at).name);
  return attention + (attention.empty() ? "" : " ") + "L" +
         std::to_string(layer_number(shape, at.layer)) + " H" + std::to_string(at.head + 1);
}

// Sets an entry in its place, or removes it.
template <class Entry>
void set_entry(std::vector<Entry>& list, Entry entry, bool removes) {
  const auto [found, is_there] = entry_of(list, entry);
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

bool cuts_edge_to(const Interventions& what_if, const HeadAddress& at, Stage input) {
  return std::ranges::any_of(what_if.edges, [&](const CutEdge& edge) {
    return edge.input == input && place_of(edge.at) == place_of(of_all_samples(at));
  });
}

std::vector<CutEdge> edges_by_input(const Interventions& what_if) {
  std::vector<CutEdge> first = what_if.edges;
  const auto is_again = [](const CutEdge& a, const CutEdge& b) {
    return a.at == b.at && a.input == b.input;
  };
  first.erase(std::unique(first.begin(), first.end(), is_again), first.end());
  return first;
}

void set_edge(Interventions& what_if, const CutEdge& edge, bool is_cut) {
  set_entry(what_if.edges, edge, !is_cut);
}

std::string_view input_name(Stage input) {
  return input == Stage::Query ? "queries" : input == Stage::Key ? "keys" : "values";
}

std::string edge_words(const CutEdge& edge, const AttentionShape& shape) {
  return name_of(edge.at, shape) + " without " + name_of(edge.from, shape) + " in its " +
         std::string(input_name(edge.input));
}

std::string list_of(const Interventions& what_if, const AttentionShape& shape) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> all;
  for (const auto& [at, factor] : what_if.gates) {
    all.push_back(name_of(at, shape) + " × " + short_text(static_cast<double>(factor), 6));
  }
  for (const HeadPattern& pattern : what_if.patterns) {
    all.push_back("other weights in " + name_of(pattern.at, shape));
  }
  for (const CutEdge& edge : what_if.edges) all.push_back(edge_words(edge, shape));
  return joined_first(all, kMost);
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
  std::vector<std::string> kinds;
  if (!what_if.gates.empty()) kinds.emplace_back("gates");
  if (!what_if.patterns.empty()) kinds.emplace_back("patterns");
  if (!what_if.edges.empty()) kinds.emplace_back("cut edges");
  return listed(kinds);
}

}  // namespace attn
