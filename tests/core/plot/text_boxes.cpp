// Boxes of the texts of a figure, and the pairs that overlap.
#include "tests/core/plot/text_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace attn::test {
namespace {

using Corners = std::array<Point, 4>;

// Slightly smaller than the line, which letters do not fill.
Corners corners_of(const TextItem& text, const TextMetrics& metrics) {
  const TextExtent extent = metrics.measure(text.text, text.font);
  const Point pen = pen_offset(text, extent);
  const double angle = -text.degrees * std::numbers::pi / 180.0;
  const double top = pen.y - 0.9 * extent.ascent;
  const double bottom = pen.y + 0.8 * extent.descent;
  const std::array<Point, 4> flat = {
      {{pen.x, top}, {pen.x + extent.width, top}, {pen.x + extent.width, bottom}, {pen.x, bottom}}};
  Corners out;
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = {text.anchor.x + flat[i].x * std::cos(angle) - flat[i].y * std::sin(angle),
              text.anchor.y + flat[i].x * std::sin(angle) + flat[i].y * std::cos(angle)};
  }
  return out;
}

// Separating axes: the normals of the sides of both boxes.
bool overlap(const Corners& a, const Corners& b) {
  constexpr double kSlack = 0.05;
  for (const Corners* box : {&a, &b}) {
    for (std::size_t side = 0; side < 2; ++side) {
      Point axis{(*box)[side + 1].x - (*box)[side].x, (*box)[side + 1].y - (*box)[side].y};
      const double length = std::hypot(axis.x, axis.y);
      if (length == 0.0) return false;
      const auto span = [&](const Corners& corners) {
        double low = INFINITY, high = -INFINITY;
        for (const Point p : corners) {
          const double at = (p.x * axis.x + p.y * axis.y) / length;
          low = std::min(low, at);
          high = std::max(high, at);
        }
        return std::pair(low, high);
      };
      const auto [a_low, a_high] = span(a);
      const auto [b_low, b_high] = span(b);
      if (a_high <= b_low + kSlack || b_high <= a_low + kSlack) return false;
    }
  }
  return true;
}

bool inside(const Corners& corners, const Figure& figure) {
  return std::all_of(corners.begin(), corners.end(), [&](Point p) {
    return p.x >= -0.01 && p.y >= -0.01 && p.x <= figure.width + 0.01 &&
           p.y <= figure.height + 0.01;
  });
}

}  // namespace

Point middle_of(const TextItem& text, const TextMetrics& metrics) {
  const Corners c = corners_of(text, metrics);
  return {(c[0].x + c[2].x) / 2.0, (c[0].y + c[2].y) / 2.0};
}

std::string text_problems(const Figure& figure, const TextMetrics& metrics) {
  std::vector<const TextItem*> texts;
  std::vector<Corners> boxes;
  for (const FigureItem& item : figure.items) {
    const auto* text = std::get_if<TextItem>(&item);
    if (text == nullptr || text->text.empty()) continue;
    texts.push_back(text);
    boxes.push_back(corners_of(*text, metrics));
  }
  std::string problems;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!inside(boxes[i], figure)) problems += "outside: " + texts[i]->text + "\n";
    for (std::size_t j = 0; j < i; ++j) {
      if (!overlap(boxes[i], boxes[j])) continue;
      problems += "overlap: " + texts[j]->text + " / " + texts[i]->text + "\n";
    }
  }
  return problems;
}

}  // namespace attn::test
