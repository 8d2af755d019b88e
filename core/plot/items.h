// Short ways to make figure items.
#pragma once

#include <string>
#include <utility>

#include "figure/figure.h"

namespace attn {

inline TextItem text_item(Point anchor, std::string text, FontStyle font, Color color,
                          HAlign halign = HAlign::Left, VAlign valign = VAlign::Baseline) {
  TextItem item;
  item.anchor = anchor;
  item.text = std::move(text);
  item.font = font;
  item.color = color;
  item.halign = halign;
  item.valign = valign;
  return item;
}

inline Color with_alpha(Color color, std::uint8_t alpha) {
  return {color.r, color.g, color.b, alpha};
}

}  // namespace attn
