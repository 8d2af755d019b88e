// Graphics through OpenGL 3.2: labels as textures, matrices as float textures coloured by a shader.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>

#include "base/result.h"
#include "gui/platform/gl_api.h"
#include "gui/platform/graphics.h"

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
  GLint ink = -1, background = -1;
};

struct VisionShader {
  GLuint program = 0;
  GLint projection = -1;
  GLint frame = -1;   // texture unit of the frame's copy, as large as the framebuffer
  GLint matrix = -1;  // ColorVisionInfo::matrix, uploaded transposed
};

// The context that was current at creation must be current; ImGui's OpenGL 3 backend must draw its
// lists.
class GlGraphics : public Graphics {
 public:
  // Internal error when the driver rejects a shader.
  static Result<std::unique_ptr<GlGraphics>> make(const GlApi& gl);
  ~GlGraphics() override;

  ImTextureID upload_rgba(int width_px, int height_px, std::span<const std::uint8_t> rgba) override;
  void release(ImTextureID texture) override;
  void draw_matrix(ImDrawList& list, const MatrixItem& matrix, const Placement& at) override;
  void simulate_vision(ImDrawList& list, ColorVision vision) override;
  void end_frame() override;

  std::size_t live_matrices() const { return matrices_.size(); }

 private:
  struct MatrixTextures {
    std::shared_ptr<const MatrixCells> cells;  // keeps the address from being reused
    GLuint values = 0, looks = 0;
    int last_frame = 0;
  };
  // Arguments of the callback in the draw list, read when the list is drawn.
  struct Call {
    GlGraphics* graphics;
    GLuint looks, map;
    int columns, rows;
    ImVec2 min, size, clip;  // ImGui pixels
    float scale;
    ColorScale range;
    Color ink, background;
  };

  explicit GlGraphics(const GlApi& gl) : gl_(gl) {}
  static void prepare(const ImDrawList*, const ImDrawCmd* command);
  void use(const Call& call);
  static void prepare_vision(const ImDrawList*, const ImDrawCmd* command);
  void see(ColorVision vision);
  void follow_backend();
  const MatrixTextures& textures_of(const std::shared_ptr<const MatrixCells>& cells);
  GLuint map_texture(const ColorMap& map);
  GLuint new_texture(GLint filter);
  void remove(const MatrixTextures& textures);

  GlApi gl_;
  MatrixShader shader_;
  VisionShader vision_shader_;
  ColorVision vision_ = ColorVision::Usual;  // of the current frame
  GLuint drawn_ = 0;                         // copy of the frame, input of the colour vision shader
  GLint largest_side_ = 0;
  int frame_ = 0;
  bool frame_ended_ = false;
  bool followed_backend_ = false;
  std::deque<Call> calls_;  // addresses stay valid while the frame is built
  std::unordered_map<const MatrixCells*, MatrixTextures> matrices_;
  std::unordered_map<const ColorMap*, GLuint> maps_;
};

}  // namespace attn::gui
