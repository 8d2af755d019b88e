// Fonts of the interface's own texts (tokens are drawn by Pango, see ui/label_cache.h).
#pragma once

#include <imgui.h>

#include <string_view>

namespace attn::gui {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* mono = nullptr;
};

// Of a line, as ImGui counts: ascent and descent together, in units.
inline constexpr float kFontSize = 18.0F;
// Em height at which Pango's letters are as large as those of Noto Sans in lines of kFontSize.
inline constexpr double kLabelSize = 13.2;

// Fills `atlas` anew, at `scale` pixels per unit, with the system's Noto Sans and Noto Sans Mono or
// what fontconfig offers in their place; signs they lack come from other fonts. ImGui's own font
// when there is none. Characters of `extra` (UTF-8, those that 16 bits hold) are added to the
// regular font from whatever font has them: names and titles in other scripts, for the fields that
// edit them. The textures made from the atlas must be made again.
Fonts load_fonts(ImFontAtlas& atlas, float scale, std::string_view extra = {});

// Whether the fonts have the character without being asked for it.
bool in_usual_fonts(unsigned code_point);

}  // namespace attn::gui
