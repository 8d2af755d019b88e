// Fonts of the interface's own texts (tokens are drawn by Pango, see ui/label_cache.h).
#pragma once

#include <imgui.h>

namespace attn::gui {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* mono = nullptr;
};

inline constexpr float kFontSize = 15.0F;  // units

// Fills `atlas` anew, at `scale` pixels per unit, with the system's Noto Sans and Noto Sans Mono or
// what fontconfig offers in their place; signs they lack come from other fonts. ImGui's own font
// when there is none. The textures made from the atlas must be made again.
Fonts load_fonts(ImFontAtlas& atlas, float scale);

}  // namespace attn::gui
