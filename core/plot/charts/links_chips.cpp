// Draws a chip for each head: its number in its colour.
#include "plot/charts/links_chips.h"

#include <algorithm>

#include "figure/lettering.h"
#include "plot/parts/items.h"
#include "view/head_list.h"

namespace attn {
namespace {

// A chip: its place, what it says, and what a click on it chooses.
struct Chip {
  std::string label;
  std::string heads;  // the option's text after a click
  bool on = false;
  Color color;
};

std::vector<Chip> chips_of(const LinksScene& scene) {
  const std::size_t count = scene.shape().heads;
  const bool all = scene.heads.size() == count;
  std::vector<Chip> chips;
  chips.push_back({"all", all ? std::string() : std::string(kAllHeads), all, scene.theme.muted});
  for (std::size_t head = 0; head < count; ++head) {
    chips.push_back({std::to_string(head + 1), with_head_toggled(scene.options.heads, head, count),
                     std::ranges::binary_search(scene.heads, head), scene.color(head)});
  }
  return chips;
}

void add_chip(Figure& figure, const Chip& chip, const Rect& rect, const LinksScene& scene) {
  RectItem shape;
  shape.rect = rect;
  shape.radius = rect.height / 2.0;
  shape.fill = chip.on ? chip.color : scene.theme.background;
  shape.stroke = chip.color;
  shape.stroke_width = 1.0;
  shape.hit = OptionHit{"heads", chip.heads, chip.label};
  figure.items.push_back(shape);
  const Color ink = chip.on ? readable_on(chip.color) : scene.theme.muted;
  TextItem text = text_item({rect.x + rect.width / 2.0, rect.y + rect.height / 2.0}, chip.label,
                            {secondary_size(scene.font()), chip.on, false}, ink, HAlign::Center,
                            VAlign::Middle);
  text.hit = shape.hit;
  figure.items.push_back(std::move(text));
}

}  // namespace

Figure link_chips(const LinksScene& scene, double width) {
  const double height = 1.5 * scene.font(), gap = 0.4 * scene.font();
  const FontStyle font{secondary_size(scene.font()), true, false};
  Figure figure;
  figure.width = width;
  const std::string word = "Heads";
  figure.items.push_back(text_item({0.0, height / 2.0}, word, {font.size, false, false},
                                   scene.theme.muted, HAlign::Left, VAlign::Middle));
  double x = scene.metrics.measure(word, font).width + 2.0 * gap, y = 0.0;
  const double indent = x;
  for (const Chip& chip : chips_of(scene)) {
    const double room =
        std::max(scene.metrics.measure(chip.label, font).width + 1.2 * scene.font(), height);
    if (x + room > width && x > indent) {
      x = indent;
      y += height + gap;
    }
    add_chip(figure, chip, {x, y, room, height}, scene);
    x += room + gap;
  }
  figure.height = y + height;
  return figure;
}

}  // namespace attn
