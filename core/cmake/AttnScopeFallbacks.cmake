# Libraries that are fetched, by name and hash, only where the system has none. The versions are those
# that Debian 12 ships, so both ways build the same program.

set(EIGEN_BUILD_DOC OFF)
set(BUILD_TESTING OFF)
set(JSON_BuildTests OFF)
set(CLI11_BUILD_TESTS OFF)
set(CLI11_BUILD_EXAMPLES OFF)
set(GLFW_BUILD_TESTS OFF)
set(GLFW_BUILD_EXAMPLES OFF)
set(GLFW_BUILD_DOCS OFF)
set(GLFW_INSTALL OFF)

attnscope_find_or_fetch(Eigen3 3.4
  https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.bz2
  b4c198460eba6f28d34894e3a5710998818515104d6e74e5cc331ce31e46e626)
attnscope_find_or_fetch(nlohmann_json 3.11
  https://github.com/nlohmann/json/releases/download/v3.11.2/json.tar.xz
  8c4b26bf4b422252e13f332bc5e388ec0ab5c3443d24399acb675e68278d341f)
attnscope_find_or_fetch(CLI11 2.1
  https://github.com/CLIUtils/CLI11/archive/v2.1.2.tar.gz
  26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb)
if(ATTNSCOPE_GUI)
  attnscope_find_or_fetch(glfw3 3.3
    https://github.com/glfw/glfw/archive/3.3.8.tar.gz
    f30f42e05f11e5fc62483e513b0488d5bceeab7d9c5da0ffe2252ad81816c713)
endif()

# Dear ImGui has no build system of its own: the same two targets as for the system's copy.
function(attnscope_fetch_imgui)
  set(url https://github.com/ocornut/imgui/archive/v1.86.tar.gz)
  message(STATUS "Dear ImGui is not installed: fetching ${url}")
  FetchContent_Declare(imgui URL ${url}
    URL_HASH SHA256=6ba6ae8425a19bc52c5e067702c48b70e4403cd339cba02073a462730a63e825)
  FetchContent_MakeAvailable(imgui)
  add_library(attnscope_imgui STATIC
    ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp
    ${imgui_SOURCE_DIR}/imgui_tables.cpp ${imgui_SOURCE_DIR}/imgui_widgets.cpp
    ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp)
  target_include_directories(attnscope_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR}
                             ${imgui_SOURCE_DIR}/misc/cpp)
  add_library(imgui::imgui ALIAS attnscope_imgui)
  add_library(attnscope_imgui_backends STATIC
    ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
    ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
  target_link_libraries(attnscope_imgui_backends
    PUBLIC attnscope_imgui glfw OpenGL::GL ${CMAKE_DL_LIBS})
  add_library(imgui::backends ALIAS attnscope_imgui_backends)
endfunction()
