// Gates, patterns and edges of heads: sliders below thumbnails, and a menu for them and for rows
// and columns of heads.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/number_text.h"
#include "gui/panels/pane/pane.h"
#include "gui/ui/widgets.h"
#include "plot/kit/names.h"

namespace attn::gui {
namespace {

std::string name_of(const GateHit& gate) {
  return "Layer " + std::to_string(gate.layer) + ", head " + std::to_string(gate.head.head + 1);
}

// Other weights of the head and edges to it: "; L5 H1 without L2 H4 in its keys".
std::string others_of(const AppState& state, const HeadAddress& of) {
  Interventions own = state.document.what_if;
  const auto is_of_another = [&](const auto& one) {
    return one.at.layer != of.layer || one.at.head != of.head || !one.at.same_attention(of);
  };
  own.gates.clear();
  std::erase_if(own.patterns, is_of_another);
  std::erase_if(own.edges, is_of_another);
  const std::string words = list_of(own, shape_of(state.document));
  return words.empty() ? "" : "; " + words;
}

// The factor at a place of the slider, in hundredths; 1 takes hold of the pointer.
float factor_at(const GateHit& gate, double x) {
  constexpr double kHold = 2.0;  // units
  const double whole = static_cast<double>(kLargestGate);
  if (std::abs(x - gate.track.middle().x) < kHold) return 1.0F;
  const double factor = std::clamp((x - gate.track.x) / gate.track.width, 0.0, 1.0) * whole;
  return static_cast<float>(std::round(100.0 * factor) / 100.0);
}

using Chosen = std::function<bool(const HeadAddress&)>;

// All heads of the attention that are chosen, with one factor.
std::vector<HeadGate> gates_of_heads(const PaneScope& scope, HeadAddress at, float factor,
                                     const Chosen& is_chosen) {
  const AttentionShape shape = shape_of(scope.state.document);
  std::vector<HeadGate> gates;
  for (at.layer = 0; at.layer < shape.layers; ++at.layer) {
    for (at.head = 0; at.head < shape.heads; ++at.head) {
      if (is_chosen(at)) gates.push_back({at.moved_to(at.layer, 0, at.head), factor});
    }
  }
  return gates;
}

std::string head_words(const AppState& state, const HeadAddress& at) {
  return "layer " + std::to_string(layer_number(shape_of(state.document), at.layer)) + ", head " +
         std::to_string(at.head + 1);
}

// Items of the menu that give the head other weights, or its own back.
void pattern_items(const PaneScope& scope, const HeadAddress& of) {
  const AppState& state = scope.state;
  if (state.result == nullptr || !why_no_patterns(state.result->problem()).empty()) return;
  const HeadAddress shown = focused_view(state).options.at;
  const auto item = [&](const std::string& label, const command::SetPattern& pattern) {
    if (menu_item(scope.ui, "plot/gates/" + label, label)) scope.ui.send(pattern);
  };
  ImGui::Separator();
  if (of == shown) {
    item("Keep its weights", {of, of});
  } else if (of.same_attention(shown)) {
    item("Give it the weights of " + head_words(state, shown), {of, shown});
    item("Give its weights to " + head_words(state, shown), {shown, of});
  }
  const bool is_like = state.reference != nullptr && state.reference->result != nullptr &&
                       state.reference->result->shape(of) == shape_of(state.document, of);
  if (is_like) item("Give it the weights of the reference", {of, of, true});
  if (pattern_of(state.document.what_if, of) != nullptr) item("Give it its own weights back", {of});
}

// Items of the menu that cut edges between the head and the shown one, or restore them.
void edge_items(const PaneScope& scope, const HeadAddress& of) {
  const AppState& state = scope.state;
  const HeadAddress& any = focused_view(state).options.at;
  const HeadAddress shown = any.moved_to(any.layer, 0, any.head);
  if (state.result == nullptr || of.layer == shown.layer || !of.same_attention(shown) ||
      !why_no_edges(state.result->problem()).empty()) {
    return;
  }
  const HeadAddress& from = of.layer < shown.layer ? of : shown;
  const HeadAddress& to = of.layer < shown.layer ? shown : of;
  const AttentionShape shape = shape_of(state.document);
  ImGui::Separator();
  for (const Stage input : {Stage::Query, Stage::Key, Stage::Value}) {
    if (input != Stage::Query && shape.kv_heads != shape.heads) break;
    const CutEdge edge{to, input, from};
    const bool is_cut = std::ranges::count(state.document.what_if.edges, edge) > 0;
    const std::string label = std::string(is_cut ? "Restore" : "Cut") + " the output of " +
                              head_words(state, from) + " in the " +
                              std::string(input_name(input)) + " of " + head_words(state, to);
    if (menu_item(scope.ui, "plot/gates/" + label, label)) {
      scope.ui.send(command::SetEdge{edge, !is_cut});
    }
  }
}

// Opened at a strip by the right button. Probes: "plot/gates/This head: × 0".
void gate_menu(const PaneScope& scope) {
  if (!ImGui::BeginPopup(kGatesPopup)) return;
  const GateHit& gate = *scope.view.gate_of_menu;
  const HeadAddress of = gate.head;
  const std::string layer = "layer " + std::to_string(gate.layer),
                    head = "Head " + std::to_string(of.head + 1);
  const auto item = [&](const std::string& label, float factor, const Chosen& is_chosen) {
    if (!menu_item(scope.ui, "plot/gates/" + label, label)) return;
    scope.ui.send(command::SetGates{gates_of_heads(scope, of, factor, is_chosen)});
  };
  const auto is_it = [&](const HeadAddress& at) {
    return at.layer == of.layer && at.head == of.head;
  };
  const auto in_layer = [&](const HeadAddress& at) { return at.layer == of.layer; };
  const auto in_column = [&](const HeadAddress& at) { return at.head == of.head; };
  item("This head: × 0", 0.0F, is_it);
  item("This head: × 2", kLargestGate, is_it);
  item("This head: × 1", 1.0F, is_it);
  ImGui::Separator();
  item("All heads of " + layer + ": × 0", 0.0F, in_layer);
  item("The other heads of " + layer + ": × 0", 0.0F,
       [&](const HeadAddress& at) { return in_layer(at) && !is_it(at); });
  item("All heads of " + layer + ": × 1", 1.0F, in_layer);
  if (shape_of(scope.state.document).layers > 1) {
    item(head + " of all layers: × 0", 0.0F, in_column);
    item(head + " of all layers: × 1", 1.0F, in_column);
  }
  ImGui::Separator();
  item("All heads: × 1", 1.0F, [](const HeadAddress&) { return true; });
  pattern_items(scope, of);
  edge_items(scope, of);
  ImGui::EndPopup();
}

}  // namespace

std::vector<HeadGate> put_back(const PaneScope& scope) {
  const auto gate = std::exchange(scope.view.taken_out, std::nullopt);
  const bool is_out = gate && gate_of(scope.state.document.what_if, gate->at) == 0.0F;
  return is_out ? std::vector<HeadGate>{*gate} : std::vector<HeadGate>();
}

bool gate_events(const PaneScope& scope, const CanvasEvents& events) {
  std::optional<GateHit>& held = scope.view.dragged_gate;
  const auto* gate = std::get_if<GateHit>(&events.under_pointer);
  const auto set = [&](const GateHit& of, float factor) {
    const HeadAddress at = of.head.moved_to(of.head.layer, 0, of.head.head);
    scope.ui.send(command::SetGates{{{at, factor}}, scope.view.drag_gesture});
  };
  if (gate != nullptr || held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (gate != nullptr && !held) {
    tooltip(scope.ui,
            name_of(*gate) + " × " + short_text(static_cast<double>(gate->factor)) +
                others_of(scope.state, gate->head) +
                ". Drag: what if its output were smaller or larger; double-click: 1; "
                "right button: rows and columns of heads, other weights, edges between heads");
  }
  if (gate != nullptr && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    scope.view.gate_of_menu = *gate;
    ImGui::OpenPopup(kGatesPopup);
  }
  gate_menu(scope);
  if (gate != nullptr && events.pressed) {
    held = *gate;
    scope.view.drag_gesture = scope.ui.new_gesture();
  }
  if (gate != nullptr && events.double_clicked) set(*gate, 1.0F);
  if (held && events.dragging) set(*held, factor_at(*held, events.pointer.x));
  if (events.released) held.reset();
  return held.has_value() || gate != nullptr;
}

}  // namespace attn::gui
