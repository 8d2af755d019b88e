// What the parts of the links plot share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "figure/head_colors.h"
#include "plot/charts/link_choice.h"
#include "plot/charts/links_layout.h"
#include "plot/parts/drawing.h"

namespace attn {

struct LinksScene : Drawing {
  std::vector<std::size_t> heads{};  // that are shown, in their order
  std::optional<TokenHit> focus{};   // whose links alone are drawn
  LinkSide queries{}, keys{};
  LinkSet chosen{};
  LinksLayout layout{};

  const LinkSide& side(Side of) const { return of == Side::Query ? queries : keys; }
  Color color(std::size_t head) const { return head_color(head, shape().heads, options.theme); }
};

}  // namespace attn
