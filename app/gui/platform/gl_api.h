// The OpenGL functions that this program calls directly, resolved at run time.
#pragma once

#include <GL/glcorearb.h>

namespace attn::gui {

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

}  // namespace attn::gui
