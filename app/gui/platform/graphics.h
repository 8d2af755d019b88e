// What the user interface asks of the graphics card; tests use an implementation without one.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <string>

#include "figure/colormap.h"
#include "figure/figure.h"

namespace attn::gui {

// Maps figure units to screen pixels: pixel = origin + unit · scale.
struct Placement {
  ImVec2 origin{0, 0};
  float scale = 1.0F;
};

// What draws the window, in the driver's words; empty where nobody has said.
struct GraphicsDescription {
  std::string vendor, renderer, version;
};

// UI thread only.
class Graphics {
 public:
  virtual ~Graphics() = default;

  // RGBA, not premultiplied, row by row from the top. Release with release().
  virtual ImTextureID upload_rgba(int width_px, int height_px,
                                  std::span<const std::uint8_t> rgba) = 0;
  virtual void release(ImTextureID texture) = 0;

  // Draws the matrix with its colour scale as a shader: one float texture, kept as long as the same
  // MatrixCells are drawn. Range, map, hatch and NaN pattern are uniforms. Zoomed out, a pixel
  // shows the largest of the cells under it.
  virtual void draw_matrix(ImDrawList& list, const MatrixItem& matrix, const Placement& at) = 0;

  // Shows all that is drawn up to here as such eyes see it. At the end of the last list of a frame.
  virtual void show_as_seen(ImDrawList& list, ColorVision vision) = 0;

  // Once a frame: forgets textures of matrices that were not drawn for a while.
  virtual void end_frame() = 0;
};

}  // namespace attn::gui
