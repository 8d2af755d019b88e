// Interface between the user interface and the graphics card; tests use an implementation without
// one.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>

#include "figure/colormap.h"
#include "figure/figure.h"

namespace attn::gui {

inline ImVec2 operator+(ImVec2 a, ImVec2 b) { return {a.x + b.x, a.y + b.y}; }
inline ImVec2 operator-(ImVec2 a, ImVec2 b) { return {a.x - b.x, a.y - b.y}; }

// Maps figure units to screen pixels: pixel = origin + unit · scale.
struct Placement {
  ImVec2 origin{0, 0};
  float scale = 1.0F;

  ImVec2 pixel(Point p) const {
    return ImVec2(origin.x + static_cast<float>(p.x) * scale,
                  origin.y + static_cast<float>(p.y) * scale);
  }
};

// UI thread only.
class Graphics {
 public:
  virtual ~Graphics() = default;

  // RGBA, not premultiplied, rows from the top. Free with release().
  virtual ImTextureID upload_rgba(int width_px, int height_px,
                                  std::span<const std::uint8_t> rgba) = 0;
  virtual void release(ImTextureID texture) = 0;

  // Draws the matrix with its colour scale in a shader: one float texture, cached while these
  // MatrixCells are drawn. Range, map, hatch and NaN pattern are uniforms. When several cells share
  // a pixel, it shows the largest.
  virtual void draw_matrix(ImDrawList& list, const MatrixItem& matrix, const Placement& at) = 0;

  // Simulates a kind of colour vision for everything drawn so far. Called at the end of a frame's
  // last list.
  virtual void simulate_vision(ImDrawList& list, ColorVision vision) = 0;

  // Called once per frame: releases textures of matrices that were not drawn recently.
  virtual void end_frame() = 0;
};

}  // namespace attn::gui
