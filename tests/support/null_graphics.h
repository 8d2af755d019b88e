// Graphics without a graphics card: records the calls.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <vector>

#include "gui/platform/graphics.h"

namespace attn::gui {

class NullGraphics : public Graphics {
 public:
  struct DrawnMatrix {
    std::shared_ptr<const MatrixCells> cells;
    ColorScale scale;
    ImVec2 min, max;  // of the whole matrix on screen
    ImVec4 clip;      // of the draw list at the time of the call
  };

  ImTextureID upload_rgba(int width_px, int height_px, std::span<const std::uint8_t> rgba) override;
  void release(ImTextureID texture) override;
  void draw_matrix(ImDrawList& list, const MatrixItem& matrix, const Placement& at) override;
  void simulate_vision(ImDrawList& list, ColorVision vision) override;
  void end_frame() override;

  std::size_t uploads() const { return uploads_; }
  std::size_t live_textures() const { return live_.size(); }
  // Matrices of the last completed frame, or of the current one once it has drawn some.
  const std::vector<DrawnMatrix>& matrices() const { return drawn_; }
  ColorVision vision() const { return vision_; }  // of the last frame

 private:
  std::size_t uploads_ = 0;
  std::set<ImTextureID> live_;
  std::vector<DrawnMatrix> drawn_;
  ColorVision vision_ = ColorVision::Usual;
  bool frame_ended_ = false;
};

}  // namespace attn::gui
