# Every library we use: the system's copy first; where a system has none, a release pinned by its hash.

include(FetchContent)
find_package(PkgConfig REQUIRED)

# attnscope_find_or_fetch(<package> <minimum version> <url> <sha256>)
macro(attnscope_find_or_fetch package version url hash)
  find_package(${package} ${version} QUIET)
  if(NOT ${package}_FOUND)
    message(STATUS "${package} ${version} is not installed: fetching ${url}")
    FetchContent_Declare(${package} URL ${url} URL_HASH SHA256=${hash} SYSTEM)
    FetchContent_MakeAvailable(${package})
  endif()
endmacro()

include(AttnScopeFallbacks)

pkg_check_modules(PANGOCAIRO REQUIRED IMPORTED_TARGET pangocairo pangoft2 fontconfig)
find_package(ZLIB REQUIRED)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(MD4C REQUIRED IMPORTED_TARGET md4c)
pkg_check_modules(HIGHWAY REQUIRED IMPORTED_TARGET libhwy)
# From 10.40 on patterns tell a script from the characters that are used with it.
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8>=10.40)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
# Debian's file gives users a definition that only the library itself is built with.
set_target_properties(PkgConfig::UTF8PROC PROPERTIES INTERFACE_COMPILE_OPTIONS "")

# Dear ImGui: distributions ship a static archive without a CMake configuration, and their pkg-config
# file names neither GLFW nor OpenGL, so the targets are made here. Settings of imconfig.h are part of
# the archive's ABI and stay untouched.
if(ATTNSCOPE_GUI)
  find_package(OpenGL REQUIRED COMPONENTS OpenGL)
  find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui)
  find_library(IMGUI_LIBRARY imgui)
  find_library(STB_LIBRARY stb)
  if(IMGUI_INCLUDE_DIR AND IMGUI_LIBRARY)
    add_library(imgui::imgui STATIC IMPORTED)
    set_target_properties(imgui::imgui PROPERTIES
      IMPORTED_LOCATION ${IMGUI_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${IMGUI_INCLUDE_DIR}
      INTERFACE_LINK_LIBRARIES "$<$<BOOL:${STB_LIBRARY}>:${STB_LIBRARY}>")
    add_library(imgui::backends INTERFACE IMPORTED)
    target_link_libraries(imgui::backends INTERFACE imgui::imgui glfw OpenGL::GL ${CMAKE_DL_LIBS})
  else()
    attnscope_fetch_imgui()
  endif()
endif()
