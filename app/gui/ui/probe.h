// Rectangles of named widgets in the last frame, by which tests and replayed scripts find them, and
// the interface's visible texts, which a test checks.
#pragma once

#include <imgui.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace attn::gui {

struct ProbedWidget {
  ImVec2 min{0, 0}, max{0, 0};  // screen pixels, clipped to the visible part
  int frame = 0;                // ImGui frame count
  std::string value;            // text or state shown, if the widget has one
  bool enabled = true;
  ImGuiID id = 0;
  bool is_control = false;  // can be pressed or typed into
  ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

enum class Wording {
  Label,        // a few words of a button, entry or field
  Fragment,     // of a line: a noun before a number, "of 4"
  Explanation,  // tooltip, hint or sentence
};

// Names are paths such as "tokens/add" or "menu/File"; see the panels.
class Probe {
 public:
  // Records the last ImGui item under `name`.
  void record(std::string_view name, std::string_view value = {}, bool enabled = true);
  void record_rect(std::string_view name, ImVec2 min, ImVec2 max, std::string_view value = {},
                   bool enabled = true, bool is_control = false);

  // Records the tooltip of the last ImGui item; empty if its text is made only on hover.
  void record_tooltip(std::string_view text);
  // The tooltip recorded when the widget was last drawn, under any name; null without one.
  const std::string* tooltip_of(const ProbedWidget& widget) const;

  // Records that the last ImGui item is a number field.
  void record_number();
  bool is_number(const ProbedWidget& widget) const { return numbers_.contains(widget.id); }

  // Finds widgets of the last completed or current frame only.
  std::optional<ProbedWidget> find(std::string_view name) const;
  // Prefix of the names recorded from now on.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

  const std::map<std::string, ProbedWidget, std::less<>>& all() const { return widgets_; }

  // Records text of the program, not of a document. A text used in both ways is a label.
  void record_text(Wording wording, std::string_view words);
  const std::map<std::string, Wording, std::less<>>& texts() const { return texts_; }

 private:
  std::string prefix_;
  std::map<std::string, ProbedWidget, std::less<>> widgets_;
  std::map<std::string, Wording, std::less<>> texts_;
  std::map<ImGuiID, std::pair<int, std::string>> explained_;  // frame and tooltip
  std::set<ImGuiID> numbers_;
};

}  // namespace attn::gui
