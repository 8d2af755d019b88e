// Parts polygons into triangles by cutting off ears.
#include "gui/ui/polygon.h"

#include <algorithm>
#include <numeric>

namespace attn::gui {
namespace {

// Twice the signed area; positive when a, b, c turn clockwise on screen (y grows downwards).
float turn(ImVec2 a, ImVec2 b, ImVec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

float area(std::span<const ImVec2> corners) {
  float sum = 0.0F;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    sum += turn(corners[0], corners[i], corners[i + 1]);
  }
  return sum;
}

bool inside(ImVec2 p, ImVec2 a, ImVec2 b, ImVec2 c) {
  return turn(a, b, p) > 0.0F && turn(b, c, p) > 0.0F && turn(c, a, p) > 0.0F;
}

// Convex, and going round once: corners that turn one way all along can still wind twice.
bool is_convex(std::span<const ImVec2> corners) {
  const std::size_t n = corners.size();
  int x_reversals = 0;
  float last_dx = 0.0F;
  for (std::size_t i = 0; i < n; ++i) {
    const ImVec2 a = corners[i], b = corners[(i + 1) % n], c = corners[(i + 2) % n];
    if (turn(a, b, c) < 0.0F) return false;
    const float dx = b.x - a.x;
    if (dx != 0.0F && last_dx != 0.0F && (dx < 0.0F) != (last_dx < 0.0F)) ++x_reversals;
    if (dx != 0.0F) last_dx = dx;
  }
  return x_reversals <= 2;
}

bool is_ear(std::span<const ImVec2> corners, const std::vector<std::size_t>& left, std::size_t i) {
  const std::size_t n = left.size();
  const std::size_t before = left[(i + n - 1) % n], here = left[i], after = left[(i + 1) % n];
  if (turn(corners[before], corners[here], corners[after]) < 0.0F) return false;
  return std::none_of(left.begin(), left.end(), [&](std::size_t other) {
    return other != before && other != here && other != after &&
           inside(corners[other], corners[before], corners[here], corners[after]);
  });
}

// Clockwise copy of the polygon, as both ImGui and the ear test want it.
std::vector<ImVec2> clockwise(std::span<const ImVec2> corners) {
  std::vector<ImVec2> out(corners.begin(), corners.end());
  if (area(corners) < 0.0F) std::reverse(out.begin(), out.end());
  return out;
}

std::vector<std::array<std::size_t, 3>> ears_of(std::span<const ImVec2> corners) {
  std::vector<std::array<std::size_t, 3>> triangles;
  std::vector<std::size_t> left(corners.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (left.size() >= 3) {
    std::size_t i = 0;
    while (i < left.size() && !is_ear(corners, left, i)) ++i;
    if (i == left.size()) break;
    const std::size_t n = left.size();
    triangles.push_back({left[(i + n - 1) % n], left[i], left[(i + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return triangles;
}

}  // namespace

std::vector<std::array<std::size_t, 3>> triangulated(std::span<const ImVec2> corners) {
  auto triangles = ears_of(clockwise(corners));
  if (area(corners) >= 0.0F) return triangles;
  for (auto& triangle : triangles) {
    for (std::size_t& corner : triangle) corner = corners.size() - 1 - corner;
  }
  return triangles;
}

void fill_polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 color) {
  if (corners.size() < 3) return;
  const std::vector<ImVec2> points = clockwise(corners);
  const int count = static_cast<int>(points.size());
  if (is_convex(points)) {
    list.AddConvexPolyFilled(points.data(), count, color);
    return;
  }
  // Without smoothing of each triangle, which would leave seams between them.
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  for (const auto& [a, b, c] : ears_of(points)) {
    list.AddTriangleFilled(points[a], points[b], points[c], color);
  }
  list.Flags = flags;
  if ((color >> IM_COL32_A_SHIFT) == 0xFF) {
    list.AddPolyline(points.data(), count, color, ImDrawFlags_Closed, 1.0F);
  }
}

}  // namespace attn::gui
