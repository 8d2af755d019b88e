// Other eyes' colours as a shader: core/figure/color_vision.cpp, once more, for the graphics card.
#pragma once

#include "base/result.h"
#include "gui/platform/gl_api.h"
#include "gui/platform/shader_program.h"

namespace attn::gui {

struct VisionShader {
  GLuint program = 0;
  GLint projection = -1;
  GLint frame = -1;   // texture unit of what was drawn, as large as the framebuffer
  GLint matrix = -1;  // of ColorVisionInfo, transposed when it is set
};

// Internal with the driver's log when the card refuses it.
Result<VisionShader> make_vision_shader(const GlApi& gl, const VertexPlaces& places);

}  // namespace attn::gui
