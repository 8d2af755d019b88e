// Collects unusual characters from titles, descriptions and recent files.
#include "gui/shell/glyph_needs.h"

#include <utility>

#include "base/utf8.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "gui/platform/fonts.h"

namespace attn::gui {
namespace {

// Larger than any alphabet; an atlas of many thousands takes seconds.
constexpr std::size_t kMaxGlyphs = 4000;

}  // namespace

bool GlyphNeeds::add(std::string_view text) {
  const std::size_t before = seen_.size();
  for (const char32_t code_point : code_points(text)) {
    if (code_point < 0x80 || code_point > 0xFFFF || in_usual_fonts(code_point)) continue;
    if (seen_.size() < kMaxGlyphs && seen_.insert(code_point).second) {
      append_utf8(text_, code_point);
    }
  }
  return seen_.size() > before;
}

bool GlyphNeeds::add_state(const AppState& state) {
  const std::size_t before = seen_.size();
  if (revision_ == 0) {
    for (const Example& example : all_examples()) {
      add(example.group);
      add(example.title);
      add(example.description);
    }
  }
  if (recent_files_ != state.preferences.recent_files) {
    recent_files_ = state.preferences.recent_files;
    for (const std::string& path : recent_files_) add(path);
  }
  if (std::exchange(choices_, state.arrays_question.choices) != choices_ && choices_) {
    for (const ArrayFacts& array : choices_->arrays) add(array.name);
  }
  if (std::exchange(revision_, state.revision) != state.revision) {
    add(shown_title(state.document));
    add(state.document.description);
  }
  return seen_.size() > before;
}

}  // namespace attn::gui
