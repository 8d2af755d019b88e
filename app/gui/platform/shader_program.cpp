// Compiles and links, and says what the driver refused.
#include "gui/platform/shader_program.h"

namespace attn::gui {
namespace {

constexpr const char* kVertexSource = R"(#version 150
uniform mat4 projection;
in vec2 Position;
in vec2 UV;
in vec4 Color;
out vec4 tint;
void main() {
  tint = Color;
  gl_Position = projection * vec4(Position + 0.0 * UV, 0.0, 1.0);
}
)";

Error refused(const char* what, const std::string& log) {
  Error error;
  error.kind = ErrorKind::Internal;
  error.message = std::string("the graphics driver refused to ") + what;
  error.found = log;
  return error;
}

// What the driver says against a shader or a program; empty: it is made. It is asked about both by
// functions of the same form.
std::string reason_against(GLuint made, GLenum status, PFNGLGETSHADERIVPROC get_number,
                           PFNGLGETSHADERINFOLOGPROC get_log) {
  GLint done = 0;
  get_number(made, status, &done);
  if (done != 0) return "";
  char log[1024] = {};
  get_log(made, sizeof log, nullptr, log);
  return log[0] != '\0' ? log : "no reason";
}

Result<GLuint> compile(const GlApi& gl, GLenum kind, const std::string& source) {
  const GLuint shader = gl.CreateShader(kind);
  const char* text = source.c_str();
  gl.ShaderSource(shader, 1, &text, nullptr);
  gl.CompileShader(shader);
  const std::string reason =
      reason_against(shader, GL_COMPILE_STATUS, gl.GetShaderiv, gl.GetShaderInfoLog);
  if (reason.empty()) return shader;
  gl.DeleteShader(shader);
  return refused("compile a shader", reason);
}

}  // namespace

Result<GLuint> make_program(const GlApi& gl, const std::string& fragment_source,
                            const VertexPlaces& places) {
  const Result<GLuint> vertex = compile(gl, GL_VERTEX_SHADER, kVertexSource);
  if (!vertex.ok()) return vertex.error();
  const Result<GLuint> fragment = compile(gl, GL_FRAGMENT_SHADER, fragment_source);
  if (!fragment.ok()) {
    gl.DeleteShader(vertex.value());
    return fragment.error();
  }
  const GLuint program = gl.CreateProgram();
  gl.AttachShader(program, vertex.value());
  gl.AttachShader(program, fragment.value());
  gl.BindAttribLocation(program, places.position, "Position");
  gl.BindAttribLocation(program, places.uv, "UV");
  gl.BindAttribLocation(program, places.color, "Color");
  gl.LinkProgram(program);
  gl.DeleteShader(vertex.value());
  gl.DeleteShader(fragment.value());
  const std::string reason =
      reason_against(program, GL_LINK_STATUS, gl.GetProgramiv, gl.GetProgramInfoLog);
  if (reason.empty()) return program;
  gl.DeleteProgram(program);
  return refused("link a shader", reason);
}

}  // namespace attn::gui
