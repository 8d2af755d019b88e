// Substitute for the graphics card in tests; checks that textures are used only while they live.
#include "support/null_graphics.h"

#include <cassert>

namespace attn::gui {

ImTextureID NullGraphics::upload_rgba([[maybe_unused]] int width_px, [[maybe_unused]] int height_px,
                                      [[maybe_unused]] std::span<const std::uint8_t> rgba) {
  assert(rgba.size() ==
         4 * static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px));
  const auto texture = (ImTextureID)(++uploads_);
  live_.insert(texture);
  return texture;
}

void NullGraphics::release(ImTextureID texture) {
  [[maybe_unused]] const std::size_t known = live_.erase(texture);
  assert(known == 1);
}

void NullGraphics::draw_matrix(ImDrawList& list, const MatrixItem& matrix, const Placement& at) {
  if (frame_ended_) drawn_.clear();
  frame_ended_ = false;
  const Rect& r = matrix.rect;
  const auto x = [&at](double units) { return at.origin.x + static_cast<float>(units) * at.scale; };
  const auto y = [&at](double units) { return at.origin.y + static_cast<float>(units) * at.scale; };
  const ImVec2 min(x(r.x), y(r.y)), max(x(r.x + r.width), y(r.y + r.height));
  drawn_.push_back({matrix.cells, matrix.scale, min, max, list._ClipRectStack.back()});
  list.AddRectFilled(min, max, IM_COL32(128, 128, 128, 255));
}

void NullGraphics::simulate_vision(ImDrawList& /*list*/, ColorVision vision) { vision_ = vision; }

void NullGraphics::end_frame() {
  if (frame_ended_) drawn_.clear();
  frame_ended_ = true;
}

}  // namespace attn::gui
