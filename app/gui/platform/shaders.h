// Shaders that replace ImGui's own for some triangles: the colour map of matrices
// (figure/colormap.cpp) and the simulation of colour vision (figure/color_vision.cpp) for the
// graphics card.
#pragma once

#include "base/result.h"
#include "gui/platform/gl_api.h"

namespace attn::gui {

// Vertex attribute locations, those of ImGui's shader.
struct VertexPlaces {
  GLuint position = 0, uv = 1, color = 2;
  friend bool operator==(const VertexPlaces&, const VertexPlaces&) = default;
};

// Look of a cell that is neither mapped (0) nor hidden (its HatchLines).
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

// Delete the program with glDeleteProgram. Internal error with the driver's log when it is
// rejected.
Result<MatrixShader> make_matrix_shader(const GlApi& gl, const VertexPlaces& places);

struct VisionShader {
  GLuint program = 0;
  GLint projection = -1;
  GLint frame = -1;   // texture unit of the frame's copy, as large as the framebuffer
  GLint matrix = -1;  // ColorVisionInfo::matrix, uploaded transposed
};

// Internal error with the driver's log when it is rejected.
Result<VisionShader> make_vision_shader(const GlApi& gl, const VertexPlaces& places);

}  // namespace attn::gui
