// Collects unusual characters from titles, descriptions and recent files.
#include "gui/shell/glyph_needs.h"

#include "base/utf8.h"
#include "document/load/open.h"
#include "gui/platform/fonts.h"

namespace attn::gui {
namespace {

// Larger than any alphabet; an atlas of many thousands takes seconds.
constexpr std::size_t kMaxGlyphs = 4000;

}  // namespace

bool GlyphNeeds::add(std::string_view text) {
  bool grown = false;
  for (const char32_t code_point : code_points(text)) {
    if (code_point < 0x80 || code_point > 0xFFFF || in_usual_fonts(code_point)) continue;
    if (seen_.size() >= kMaxGlyphs || !seen_.insert(code_point).second) continue;
    append_utf8(text_, code_point);
    grown = true;
  }
  return grown;
}

bool GlyphNeeds::add_state(const AppState& state) {
  bool grown = false;
  if (revision_ == 0) {
    for (const Example& example : all_examples()) {
      grown = add(example.group) || grown;
      grown = add(example.title) || grown;
      grown = add(example.description) || grown;
    }
  }
  if (recent_files_ != state.preferences.recent_files) {
    recent_files_ = state.preferences.recent_files;
    for (const std::string& path : recent_files_) grown = add(path) || grown;
  }
  if (revision_ == state.revision) return grown;
  revision_ = state.revision;
  grown = add(state.document.title) || grown;
  grown = add(state.document.description) || grown;
  return grown;
}

}  // namespace attn::gui
