// Shaders that draw triangles of ImGui's in place of its own.
#pragma once

#include <string>

#include "base/result.h"
#include "gui/platform/gl_api.h"

namespace attn::gui {

// Places of the vertex attributes: those of ImGui's own shader.
struct VertexPlaces {
  GLuint position = 0, uv = 1, color = 2;
  friend bool operator==(const VertexPlaces&, const VertexPlaces&) = default;
};

// A program of a fragment shader that gets the vertices' colour as `tint` and writes `result`; its
// uniform `projection` is ImGui's. Delete with glDeleteProgram. Internal with the driver's log when
// the card refuses it.
Result<GLuint> make_program(const GlApi& gl, const std::string& fragment_source,
                            const VertexPlaces& places);

}  // namespace attn::gui
