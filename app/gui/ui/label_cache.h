// Text in any script as textures, shaped by Pango and cached while in use.
#pragma once

#include <imgui.h>

#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "figure/figure.h"
#include "gui/platform/fonts.h"
#include "gui/platform/graphics.h"

namespace attn::gui {

// Size of the interface's own font.
inline constexpr FontStyle kLabelFont{kLabelSize};

// UI thread only. Labels not drawn for 300 frames are released.
class LabelCache {
 public:
  explicit LabelCache(Graphics& graphics) : graphics_(graphics) {}
  ~LabelCache();
  LabelCache(const LabelCache&) = delete;
  LabelCache& operator=(const LabelCache&) = delete;

  // Draws `item` like the exporters: anchor, alignment, rotation.
  void draw(ImDrawList& list, const TextItem& item, const Placement& at);

  // Draws a line of text with its top left at `position_px`, for token names inside panels.
  void draw_line(ImDrawList& list, std::string_view text, ImVec2 position_px, const FontStyle& font,
                 Color color, float scale);

  // Width and height of that line in pixels.
  ImVec2 line_size(std::string_view text, const FontStyle& font, float scale);

  void end_frame();
  std::size_t size() const { return labels_.size(); }

 private:
  struct Label {
    std::string key;  // text, font, colour and scale
    ImTextureID texture{};
    float width_px = 0, height_px = 0;  // of the picture
    float pen_px = 0, baseline_px = 0;  // start of the baseline within the picture
    int last_frame = 0;
  };
  // Thousands while the pointer moves: a frame visits only those that it draws or releases.
  using Labels = std::list<Label>;
  const Label& label(std::string_view text, const FontStyle& font, Color color, float scale);

  Graphics& graphics_;
  Labels labels_;  // most recently drawn first
  std::unordered_map<std::string_view, Labels::iterator> by_key_;
  int frame_ = 0;
};

}  // namespace attn::gui
