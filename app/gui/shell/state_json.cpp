// What is on the screen as JSON, for scripts and tests that look at it.
#include "base/json.h"
#include "gui/shell/replay.h"

namespace attn::gui {
namespace {

std::string_view level_name(Notice::Level level) {
  if (level == Notice::Level::Error) return "error";
  return level == Notice::Level::Warning ? "warning" : "info";
}

Json cell_json(const CellHit& cell) {
  return {{"matrix", text_of(cell.matrix)},
          {"stage", stage_info(cell.matrix.stage).name},
          {"layer", cell.matrix.head.layer},
          {"sample", cell.matrix.head.sample},
          {"head", cell.matrix.head.head},
          {"row", cell.row},
          {"col", cell.col}};
}

Json notices_json(const AppState& state) {
  Json notices = Json::array();
  for (const Notice& notice : state.notices) {
    notices.push_back({{"level", level_name(notice.level)}, {"text", notice.text}});
  }
  return notices;
}

Json widgets_json(const Probe& probe) {
  Json widgets = Json::object();
  for (const auto& [name, widget] : probe.all()) {
    if (!probe.find(name)) continue;
    widgets[name] = {{"value", widget.value},
                     {"enabled", widget.enabled},
                     {"rect", {widget.min.x, widget.min.y, widget.max.x, widget.max.y}}};
  }
  return widgets;
}

}  // namespace

std::string state_json(const AppState& state, const Probe& probe) {
  Json pins = Json::array();
  for (const CellHit& pin : state.pins) pins.push_back(cell_json(pin));
  const HeadAddress& head = focused_view(state).options.at;
  const Json json = {
      {"title", window_title(state)},
      {"unsaved", has_unsaved_changes(state)},
      {"plot", focused_view(state).plot},
      {"stage", stage_info(focused_view(state).options.stage).name},
      {"head", {{"layer", head.layer}, {"sample", head.sample}, {"head", head.head}}},
      {"tool", state.tool == Tool::PaintMask ? "paint" : "inspect"},
      {"revision", state.revision},
      {"result_revision", state.result_revision},
      {"undo_steps", state.history.past.size()},
      {"pins", std::move(pins)},
      {"notices", notices_json(state)},
      {"question", state.question.has_value()},
      {"widgets", widgets_json(probe)},
  };
  // Names may hold bytes of any file system.
  return json_text(json);
}

}  // namespace attn::gui
