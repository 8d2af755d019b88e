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

// Line height as ImGui counts it: ascent plus descent, in units.
inline constexpr float kFontSize = 18.0F;
// Em height at which text drawn by Pango is as large as Noto Sans in lines of kFontSize.
inline constexpr double kLabelSize = 13.2;

// Clears `atlas` and loads Noto Sans and Noto Sans Mono at `scale` pixels per unit, or the fonts
// that fontconfig substitutes for them; missing symbols come from other fonts. Falls back to
// ImGui's built-in font. Characters of `extra` (UTF-8, within 16 bits), such as names and titles in
// other scripts, are added to the regular font for the fields that edit them. The caller uploads
// the atlas again.
Fonts load_fonts(ImFontAtlas& atlas, float scale, std::string_view extra = {});

// The character that load_fonts() draws as that letter of an index or an exponent.
char32_t script_letter(char32_t letter, bool raised);

// True if load_fonts() loads the character without `extra`.
bool in_usual_fonts(unsigned code_point);

}  // namespace attn::gui
