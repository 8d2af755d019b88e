// What every widget and panel is handed: fonts, colours, label textures, where commands go.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "figure/theme.h"
#include "gui/platform/graphics.h"
#include "gui/ui/label_cache.h"
#include "gui/ui/probe.h"
#include "session/command.h"

namespace attn::gui {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* mono = nullptr;
};

// Lives for one window. Panels read the state, draw, and send commands; they change nothing else.
struct Ui {
  Graphics& graphics;
  LabelCache& labels;
  Fonts fonts;
  ThemeKind theme = ThemeKind::Dark;
  float scale = 1.0F;             // pixels per unit
  Probe* probe = nullptr;         // null outside tests and scripts
  std::vector<Command> commands;  // sent this frame, applied after it
  std::uint64_t next_stroke = 1;  // for edits that a drag merges

  void send(Command command) { commands.push_back(std::move(command)); }
  std::uint64_t new_stroke() { return next_stroke++; }
  const FigureTheme& colors() const { return figure_theme(theme); }
  float px(float units) const { return units * scale; }
  void mark(std::string_view name, std::string_view value = {}, bool enabled = true) {
    if (probe != nullptr) probe->record(name, value, enabled);
  }
};

inline ImU32 to_imgui(Color c) { return IM_COL32(c.r, c.g, c.b, c.a); }

}  // namespace attn::gui
