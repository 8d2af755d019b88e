// Graphics through OpenGL 3.2: labels as textures, matrices as float textures coloured by a shader.
#pragma once

#include <GL/glcorearb.h>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "gui/platform/graphics.h"

namespace attn::gui {

// --- The OpenGL functions that this program calls directly, resolved at run time

#define ATTNSCOPE_GL_FUNCTIONS(X)                    \
  X(PFNGLACTIVETEXTUREPROC, ActiveTexture)           \
  X(PFNGLATTACHSHADERPROC, AttachShader)             \
  X(PFNGLBINDATTRIBLOCATIONPROC, BindAttribLocation) \
  X(PFNGLBINDTEXTUREPROC, BindTexture)               \
  X(PFNGLCLEARPROC, Clear)                           \
  X(PFNGLCLEARCOLORPROC, ClearColor)                 \
  X(PFNGLCOMPILESHADERPROC, CompileShader)           \
  X(PFNGLCOPYTEXIMAGE2DPROC, CopyTexImage2D)         \
  X(PFNGLCREATEPROGRAMPROC, CreateProgram)           \
  X(PFNGLCREATESHADERPROC, CreateShader)             \
  X(PFNGLDELETEPROGRAMPROC, DeleteProgram)           \
  X(PFNGLDELETESHADERPROC, DeleteShader)             \
  X(PFNGLDELETETEXTURESPROC, DeleteTextures)         \
  X(PFNGLGENTEXTURESPROC, GenTextures)               \
  X(PFNGLGETATTRIBLOCATIONPROC, GetAttribLocation)   \
  X(PFNGLGETINTEGERVPROC, GetIntegerv)               \
  X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)   \
  X(PFNGLGETPROGRAMIVPROC, GetProgramiv)             \
  X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)     \
  X(PFNGLGETSHADERIVPROC, GetShaderiv)               \
  X(PFNGLGETSTRINGPROC, GetString)                   \
  X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation) \
  X(PFNGLLINKPROGRAMPROC, LinkProgram)               \
  X(PFNGLPIXELSTOREIPROC, PixelStorei)               \
  X(PFNGLREADPIXELSPROC, ReadPixels)                 \
  X(PFNGLSHADERSOURCEPROC, ShaderSource)             \
  X(PFNGLTEXIMAGE2DPROC, TexImage2D)                 \
  X(PFNGLTEXPARAMETERIPROC, TexParameteri)           \
  X(PFNGLUNIFORM1FPROC, Uniform1f)                   \
  X(PFNGLUNIFORM1IPROC, Uniform1i)                   \
  X(PFNGLUNIFORM2FPROC, Uniform2f)                   \
  X(PFNGLUNIFORM2IPROC, Uniform2i)                   \
  X(PFNGLUNIFORM4FPROC, Uniform4f)                   \
  X(PFNGLUNIFORMMATRIX3FVPROC, UniformMatrix3fv)     \
  X(PFNGLUNIFORMMATRIX4FVPROC, UniformMatrix4fv)     \
  X(PFNGLUSEPROGRAMPROC, UseProgram)                 \
  X(PFNGLVIEWPORTPROC, Viewport)

struct GlApi {
#define ATTNSCOPE_GL_MEMBER(type, name) type name = nullptr;
  ATTNSCOPE_GL_FUNCTIONS(ATTNSCOPE_GL_MEMBER)
#undef ATTNSCOPE_GL_MEMBER
};

// Resolves every function with `find` ("glClear" …) in the current context. Returns the name of the
// first missing one, or null when all are present.
using GlLookup = void (*(*)(const char* name))();
inline const char* load_gl(GlApi& gl, GlLookup find) {
#define ATTNSCOPE_GL_LOAD(type, name)                 \
  gl.name = reinterpret_cast<type>(find("gl" #name)); \
  if (gl.name == nullptr) return "gl" #name;
  ATTNSCOPE_GL_FUNCTIONS(ATTNSCOPE_GL_LOAD)
#undef ATTNSCOPE_GL_LOAD
  return nullptr;
}

// ---

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
  void use(const Call& call);
  void see();
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
