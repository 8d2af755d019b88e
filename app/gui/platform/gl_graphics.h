// Graphics through OpenGL 3.2: labels as textures, matrices as float textures coloured by a shader.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "gui/platform/gl_api.h"
#include "gui/platform/graphics.h"

namespace attn::gui {

// Vertex attribute locations of position, texture coordinates and colour, those of ImGui's shader.
using VertexPlaces = std::array<GLuint, 3>;

// Look of a cell that is neither mapped (0) nor hidden (its HatchLines).
inline constexpr unsigned kLookNonFinite = 8;

// A program and the places of its uniforms by name.
struct Shader {
  GLuint program = 0;
  std::unordered_map<std::string_view, GLint> places;
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
  VertexPlaces places_{0, 1, 2};
  Shader shader_, vision_shader_;            // of matrices, and of the finished frame
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
