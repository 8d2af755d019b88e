// Holds the source of the shader that colours and hatches cells.
#include "gui/platform/matrix_shader.h"

#include <string>

#include "base/number_text.h"
#include "figure/colormap.h"

namespace attn::gui {
namespace {

// A pixel takes the cell under its centre; when several cells are under it, the largest of them.
// Looks: 0 by the map, the lines of a hidden cell, kLookNonFinite (found on the CPU: isnan is not
// reliable everywhere).
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

}  // namespace attn::gui
