// The colour map as a shader: core/figure/colormap.cpp, once more, for the graphics card.
#pragma once

#include "base/result.h"
#include "gui/platform/gl_api.h"
#include "gui/platform/shader_program.h"

namespace attn::gui {

// The look of a cell that is neither mapped (0) nor hidden (its HatchLines).
inline constexpr unsigned kLookNonFinite = 8;

struct MatrixShader {
  GLuint program = 0;
  VertexPlaces places;
  GLint projection = -1;
  GLint values = -1, looks = -1, map = -1;  // texture units
  GLint rect = -1;                          // of the matrix: left, top, width, height in pixels
  GLint pattern_origin = -1, pattern_unit = -1;  // pixels
  GLint framebuffer_height = -1;
  GLint cells = -1;  // columns, rows
  GLint range = -1;  // low, high
  GLint curve = -1;  // a ColorCurve as a number
  GLint ink = -1, ground = -1;
};

// Internal with the driver's log when the card refuses it.
Result<MatrixShader> make_matrix_shader(const GlApi& gl, const VertexPlaces& places);

}  // namespace attn::gui
