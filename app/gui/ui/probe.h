// Where each named widget was drawn in the last frame: how tests and replayed scripts find them.
// And the words of ours that were in view, which a test reads.
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
  ImVec2 min{0, 0}, max{0, 0};  // screen pixels, clipped to what is visible
  int frame = 0;                // ImGui frame count
  std::string value;            // text or state shown, when the widget gives it
  bool enabled = true;
  ImGuiID id = 0;
  bool is_control = false;  // can be pressed or typed into; else it is only drawn
  ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

enum class Wording {
  Label,        // of a button, an entry, a field: a few words
  Fragment,     // of a line: a noun before a number, "of 4"
  Explanation,  // a tooltip, a hint, a sentence
};

// Names are paths such as "tokens/add" or "menu/File"; see the panels.
class Probe {
 public:
  // The last ImGui item under `name`.
  void record(std::string_view name, std::string_view value = {}, bool enabled = true);
  void record_rect(std::string_view name, ImVec2 min, ImVec2 max, std::string_view value = {},
                   bool enabled = true, bool is_control = false);

  // Says that the last ImGui item explains itself to who points at it, and how; without words
  // where they are made only then.
  void record_tooltip(std::string_view text);
  // How a widget did so when it was drawn last, however it is named; null when it did not.
  const std::string* tooltip_of(const ProbedWidget& widget) const;

  // Says that the last ImGui item is a field of one number.
  void record_number();
  bool is_number(const ProbedWidget& widget) const { return numbers_.contains(widget.id); }

  // Only widgets of the last completed or current frame.
  std::optional<ProbedWidget> find(std::string_view name) const;
  // What stands in front of the names that are recorded from now on.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

  const std::map<std::string, ProbedWidget, std::less<>>& all() const { return widgets_; }

  // Words of the program, not of a document. A text that is both is a label.
  void say(Wording wording, std::string_view words);
  const std::map<std::string, Wording, std::less<>>& said() const { return said_; }

 private:
  std::string prefix_;
  std::map<std::string, ProbedWidget, std::less<>> widgets_;
  std::map<std::string, Wording, std::less<>> said_;
  struct Explained {
    int frame = 0;
    std::string text;
  };
  std::map<ImGuiID, Explained> explained_;
  std::set<ImGuiID> numbers_;
};

}  // namespace attn::gui
