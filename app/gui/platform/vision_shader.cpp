// Holds the source of the shader that shows colours as other eyes see them.
#include "gui/platform/vision_shader.h"

namespace attn::gui {
namespace {

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

}  // namespace

Result<VisionShader> make_vision_shader(const GlApi& gl, const VertexPlaces& places) {
  const Result<GLuint> program = make_program(gl, kVisionSource, places);
  if (!program.ok()) return program.error();
  const auto at = [&](const char* name) { return gl.GetUniformLocation(program.value(), name); };
  return VisionShader{program.value(), at("projection"), at("frame"), at("matrix")};
}

}  // namespace attn::gui
