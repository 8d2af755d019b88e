// Shader sources; compiles and links them, and reports the driver's errors.
#include "gui/platform/shaders.h"

#include <string>

#include "base/number_text.h"
#include "figure/colormap.h"

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

// The driver's log for a shader or program; empty on success. Both are queried by functions of
// equal type.
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

// A pixel shows the cell under its centre; when several cells share it, the largest. Looks: 0 is
// mapped, the hatch lines of a hidden cell, or kLookNonFinite (determined on the CPU, as isnan is
// unreliable on some drivers).
constexpr const char* kFragmentBody = R"(
uniform sampler2D values;
uniform usampler2D looks;
uniform sampler2D map;
uniform vec4 rect;
uniform vec2 pattern_origin;
uniform float pattern_unit;
uniform float framebuffer_height;
uniform ivec2 cells;
uniform vec2 range;
uniform int curve;
uniform vec4 ink;
uniform vec4 ground;
in vec4 tint;
out vec4 result;

float curved(float value) {
  float size = abs(value);
  if (curve == 1) return sign(value) * sqrt(size);
  if (curve == 2) return sign(value) * pow(size, 1.0 / 3.0);
  if (curve == 3) return sign(value) * sqrt(sqrt(size));
  if (curve == 4) return value > 0.0 ? log(value) : -1e30;
  return value;
}

bool on_line(float along, float period, float ink) {
  return fract(along / period) * period < ink;
}

bool pattern_ink(uint lines, vec2 at) {
  if ((lines & kRisingLines) != 0u && on_line(at.x + at.y, kHatchPeriod, kHatchInk)) return true;
  if ((lines & kFallingLines) != 0u && on_line(at.x - at.y, kHatchPeriod, kHatchInk)) return true;
  if ((lines & kLevelLines) != 0u && on_line(at.y, kLevelPeriod, kLevelInk)) return true;
  if ((lines & kLookNonFinite) == 0u) return false;
  vec2 squares = floor(at / kCheckSize);
  return mod(squares.x + squares.y, 2.0) > 0.5;
}

vec4 pattern(uint lines, vec2 pixel) {
  float covered = 0.0;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      vec2 at = pixel + (vec2(x, y) - 1.5) / 4.0;
      if (pattern_ink(lines, (at - pattern_origin) / pattern_unit)) covered += 1.0 / 16.0;
    }
  }
  return mix(ground, ink, covered);
}

void main() {
  vec2 pixel = vec2(gl_FragCoord.x, framebuffer_height - gl_FragCoord.y);
  vec2 per_pixel = vec2(cells) / rect.zw;
  vec2 centre = (pixel - rect.xy) * per_pixel;
  ivec2 last = cells - 1;
  ivec2 low = clamp(ivec2(floor(centre)), ivec2(0), last);
  ivec2 high = low;
  vec2 from = centre - 0.5 * per_pixel, to = centre + 0.5 * per_pixel;
  if (per_pixel.x > 1.0) {
    low.x = clamp(int(floor(from.x)), 0, last.x);
    high.x = clamp(int(ceil(to.x)) - 1, low.x, last.x);
  }
  if (per_pixel.y > 1.0) {
    low.y = clamp(int(floor(from.y)), 0, last.y);
    high.y = clamp(int(ceil(to.y)) - 1, low.y, last.y);
  }

  bool found = false;
  uint looked = 0u;
  float largest = 0.0;
  for (int y = low.y; y <= high.y; ++y) {
    for (int x = low.x; x <= high.x; ++x) {
      uint look = texelFetch(looks, ivec2(x, y), 0).r;
      if (look == 0u) {
        float value = texelFetch(values, ivec2(x, y), 0).r;
        largest = found ? max(largest, value) : value;
        found = true;
      }
      looked |= look;
    }
  }
  if (!found) {
    bool all_hidden = (looked & kLookNonFinite) == 0u;
    result = pattern(all_hidden ? looked : kLookNonFinite, pixel) * tint;
    return;
  }
  float low_end = curved(range.x), high_end = curved(range.y);
  float t = range.y > range.x
                ? clamp((curved(largest) - low_end) / (high_end - low_end), 0.0, 1.0) : 0.0;
  result = texelFetch(map, ivec2(int(floor(255.0 * t + 0.5)), 0), 0) * tint;
}
)";

std::string fragment_source() {
  const auto constant = [](const char* name, double value) {
    return std::string("const float ") + name + " = " + fixed_text(value, 6) + ";\n";
  };
  const auto bit = [](const char* name, unsigned value) {
    return std::string("const uint ") + name + " = " + std::to_string(value) + "u;\n";
  };
  return "#version 150\n" + constant("kHatchPeriod", kHatchPeriod) +
         constant("kHatchInk", kHatchInk) + constant("kLevelPeriod", kLevelPeriod) +
         constant("kLevelInk", kLevelInk) + constant("kCheckSize", kCheckSize) +
         bit("kRisingLines", kRisingLines) + bit("kFallingLines", kFallingLines) +
         bit("kLevelLines", kLevelLines) + bit("kLookNonFinite", kLookNonFinite) + kFragmentBody;
}

void find_uniforms(const GlApi& gl, MatrixShader& shader) {
  const auto at = [&](const char* name) { return gl.GetUniformLocation(shader.program, name); };
  shader.projection = at("projection");
  shader.values = at("values");
  shader.looks = at("looks");
  shader.map = at("map");
  shader.rect = at("rect");
  shader.pattern_origin = at("pattern_origin");
  shader.pattern_unit = at("pattern_unit");
  shader.framebuffer_height = at("framebuffer_height");
  shader.cells = at("cells");
  shader.range = at("range");
  shader.curve = at("curve");
  shader.ink = at("ink");
  shader.ground = at("ground");
}

constexpr const char* kVisionSource = R"(#version 150
uniform sampler2D frame;
uniform mat3 matrix;
in vec4 tint;
out vec4 result;

vec3 linear_light(vec3 encoded) {
  vec3 power = pow((encoded + 0.055) / 1.055, vec3(2.4));
  return mix(power, encoded / 12.92, vec3(lessThanEqual(encoded, vec3(0.04045))));
}

vec3 encoded_light(vec3 light) {
  vec3 power = 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055;
  return mix(power, 12.92 * light, vec3(lessThanEqual(light, vec3(0.0031308))));
}

void main() {
  vec3 drawn = texelFetch(frame, ivec2(gl_FragCoord.xy), 0).rgb;
  vec3 seen = clamp(matrix * linear_light(drawn), 0.0, 1.0);
  result = vec4(encoded_light(seen), 1.0) * tint;
}
)";

// Links a program with the fragment shader, which reads the vertex colour from `tint` and writes
// `result`; the uniform `projection` is ImGui's.
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

}  // namespace

Result<MatrixShader> make_matrix_shader(const GlApi& gl, const VertexPlaces& places) {
  const Result<GLuint> program = make_program(gl, fragment_source(), places);
  if (!program.ok()) return program.error();
  MatrixShader shader;
  shader.places = places;
  shader.program = program.value();
  find_uniforms(gl, shader);
  return shader;
}

Result<VisionShader> make_vision_shader(const GlApi& gl, const VertexPlaces& places) {
  const Result<GLuint> program = make_program(gl, kVisionSource, places);
  if (!program.ok()) return program.error();
  const auto at = [&](const char* name) { return gl.GetUniformLocation(program.value(), name); };
  return VisionShader{program.value(), at("projection"), at("frame"), at("matrix")};
}

}  // namespace attn::gui
