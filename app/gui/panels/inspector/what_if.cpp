// Section of the inspector about gates, patterns and cut edges, and what follows from them.
#include <imgui.h>

#include <algorithm>
#include <functional>

#include "base/number_text.h"
#include "base/parsed_number.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/ui/widgets.h"
#include "plot/maps/heads.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr std::size_t kMostRows = 6, kMostChanged = 5;  // of gates, and of changed heads

std::string name_of(const AppState& state, const HeadAddress& at) {
  const AttentionShape shape = shape_of(state.document);
  const bool several = attentions_of(state.document).size() > 1;
  const std::string attention =
      several ? std::string(attention_info(at).label) + ", " : std::string();
  return attention + (attention.empty() ? "Layer " : "layer ") +
         std::to_string(layer_number(shape, at.layer)) + ", head " + std::to_string(at.head + 1);
}

// Returns "L3 H6" or "Self L3 H6", for narrow panels.
std::string short_name_of(const AppState& state, const HeadAddress& at) {
  const bool several = attentions_of(state.document).size() > 1;
  return (several ? std::string(attention_info(at).brief) + " L" : "L") +
         std::to_string(layer_number(shape_of(state.document), at.layer)) + " H" +
         std::to_string(at.head + 1);
}

// Returns the full name of a head if it fits, else the short one.
std::string fitting_name(const AppState& state, const HeadAddress& at, float room) {
  const std::string name = name_of(state, at);
  return ImGui::CalcTextSize(name.c_str()).x <= room ? name : short_name_of(state, at);
}

std::string gate_problem(const std::string& text) {
  const Result<float> factor = parse_number(text);
  return factor && *factor >= 0.0F && *factor <= kLargestGate ? ""
                                                              : "A gate is a factor from 0 to 2";
}

void gate_row(Ui& ui, const AppState& state, const HeadGate& gate, std::size_t index,
              FieldInteractions& fields) {
  const std::string name = "what_if/" + std::to_string(index);
  constexpr float kLabel = 150.0F, kWide = 60.0F, kButton = 36.0F;
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x,
              room =
                  std::min(ImGui::GetContentRegionAvail().x / ui.scale - kWide - kButton, kLabel);
  FieldValue value{.label = fitting_name(state, gate.at, ui.px(room)),
                   .help = "Factor of the head's output: 0 takes it out, 2 doubles it",
                   .kind = FieldKind::Number,
                   .text = shortest_text(gate.factor),
                   .problem = gate_problem,
                   .limits = {0.0, static_cast<double>(kLargestGate)}};
  if (const auto text = field_row(ui, name + "/value", value, fields, room, {.width = kWide})) {
    const Result<float> factor = parse_number(*text);
    if (factor) ui.send(command::SetGates{{{gate.at, *factor}}, ui.field_gesture});
  }
  ImGui::SameLine(right - button_width(ui, "×"));  // also behind a line on a problem
  button(ui, name + "/remove", "×",
         {.tooltip = "Back to 1", .sends = command::SetGates{{{gate.at, 1.0F}}}});
}

// A row of a head with a pattern, whose numbers the inputs show.
void pattern_row(Ui& ui, const AppState& state, std::size_t index) {
  const HeadAddress& at = state.document.what_if.patterns[index].at;
  const std::string name = "what_if/pattern/" + std::to_string(index);
  const bool several = shape_of(state.document).samples > 1;
  const std::string sample = several ? ", sample " + std::to_string(at.sample + 1) : "";
  const bool is_narrow = ImGui::GetContentRegionAvail().x < ui.px(240);
  const std::string head = is_narrow ? short_name_of(state, at) : name_of(state, at);
  if (button(ui, name, head + sample + ": other weights",
             {.tooltip = "Shows these weights among the inputs, where they can be edited"})) {
    Sides sides = state.preferences.sides;
    sides.left_folded = false;
    ui.send(command::SetSides{sides});
    const TensorPath path = "/what_if/patterns/" + std::to_string(index) + "/weights";
    ui.send(command::SelectMatrix{{path, at}});
  }
  ImGui::SameLine();
  button(ui, name + "/remove", "×",
         {.tooltip = "Gives the head its own weights back", .sends = command::SetPattern{at}});
}

// A row of a cut edge.
void edge_row(Ui& ui, const AppState& state, std::size_t index) {
  const CutEdge& edge = state.document.what_if.edges[index];
  const std::string name = "what_if/edge/" + std::to_string(index);
  const std::string words = edge_words(edge, shape_of(state.document));
  const float room =
      ImGui::GetContentRegionAvail().x - button_width(ui, "×") - ImGui::GetStyle().ItemSpacing.x;
  const std::string shown = button_width(ui, words) <= room
                                ? words
                                : short_name_of(state, edge.at) + " − " +
                                      short_name_of(state, edge.from) + ", " +
                                      std::string(stage_info(edge.input).name);
  button(ui, name, shown, {.tooltip = words, .sends = command::SelectHead{edge.at}});
  ImGui::SameLine();
  button(ui, name + "/remove", "×",
         {.tooltip = "Restores the edge", .sends = command::SetEdge{edge, false}});
}

// Calls row(i) for the first of some rows, and says how many others there are.
void first_rows(Ui& ui, std::size_t count, const char* others,
                const std::function<void(std::size_t)>& row) {
  for (std::size_t i = 0; i < std::min(count, kMostRows); ++i) row(i);
  if (count <= kMostRows) return;
  empty_hint(ui, "and " + std::to_string(count - kMostRows) + " more " + others);
}

void find_changes(const AppState& state, ChangedHeads& found) {
  if (found.result == state.result && found.reference == state.reference) return;
  // The list stays until all layers are computed; those that are not in view come last in a drag.
  if (state.result_revision != state.revision ||
      state.result->layers_ready() < state.result->shape().layers) {
    return;
  }
  found = {state.result, state.reference, {}, 0, true};
  const AttentionShape shape = state.result->shape();
  const std::size_t sample = focused_view(state).options.at.sample;
  std::size_t first_changed = shape.layers;
  for (const AttentionInfo& attention : attentions_of(state.result->problem())) {
    for (std::size_t i = 0; i < shape.layers * shape.heads; ++i) {
      const HeadAddress at = attention.at().moved_to(i / shape.heads, sample, i % shape.heads);
      const auto change = change_of(*state.result, *state.reference->result, at);
      found.is_known = found.is_known && change.has_value();
      if (!change || *change == 0.0) continue;
      found.heads.push_back({at, *change});
      first_changed = std::min(first_changed, at.layer);
    }
  }
  found.unchanged_layers = first_changed;
  std::ranges::stable_sort(found.heads, std::ranges::greater{}, &ChangedHeads::Head::change);
}

// True if only gates of the last layer are set, which no weights follow.
bool is_read_by_none(const Interventions& what_if, const AttentionShape& shape) {
  const auto is_last = [&](const HeadGate& gate) { return gate.at.layer + 1 == shape.layers; };
  return what_if.patterns.empty() && what_if.edges.empty() &&
         std::ranges::all_of(what_if.gates, is_last);
}

// Returns "Weights of layers 1 to 9 are unchanged, bit by bit".
std::string unchanged_words(const Interventions& what_if, const AttentionShape& shape,
                            std::size_t layers) {
  const auto number = [&](std::size_t layer) { return std::to_string(layer_number(shape, layer)); };
  if (layers == shape.layers) {
    return is_read_by_none(what_if, shape)
               ? "No weight changes: these heads are read by no later layer"
               : "No weight changes";
  }
  const std::string which =
      layers == 1 ? "layer " + number(0) : "layers " + number(0) + " to " + number(layers - 1);
  return "Weights of " + which + " are unchanged, bit by bit";
}

void changed_heads(Ui& ui, const AppState& state, ChangedHeads& changed) {
  if (state.reference == nullptr || !state.result) return;
  find_changes(state, changed);
  if (changed.result == nullptr) return empty_hint(ui, "Computing what follows…");
  if (!changed.is_known) return;
  ImGui::Dummy(ImVec2(0.0F, ui.px(3)));
  elided_text(ui, "Changed most", ImGui::GetContentRegionAvail().x, ui.colors().text, true);
  empty_hint(ui, "Mean variation of the weights from " + state.reference->label);
  for (std::size_t i = 0; i < std::min(changed.heads.size(), kMostChanged); ++i) {
    const auto& [at, change] = changed.heads[i];
    const std::string number = ": " + short_text(change);
    const float room = ImGui::GetContentRegionAvail().x - button_width(ui, number);
    const std::string words = fitting_name(state, at, room) + number;
    button(ui, "what_if/changed/" + std::to_string(i), words,
           {.tooltip = "Shows this head", .sends = command::SelectHead{at}});
  }
  if (changed.unchanged_layers == 0) return;
  empty_hint(
      ui, unchanged_words(state.document.what_if, state.result->shape(), changed.unchanged_layers),
      "what_if/unchanged");
}

}  // namespace

command::SetGates reset_gates(const Document& document) {
  command::SetGates reset{document.what_if.gates};
  for (HeadGate& gate : reset.gates) gate.factor = 1.0F;
  return reset;
}

void what_if_section(Ui& ui, const AppState& state, InspectorView& view) {
  const Interventions& what_if = state.document.what_if;
  const std::vector<HeadGate>& gates = what_if.gates;
  if (what_if == Interventions{}) return;
  section_header(ui, "What if");
  first_rows(ui, gates.size(), "gates",
             [&](std::size_t i) { gate_row(ui, state, gates[i], i, view.fields); });
  if (!gates.empty()) {
    button(ui, "what_if/reset", "All heads back to 1",
           {.tooltip = "Removes all gates", .sends = reset_gates(state.document)});
  }
  first_rows(ui, what_if.patterns.size(), "heads",
             [&](std::size_t i) { pattern_row(ui, state, i); });
  first_rows(ui, what_if.edges.size(), "cut edges", [&](std::size_t i) { edge_row(ui, state, i); });
  changed_heads(ui, state, view.changed);
}

}  // namespace attn::gui
