// Which characters beyond the usual ones menus, lists and tooltips hold, so that the fonts can be
// made with them. Tokens and fields need none: Pango draws them.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "session/state.h"

namespace attn::gui {

class GlyphNeeds {
 public:
  // Both are true when a character is new.
  bool add(std::string_view text);
  bool add_state(const AppState& state);  // title, file names; looks at each revision once

  // All of them, as UTF-8.
  const std::string& text() const { return text_; }

 private:
  std::set<unsigned> seen_;
  std::string text_;
  std::uint64_t revision_ = 0;
  std::vector<std::string> recent_files_;
};

}  // namespace attn::gui
