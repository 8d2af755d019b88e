// The saved view and panes of a text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/rows.h"
#include "view/layout.h"

namespace attn {

// The plot, and options by the fields of plots. An unknown name in a field whose values grow from
// version to version (a colour map) becomes a note, other values are refused.
bool read_view(JsonValue json, View& view);
void write_view(const TextWriter& to, const View& view);
inline constexpr auto kViewForm = form_of<View, read_view, write_view>({.one_of = "view"});

// A tree of panes: {"view": …} or {"split": "right", "parts": […]}, with shares. Panes are numbered
// as they are read.
struct PaneText;  // a pane or a split
extern const ObjectOf<PaneText> kPaneObject;
bool read_layout(JsonValue json, Panes& panes);
void write_layout(const TextWriter& to, const Panes& panes);
inline constexpr auto kLayoutForm =
    form_of<Panes, read_layout, write_layout>({.one_of = "object", .object = &kPaneObject});

// A tree of panes as in documents: one object.
std::string panes_text(const Panes& panes);
// Panes are numbered in order; unknown values become defaults. Nothing if the text is not such an
// object.
std::optional<Panes> parse_panes(std::string_view text);

// The only pane, as a view, which every version of the format reads; else null.
const View* only_view(const Panes& panes);

}  // namespace attn
