// Finds heads by their frames in the figure.
#include "plot/maps/heads_walk.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace attn {
namespace {

struct Thumbnail {
  HeadAddress head;
  Rect rect;
};

// In their order.
std::vector<Thumbnail> thumbnails_of(const Figure& heads) {
  std::vector<Thumbnail> thumbnails;
  for (const FigureItem& item : heads.items) {
    const auto* rect = std::get_if<RectItem>(&item);
    const auto* hit = rect != nullptr ? std::get_if<HeadHit>(&rect->hit) : nullptr;
    if (hit != nullptr) thumbnails.push_back({hit->head, rect->rect});
  }
  return thumbnails;
}

// How many stand in the first row.
std::size_t columns_of(const std::vector<Thumbnail>& thumbnails) {
  const double top = thumbnails.front().rect.y;
  const auto below = std::ranges::find_if(
      thumbnails, [&](const Thumbnail& t) { return std::abs(t.rect.y - top) > 1e-6; });
  return static_cast<std::size_t>(below - thumbnails.begin());
}

std::int64_t places(HeadStep step, std::size_t columns) {
  const auto row = static_cast<std::int64_t>(columns);
  switch (step) {
    case HeadStep::Left:
      return -1;
    case HeadStep::Right:
      return 1;
    case HeadStep::Up:
      return -row;
    case HeadStep::Down:
      break;
  }
  return row;
}

}  // namespace

std::optional<HeadAddress> head_beside(const Figure& heads, const HeadAddress& from,
                                       HeadStep step) {
  const std::vector<Thumbnail> thumbnails = thumbnails_of(heads);
  if (thumbnails.empty()) return std::nullopt;
  const auto at = std::ranges::find(thumbnails, from, &Thumbnail::head);
  if (at == thumbnails.end()) return thumbnails.front().head;
  const std::int64_t next = (at - thumbnails.begin()) + places(step, columns_of(thumbnails));
  if (next < 0 || next >= std::ssize(thumbnails)) return std::nullopt;
  return thumbnails[static_cast<std::size_t>(next)].head;
}

std::optional<Rect> place_of_head(const Figure& heads, const HeadAddress& head) {
  const std::vector<Thumbnail> thumbnails = thumbnails_of(heads);
  const auto at = std::ranges::find(thumbnails, head, &Thumbnail::head);
  return at == thumbnails.end() ? std::nullopt : std::optional(at->rect);
}

}  // namespace attn
