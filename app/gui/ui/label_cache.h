// Text in any script as textures, shaped by Pango, drawn once and kept while it is in use.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "figure/figure.h"
#include "gui/platform/graphics.h"

namespace attn::gui {

// UI thread only. Labels not drawn for some hundred frames are released.
class LabelCache {
 public:
  explicit LabelCache(Graphics& graphics) : graphics_(graphics) {}
  ~LabelCache();
  LabelCache(const LabelCache&) = delete;
  LabelCache& operator=(const LabelCache&) = delete;

  // Draws `item` as the painters on paper do: anchor, alignment, rotation.
  void draw(ImDrawList& list, const TextItem& item, const Placement& at);

  // A line of text with its top left at `position_px`, for token names inside panels.
  void draw_line(ImDrawList& list, std::string_view text, ImVec2 position_px, const FontStyle& font,
                 Color color, float scale);

  // Width and height in pixels of that line.
  ImVec2 line_size(std::string_view text, const FontStyle& font, float scale);

  void end_frame();
  std::size_t size() const { return labels_.size(); }

 private:
  struct Label {
    std::string key;  // of what it is a picture
    ImTextureID texture{};
    float width_px = 0, height_px = 0;  // of the picture
    float pen_px = 0, baseline_px = 0;  // where in it the text starts on its baseline
    int last_frame = 0;
  };
  // Thousands while the pointer moves: a frame looks at no more of them than it draws or releases.
  using Labels = std::list<Label>;
  const Label& label(std::string_view text, const FontStyle& font, Color color, float scale);
  Label drawn(std::string key, std::string_view text, const FontStyle& font, Color color,
              float scale);

  Graphics& graphics_;
  Labels labels_;  // what was drawn last stands in front
  std::unordered_map<std::string_view, Labels::iterator> by_key_;
  int frame_ = 0;
};

}  // namespace attn::gui
