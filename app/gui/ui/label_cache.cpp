// Labels drawn by Pango into textures; evicts those no longer shown.
#include "gui/ui/label_cache.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "figure/text.h"

namespace attn::gui {
namespace {

constexpr int kFramesCached = 300;

// Rounds the scale to 1/16 pixel per unit, so that zooming reuses textures.
constexpr float kScaleSteps = 16.0F;

template <class T>
void append_bytes(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string key_of(std::string_view text, const FontStyle& font, Color color, float scale) {
  std::string key;
  key.reserve(text.size() + 32);
  append_bytes(key, font.size);
  append_bytes(key, scale);
  append_bytes(key, color);
  append_bytes(key, font.family);
  key += font.bold ? 'b' : '-';
  key += font.italic ? 'i' : '-';
  key += font.monospace ? 'm' : '-';
  key += font.formula ? 'f' : '-';
  key += text;
  return key;
}

}  // namespace

LabelCache::~LabelCache() {
  for (const Label& label : labels_) graphics_.release(label.texture);
}

const LabelCache::Label& LabelCache::label(std::string_view text, const FontStyle& font,
                                           Color color, float scale) {
  std::string key = key_of(text, font, color, scale);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    const TextPicture picture = draw_text(text, font, color, scale);
    labels_.push_front(
        {std::move(key), graphics_.upload_rgba(picture.width_px, picture.height_px, picture.rgba),
         static_cast<float>(picture.width_px), static_cast<float>(picture.height_px),
         static_cast<float>(picture.pen_px), static_cast<float>(picture.baseline_px)});
    by_key_.emplace(labels_.front().key, labels_.begin());
  } else {
    labels_.splice(labels_.begin(), labels_, found->second);
  }
  labels_.front().last_frame = frame_;
  return labels_.front();
}

void LabelCache::draw(ImDrawList& list, const TextItem& item, const Placement& at) {
  if (item.text.empty() || item.color.a == 0) return;
  const Point pen = pen_offset(item, pango_metrics().measure(item.text, item.font));
  const float scale = std::max(1.0F, std::round(at.scale * kScaleSteps)) / kScaleSteps;
  const Label& drawn = label(item.text, item.font, item.color, scale);
  const ImVec2 anchor = at.pixel(item.anchor);
  // Corner of the picture relative to the anchor, before rotation.
  const float left = static_cast<float>(pen.x) * at.scale - drawn.pen_px;
  const float top = static_cast<float>(pen.y) * at.scale - drawn.baseline_px;
  const double radians = item.degrees * std::numbers::pi / 180.0;
  const float c = static_cast<float>(std::cos(radians)), s = static_cast<float>(std::sin(radians));
  // Whole pixels keep small text sharp.
  const bool upright = std::remainder(item.degrees, 90.0) == 0.0;
  ImVec2 corner(anchor.x + left * c + top * s, anchor.y - left * s + top * c);
  if (upright) corner = ImVec2(std::round(corner.x), std::round(corner.y));
  const ImVec2 along(drawn.width_px * c, -drawn.width_px * s);
  const ImVec2 down(drawn.height_px * s, drawn.height_px * c);
  list.AddImageQuad(drawn.texture, corner, corner + along, corner + along + down, corner + down);
}

void LabelCache::draw_line(ImDrawList& list, std::string_view text, ImVec2 position_px,
                           const FontStyle& font, Color color, float scale) {
  draw(list,
       TextItem{.text = std::string(text), .font = font, .color = color, .valign = VAlign::Top},
       {position_px, scale});
}

ImVec2 LabelCache::line_size(std::string_view text, const FontStyle& font, float scale) {
  const TextExtent extent = pango_metrics().measure(text, font);
  return ImVec2(static_cast<float>(extent.width) * scale,
                static_cast<float>(extent.ascent + extent.descent) * scale);
}

void LabelCache::end_frame() {
  ++frame_;
  while (!labels_.empty() && frame_ - labels_.back().last_frame > kFramesCached) {
    graphics_.release(labels_.back().texture);
    by_key_.erase(labels_.back().key);
    labels_.pop_back();
  }
}

}  // namespace attn::gui
