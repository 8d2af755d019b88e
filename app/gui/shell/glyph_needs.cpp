#include "gui/shell/glyph_needs.h"

#include "base/utf8.h"
#include "document/open.h"
#include "gui/platform/fonts.h"
#include "gui/shell/key_names.h"

namespace attn::gui {
namespace {

// More than any alphabet and most texts; an atlas of many thousands would take seconds.
constexpr std::size_t kMostGlyphs = 4000;

void append_utf8(std::string& text, unsigned code_point) {
  const auto put = [&text](unsigned byte) { text += static_cast<char>(byte); };
  if (code_point < 0x800) {
    put(0xC0U | (code_point >> 6U));
  } else {
    put(0xE0U | (code_point >> 12U));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
  }
  put(0x80U | (code_point & 0x3FU));
}

}  // namespace

bool GlyphNeeds::add(std::string_view text) {
  bool grown = false;
  for (const unsigned code_point : code_points(text)) {
    if (code_point < 0x80 || code_point > 0xFFFF || in_usual_fonts(code_point)) continue;
    if (seen_.size() >= kMostGlyphs || !seen_.insert(code_point).second) continue;
    append_utf8(text_, code_point);
    grown = true;
  }
  return grown;
}

bool GlyphNeeds::add_state(const AppState& state) {
  bool grown = false;
  if (revision_ == 0) {
    for (const Example& example : all_examples()) {
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
