// Filled polygons that need not be convex, for ImGui's draw lists.
#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace attn::gui {

// Cuts a simple polygon into triangles of corner indices (ear clipping); none for fewer than three
// corners. Of a polygon that crosses itself, what can be cut.
std::vector<std::array<std::size_t, 3>> triangulated(std::span<const ImVec2> corners);

// Convex polygons with smooth edges; others as triangles with a smooth outline.
void fill_polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 color);

}  // namespace attn::gui
