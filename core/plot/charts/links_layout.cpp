// Layout of the two sides of the links plot.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/utf8.h"
#include "plot/charts/links.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

// These in font sizes.
constexpr double kWidestPitch = 1.7, kLeastPitch = 0.5, kUsualHeight = 70.0;
constexpr double kWidestRowPitch = 6.0;
// Bounds for panes that scroll.
constexpr double kLeastPanePitch = 1.2, kMostPanePitch = 2.6, kLeastPaneField = 8.0;
constexpr double kTitleLine = 1.6, kEdgeLine = 1.5, kGap = 0.6;
constexpr double kWidestField = 48.0;
constexpr double kLeastFont = 0.5, kLabelFont = 0.9;
// Largest ratio between the token distances of the shorter and the longer side.
constexpr double kMostSpread = 2.5;

std::size_t index_of(Side side) { return side == Side::Query ? 0 : 1; }

bool is_east_asian(char32_t c) {
  constexpr std::array<std::array<char32_t, 2>, 7> kRanges{{{0x1100, 0x11FF},
                                                            {0x2E80, 0x9FFF},
                                                            {0xA960, 0xA97F},
                                                            {0xAC00, 0xD7FF},
                                                            {0xF900, 0xFAFF},
                                                            {0xFF00, 0xFFEF},
                                                            {0x20000, 0x3FFFF}}};
  return std::ranges::any_of(kRanges,
                             [c](const auto& range) { return c >= range[0] && c <= range[1]; });
}

bool is_east_asian(const std::string& token) {
  return std::ranges::any_of(code_points(token), [](char32_t c) { return is_east_asian(c); });
}

class Layouter : Drawing {
 public:
  Layouter(const Drawing& drawing, const LinkSide& queries, const LinkSide& keys)
      : Drawing(drawing), sides_{&queries, &keys} {}

  LinksLayout columns(double width, double height) {
    layout_.before = std::max(sides_[0]->first, sides_[1]->first) > 0 ? edge_line() : 0.0;
    layout_.after = std::max(sides_[0]->after(), sides_[1]->after()) > 0 ? edge_line() : 0.0;
    const double top = titles() + layout_.before, around = top + layout_.after;
    const double pitch = height > 0.0 ? pitch_in(height - around) : usual_pitch();
    set_font(std::min(kLabelFont * font(), 0.92 * pitch));
    for (std::size_t s = 0; s < 2; ++s) layout_.labels[s] = widest(s, 0.32 * width);
    const double gaps = 2.0 * kGap * font();
    const double free = std::max(width - layout_.labels[0] - layout_.labels[1] - gaps, font());
    const double across = std::min(free, kWidestField * font());
    const double left = (free - across) / 2.0;
    layout_.field = {left + layout_.labels[0] + kGap * font(), top, across, pitch * longest()};
    return finished(width, around + layout_.field.height, pitch, top, layout_.field.height);
  }

  LinksLayout rows(double width, double height) {
    layout_.rows = true;
    const double pitch = std::min(width / longest(), kWidestRowPitch * font());
    set_font(kLabelFont * font());
    const double most = 9.0 * font();
    const double wanted = std::max(widest(0, most), widest(1, most));
    if (wanted > 0.9 * pitch) set_font(layout_.font.size * std::max(0.9 * pitch / wanted, 0.7));
    layout_.upright = std::max(widest(0, most), widest(1, most)) > 0.92 * pitch;
    if (layout_.upright)
      set_font(std::min(kLabelFont * font(), std::max(0.92 * pitch, smallest())));
    for (std::size_t s = 0; s < 2; ++s) {
      layout_.labels[s] = layout_.upright ? widest(s, most) : 1.3 * layout_.font.size;
    }
    const double around =
        titles() + layout_.labels[0] + layout_.labels[1] + 2.0 * kGap * font() + titles();
    const double usual = std::clamp(0.4 * width, 12.0 * font(), 26.0 * font());
    const double least = scrolls() ? kLeastPaneField : 4.0;
    const double most_across = scrolls() ? 1.5 * usual : height;
    const double across = height > 0.0 ? std::clamp(height - around, least * font(),
                                                    std::max(most_across, least * font()))
                                       : usual;
    layout_.field = {0.0, titles() + layout_.labels[0] + kGap * font(), width, across};
    return finished(width, around + across, pitch, 0.0, width);
  }

 private:
  double smallest() const { return kLeastFont * font(); }
  double titles() const { return kTitleLine * font(); }
  double edge_line() const { return kEdgeLine * font(); }
  double longest() const {
    return static_cast<double>(std::max({sides_[0]->count, sides_[1]->count, std::size_t{1}}));
  }
  bool scrolls() const { return options.height <= 0.0; }
  double pitch_in(double height) const {
    const double pitch = height / longest();
    if (!scrolls()) return pitch;
    return std::clamp(pitch, std::min(kLeastPanePitch * font(), usual_pitch()),
                      kMostPanePitch * font());
  }
  double usual_pitch() const {
    return font() * std::clamp(kUsualHeight / longest(), kLeastPitch, kWidestPitch);
  }
  void set_font(double size) { layout_.font = {std::max(size, smallest()), false, false}; }

  double widest(std::size_t s, double limit) const {
    double widest = 0.0;
    for (std::size_t i = sides_[s]->first; i < sides_[s]->end() && widest < limit; ++i) {
      const std::string label = axis_label(document, sides_[s]->axis, i);
      widest = std::max(widest, metrics.measure(label, layout_.font).width);
    }
    return std::min(widest, limit);
  }

  // Centres both sides on the same line, and spreads the shorter one to the length of the longer
  // within kMostSpread.
  LinksLayout finished(double width, double height, double pitch, double from, double room) {
    layout_.width = width;
    layout_.height = height;
    for (std::size_t s = 0; s < 2; ++s) {
      const double count = static_cast<double>(std::max<std::size_t>(sides_[s]->count, 1));
      layout_.pitch[s] = std::min(pitch * longest() / count, kMostSpread * pitch);
      layout_.start[s] = from + (room - layout_.pitch[s] * count) / 2.0;
      const bool flat_rows = layout_.rows && !layout_.upright;
      const double spacing = flat_rows ? 0.0 : 1.05 * layout_.font.size;
      layout_.stride[s] = label_stride(std::max(spacing, 1e-9), layout_.pitch[s]);
    }
    return layout_;
  }

  std::array<const LinkSide*, 2> sides_;
  LinksLayout layout_;
};

}  // namespace

bool prefers_rows(const Document& document, const HeadAddress& at) {
  std::size_t east_asian = 0, all = 0;
  for (const Side side : {Side::Query, Side::Key}) {
    const TokenList& tokens = tokens_of(document, side, at);
    const std::size_t count = std::min(tokens.size(), kUsualTokensShown);
    for (std::size_t i = 0; i < count; ++i) east_asian += is_east_asian(tokens[i]) ? 1U : 0U;
    all += count;
  }
  return 2 * east_asian > all;
}

Point LinksLayout::end(const LinkSide& side, double index) const {
  const std::size_t s = index_of(side.axis.side);
  const double along = start[s] + pitch[s] * (index - static_cast<double>(side.first) + 0.5);
  const bool query = side.axis.side == Side::Query;
  if (rows) return {along, query ? field.y : field.y + field.height};
  return {query ? field.x : field.x + field.width, along};
}

Rect LinksLayout::label(const LinkSide& side, std::size_t index) const {
  const std::size_t s = index_of(side.axis.side);
  const Point at = end(side, static_cast<double>(index));
  const bool query = side.axis.side == Side::Query;
  const double gap = kGap * font.size, half = pitch[s] / 2.0;
  if (rows) {
    return {at.x - half, query ? at.y - gap - labels[s] : at.y, pitch[s], labels[s] + gap};
  }
  return {query ? at.x - gap - labels[s] : at.x, at.y - half, labels[s] + gap, pitch[s]};
}

LinksLayout lay_out_links(const Drawing& drawing, const LinkSide& queries, const LinkSide& keys,
                          double width, double height) {
  Layouter layouter(drawing, queries, keys);
  const bool automatic = drawing.options.orientation == Orientation::Automatic;
  const bool rows = automatic ? prefers_rows(drawing.document, drawing.options.at)
                              : drawing.options.orientation == Orientation::Rows;
  return rows ? layouter.rows(width, height) : layouter.columns(width, height);
}

}  // namespace attn
