// Records the rectangles of named widgets, frame by frame.
#include "gui/ui/probe.h"

#include <imgui_internal.h>

namespace attn::gui {

void Probe::record(std::string_view name, std::string_view value, bool enabled) {
  const bool is_control = ImGui::GetCurrentContext()->LastItemData.ID != 0;
  record_rect(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), value, enabled, is_control);
}

void Probe::record_rect(std::string_view name, ImVec2 min, ImVec2 max, std::string_view value,
                        bool enabled, bool is_control) {
  const ImRect& clip = ImGui::GetCurrentWindow()->ClipRect;
  ProbedWidget widget;
  widget.min = ImMax(min, clip.Min);
  widget.max = ImMin(max, clip.Max);
  if (widget.max.x <= widget.min.x || widget.max.y <= widget.min.y) return;
  widget.frame = ImGui::GetFrameCount();
  widget.value = value;
  widget.enabled = enabled;
  widget.is_control = is_control;
  widget.id = is_control ? ImGui::GetCurrentContext()->LastItemData.ID : 0;
  widgets_.insert_or_assign(prefix_ + std::string(name), std::move(widget));
}

void Probe::record_tooltip(std::string_view text) {
  explained_[ImGui::GetCurrentContext()->LastItemData.ID] = {ImGui::GetFrameCount(),
                                                             std::string(text)};
}

const std::string* Probe::tooltip_of(const ProbedWidget& widget) const {
  const auto found = explained_.find(widget.id);
  const bool explained = found != explained_.end() && found->second.first >= widget.frame;
  return explained ? &found->second.second : nullptr;
}

void Probe::record_number() {
  const ImGuiID id = ImGui::GetCurrentContext()->LastItemData.ID;
  if (id != 0) numbers_.insert(id);
}

std::optional<ProbedWidget> Probe::find(std::string_view name) const {
  const auto found = widgets_.find(name);
  if (found == widgets_.end() || found->second.frame < ImGui::GetFrameCount() - 1) {
    return std::nullopt;
  }
  return found->second;
}

void Probe::record_text(Wording wording, std::string_view words) {
  const auto known = texts_.find(words);
  if (known == texts_.end()) {
    texts_.emplace(words, wording);
  } else if (wording == Wording::Label) {
    known->second = wording;
  }
}

}  // namespace attn::gui
