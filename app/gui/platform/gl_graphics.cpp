// Upload of labels and matrices as textures, the shaders that draw them between ImGui's own
// triangles, and the simulation of colour vision.
#include "gui/platform/gl_graphics.h"

#include <string>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "figure/colormap.h"

namespace attn::gui {
namespace {

constexpr int kFramesCached = 8;

ImTextureID to_id(GLuint texture) { return (ImTextureID)(std::intptr_t)(texture); }
GLuint to_texture(ImTextureID id) { return static_cast<GLuint>((std::intptr_t)(id)); }

// One byte per cell: 0 for a colour of the map, the hatch lines when hidden, else kLookNonFinite.
std::vector<std::uint8_t> looks_of(const MatrixCells& cells) {
  std::vector<std::uint8_t> looks(cells.values.size());
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const std::uint8_t hidden = cells.hidden.empty() ? std::uint8_t{0} : cells.hidden[i];
    const CellLook look = cell_look(cells.values[i], hidden);
    if (look == CellLook::Hidden) looks[i] = hatch_lines(hidden);
    if (look == CellLook::NonFinite) looks[i] = kLookNonFinite;
  }
  return looks;
}

void set_color(const GlApi& gl, GLint place, Color c) {
  gl.Uniform4f(place, static_cast<float>(c.r) / 255.0F, static_cast<float>(c.g) / 255.0F,
               static_cast<float>(c.b) / 255.0F, static_cast<float>(c.a) / 255.0F);
}

// The projection of ImGui's backend: its coordinates to the whole framebuffer.
void set_projection(const GlApi& gl, GLint place, const ImDrawData& data) {
  const float left = data.DisplayPos.x, right = left + data.DisplaySize.x;
  const float top = data.DisplayPos.y, bottom = top + data.DisplaySize.y;
  const float x = (right + left) / (left - right), y = (top + bottom) / (bottom - top);
  const float matrix[4][4] = {{2.0F / (right - left), 0, 0, 0},
                              {0, 2.0F / (top - bottom), 0, 0},
                              {0, 0, -1, 0},
                              {x, y, 0, 1}};
  gl.UniformMatrix4fv(place, 1, GL_FALSE, &matrix[0][0]);
}

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

Error driver_error(const char* what, const std::string& log) {
  return {.kind = ErrorKind::Internal,
          .message = std::string("the graphics driver refused to ") + what,
          .found = log};
}

// The driver's log for a shader or program; empty on success. Both are queried by functions of
// equal type.
std::string driver_log(GLuint made, GLenum status, PFNGLGETSHADERIVPROC get_number,
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
      driver_log(shader, GL_COMPILE_STATUS, gl.GetShaderiv, gl.GetShaderInfoLog);
  if (reason.empty()) return shader;
  gl.DeleteShader(shader);
  return driver_error("compile a shader", reason);
}

// A pixel shows the cell under its centre; when several cells share it, the largest. Looks: 0 is
// mapped, the hatch lines of a hidden cell, or kLookNonFinite (determined on the CPU, as isnan is
// unreliable on some drivers).
constexpr const char* kFragmentBody = R"(
uniform sampler2D values;
uniform usampler2D looks;
uniform sampler2D map;
uniform vec4 rect;  // of the matrix in pixels: left, top, width, height
uniform vec2 pattern_origin;
uniform float pattern_unit;
uniform float framebuffer_height;
uniform ivec2 cells;  // columns, rows
uniform vec2 range;  // low, high
uniform float power;  // of a ColorScale
uniform vec4 ink;
uniform vec4 background;
in vec4 tint;
out vec4 result;

float bent(float value) {
  if (power == 1.0) return value;
  if (power == 0.0) return value > 0.0 ? log(value) : -1e30;
  float size = abs(value);
  return size > 0.0 ? sign(value) * pow(size, power) : 0.0;
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
  return mix(background, ink, covered);
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
  float low_end = bent(range.x), high_end = bent(range.y);
  float t = range.y > range.x
                ? clamp((bent(largest) - low_end) / (high_end - low_end), 0.0, 1.0) : 0.0;
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

constexpr const char* kAttributes[] = {"Position", "UV", "Color"};

// Uniform names of the two shaders; each shader has some of them.
constexpr const char* kUniforms[] = {
    "projection", "values",         "looks",        "map",
    "rect",       "pattern_origin", "pattern_unit", "framebuffer_height",
    "cells",      "range",          "power",        "ink",
    "background", "frame",          "matrix"};

// Links a program with the fragment shader, which reads the vertex colour from `tint` and writes
// `result`; the uniform `projection` is ImGui's.
Result<Shader> make_shader(const GlApi& gl, const std::string& fragment_source,
                           const VertexPlaces& places) {
  const Result<GLuint> vertex = compile(gl, GL_VERTEX_SHADER, kVertexSource);
  if (!vertex.ok()) return vertex.error();
  const Result<GLuint> fragment = compile(gl, GL_FRAGMENT_SHADER, fragment_source);
  if (!fragment.ok()) {
    gl.DeleteShader(vertex.value());
    return fragment.error();
  }
  Shader shader{gl.CreateProgram(), {}};
  const GLuint program = shader.program;
  gl.AttachShader(program, vertex.value());
  gl.AttachShader(program, fragment.value());
  for (std::size_t i = 0; i < places.size(); ++i) {
    gl.BindAttribLocation(program, places[i], kAttributes[i]);
  }
  gl.LinkProgram(program);
  gl.DeleteShader(vertex.value());
  gl.DeleteShader(fragment.value());
  const std::string reason =
      driver_log(program, GL_LINK_STATUS, gl.GetProgramiv, gl.GetProgramInfoLog);
  if (!reason.empty()) {
    gl.DeleteProgram(program);
    return driver_error("link a shader", reason);
  }
  for (const char* name : kUniforms) shader.places[name] = gl.GetUniformLocation(program, name);
  return shader;
}

}  // namespace

Result<std::unique_ptr<GlGraphics>> GlGraphics::make(const GlApi& gl) {
  std::unique_ptr<GlGraphics> graphics(new GlGraphics(gl));
  Result<Shader> shader = make_shader(gl, fragment_source(), graphics->places_);
  if (!shader.ok()) return shader.error();
  graphics->shader_ = *std::move(shader);
  Result<Shader> vision = make_shader(gl, kVisionSource, graphics->places_);
  if (!vision.ok()) return vision.error();
  graphics->vision_shader_ = *std::move(vision);
  gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &graphics->largest_side_);
  return graphics;
}

GlGraphics::~GlGraphics() {
  for (const auto& [cells, textures] : matrices_) remove(textures);
  for (const auto& [map, texture] : maps_) gl_.DeleteTextures(1, &texture);
  if (shader_.program != 0) gl_.DeleteProgram(shader_.program);
  if (vision_shader_.program != 0) gl_.DeleteProgram(vision_shader_.program);
  if (drawn_ != 0) gl_.DeleteTextures(1, &drawn_);
}

GLuint GlGraphics::new_texture(GLint filter) {
  GLuint texture = 0;
  gl_.GenTextures(1, &texture);
  gl_.BindTexture(GL_TEXTURE_2D, texture);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl_.PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  return texture;
}

ImTextureID GlGraphics::upload_rgba(int width_px, int height_px,
                                    std::span<const std::uint8_t> rgba) {
  const GLuint texture = new_texture(GL_LINEAR);
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_px, height_px, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 rgba.data());
  return to_id(texture);
}

void GlGraphics::release(ImTextureID texture) {
  const GLuint name = to_texture(texture);
  gl_.DeleteTextures(1, &name);
}

void GlGraphics::remove(const MatrixTextures& textures) {
  gl_.DeleteTextures(1, &textures.values);
  gl_.DeleteTextures(1, &textures.looks);
}

GLuint GlGraphics::map_texture(const ColorMap& map) {
  const auto known = maps_.find(&map);
  if (known != maps_.end()) return known->second;
  const GLuint texture = new_texture(GL_NEAREST);
  static_assert(sizeof(Color) == 4);
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 map.colors.data());
  return maps_.emplace(&map, texture).first->second;
}

const GlGraphics::MatrixTextures& GlGraphics::textures_of(
    const std::shared_ptr<const MatrixCells>& cells) {
  MatrixTextures& textures = matrices_[cells.get()];
  textures.last_frame = frame_;
  if (textures.cells != nullptr) return textures;
  textures.cells = cells;
  const auto columns = static_cast<GLsizei>(cells->cols), rows = static_cast<GLsizei>(cells->rows);
  textures.values = new_texture(GL_NEAREST);
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_R32F, columns, rows, 0, GL_RED, GL_FLOAT,
                 cells->coloured().data());
  textures.looks = new_texture(GL_NEAREST);
  const std::vector<std::uint8_t> looks = looks_of(*cells);
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, columns, rows, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                 looks.data());
  return textures;
}

void GlGraphics::draw_matrix(ImDrawList& list, const MatrixItem& matrix, const Placement& at) {
  if (frame_ended_) calls_.clear();
  frame_ended_ = false;
  const Rect& r = matrix.rect;
  const ImVec2 min = at.pixel({r.x, r.y});
  const ImVec2 max = at.pixel({r.x + r.width, r.y + r.height});
  const auto largest = static_cast<std::size_t>(largest_side_);
  const bool fits = matrix.cells->cols <= largest && matrix.cells->rows <= largest;
  if (!fits || matrix.scale.map == nullptr) {
    const Color background = matrix.hatch_background;
    list.AddRectFilled(min, max, IM_COL32(background.r, background.g, background.b, background.a));
    return;
  }
  const MatrixTextures& textures = textures_of(matrix.cells);
  calls_.push_back({this, textures.looks, map_texture(*matrix.scale.map),
                    static_cast<int>(matrix.cells->cols), static_cast<int>(matrix.cells->rows), min,
                    max - min, at.pixel({matrix.clip.x, matrix.clip.y}), at.scale, matrix.scale,
                    matrix.hatch, matrix.hatch_background});
  const auto prepare = [](const ImDrawList*, const ImDrawCmd* command) {
    const Call& call = *static_cast<const Call*>(command->UserCallbackData);
    call.graphics->use(call);
  };
  list.AddCallback(prepare, &calls_.back());
  list.AddImage(to_id(textures.values), min, max);
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

// The vertex arrays belong to ImGui, so attribute locations are read from its own shader.
void GlGraphics::follow_backend() {
  if (followed_backend_) return;
  followed_backend_ = true;
  GLint current = 0;
  gl_.GetIntegerv(GL_CURRENT_PROGRAM, &current);
  VertexPlaces places{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const GLint place = gl_.GetAttribLocation(static_cast<GLuint>(current), kAttributes[i]);
    if (place < 0) return;
    places[i] = static_cast<GLuint>(place);
  }
  if (places == places_) return;
  Result<Shader> again = make_shader(gl_, fragment_source(), places);
  Result<Shader> vision = make_shader(gl_, kVisionSource, places);
  if (!again.ok() || !vision.ok()) return;
  gl_.DeleteProgram(shader_.program);
  gl_.DeleteProgram(vision_shader_.program);
  shader_ = *std::move(again);
  vision_shader_ = *std::move(vision);
  places_ = places;
}

void GlGraphics::use(const Call& call) {
  follow_backend();
  const ImDrawData& data = *ImGui::GetDrawData();
  const ImVec2 pixels = data.FramebufferScale;
  const auto x = [&](float position) { return (position - data.DisplayPos.x) * pixels.x; };
  const auto y = [&](float position) { return (position - data.DisplayPos.y) * pixels.y; };
  const auto at = [&](const char* name) { return shader_.places.at(name); };
  gl_.UseProgram(shader_.program);
  set_projection(gl_, at("projection"), data);
  gl_.Uniform1i(at("values"), 0);
  gl_.Uniform1i(at("looks"), 1);
  gl_.Uniform1i(at("map"), 2);
  gl_.Uniform4f(at("rect"), x(call.min.x), y(call.min.y), call.size.x * pixels.x,
                call.size.y * pixels.y);
  gl_.Uniform2f(at("pattern_origin"), x(call.clip.x), y(call.clip.y));
  gl_.Uniform1f(at("pattern_unit"), call.scale * pixels.x);
  gl_.Uniform1f(at("framebuffer_height"), data.DisplaySize.y * pixels.y);
  gl_.Uniform2i(at("cells"), call.columns, call.rows);
  gl_.Uniform2f(at("range"), call.range.low, call.range.high);
  gl_.Uniform1f(at("power"), call.range.power);
  set_color(gl_, at("ink"), call.ink);
  set_color(gl_, at("background"), call.background);
  gl_.ActiveTexture(GL_TEXTURE1);
  gl_.BindTexture(GL_TEXTURE_2D, call.looks);
  gl_.ActiveTexture(GL_TEXTURE2);
  gl_.BindTexture(GL_TEXTURE_2D, call.map);
  gl_.ActiveTexture(GL_TEXTURE0);
}

void GlGraphics::simulate_vision(ImDrawList& list, ColorVision vision) {
  if (vision == ColorVision::Usual) return;
  if (drawn_ == 0) drawn_ = new_texture(GL_NEAREST);
  vision_ = vision;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  list.PushClipRect(ImVec2(0, 0), size);
  const auto prepare = [](const ImDrawList*, const ImDrawCmd* command) {
    static_cast<GlGraphics*>(command->UserCallbackData)->see();
  };
  list.AddCallback(prepare, this);
  list.AddImage(to_id(drawn_), ImVec2(0, 0), size);
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  list.PopClipRect();
}

void GlGraphics::see() {
  follow_backend();
  const ImDrawData& data = *ImGui::GetDrawData();
  gl_.ActiveTexture(GL_TEXTURE0);
  gl_.BindTexture(GL_TEXTURE_2D, drawn_);
  gl_.CopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 0, 0,
                     static_cast<GLsizei>(data.DisplaySize.x * data.FramebufferScale.x),
                     static_cast<GLsizei>(data.DisplaySize.y * data.FramebufferScale.y), 0);
  gl_.UseProgram(vision_shader_.program);
  set_projection(gl_, vision_shader_.places.at("projection"), data);
  gl_.Uniform1i(vision_shader_.places.at("frame"), 0);
  gl_.UniformMatrix3fv(vision_shader_.places.at("matrix"), 1, GL_TRUE,
                       color_vision_info(vision_).matrix.data());
}

void GlGraphics::end_frame() {
  if (frame_ended_) calls_.clear();
  frame_ended_ = true;
  ++frame_;
  std::erase_if(matrices_, [this](const auto& entry) {
    const bool is_old = frame_ - entry.second.last_frame > kFramesCached;
    if (is_old) remove(entry.second);
    return is_old;
  });
}

}  // namespace attn::gui
