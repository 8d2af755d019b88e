// Characters beyond the usual ones in menus, lists and tooltips, for loading the fonts. Tokens and
// fields are drawn by Pango and need none.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "session/state.h"

namespace attn::gui {

class GlyphNeeds {
 public:
  // Return whether there are new characters.
  bool add(std::string_view text);
  bool add_state(
      const AppState& state);  // title, names of files and arrays; checks each revision once

  // All collected characters as UTF-8.
  const std::string& text() const { return text_; }

 private:
  std::set<unsigned> seen_;
  std::string text_;
  std::uint64_t revision_ = 0;
  std::vector<std::string> recent_files_;
  std::shared_ptr<const ArrayChoices> choices_;
};

}  // namespace attn::gui
