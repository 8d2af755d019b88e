// Looks up the OpenGL functions once there is a context.
#include "gui/platform/gl_api.h"

namespace attn::gui {

const char* load_gl(GlApi& gl, GlLookup find) {
#define ATTNSCOPE_GL_LOAD(type, name)                 \
  gl.name = reinterpret_cast<type>(find("gl" #name)); \
  if (gl.name == nullptr) return "gl" #name;
  ATTNSCOPE_GL_FUNCTIONS(ATTNSCOPE_GL_LOAD)
#undef ATTNSCOPE_GL_LOAD
  return nullptr;
}

}  // namespace attn::gui
