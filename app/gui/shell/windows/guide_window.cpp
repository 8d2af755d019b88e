// Guide window: draws the visible part of the guide.
#include <algorithm>
#include <cmath>

#include "base/embedded_assets.h"
#include "figure/letters.h"
#include "gui/panels/controls/controls.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Sizes in units.
constexpr float kHeadingsWidth = 210.0F, kMinWithHeadings = 620.0F;
constexpr float kMaxTextWidth = 820.0F;  // longer lines are hard to read
constexpr double kGuideSize = 13.5;
constexpr double kJumpPadding = 3.0;  // above the target of a jump

void search_anew(GuideView& view) {
  view.found.clear();
  view.found_for = view.search;
  const std::string wanted = folded(view.search);
  if (wanted.empty()) return;
  for (std::size_t i = 0; i < view.folded.size(); ++i) {
    if (view.folded[i].find(wanted) != std::string::npos) view.found.push_back(i);
  }
}

void jump_to(GuideView& view, std::size_t item) {
  view.scroll_to = std::max(0.0, view.text.items[item].top - kJumpPadding);
}

// Steps through the matches, wrapping around.
void step_match(GuideView& view, int by) {
  if (view.found.empty()) return;
  const std::size_t count = view.found.size();
  view.match = (view.match + (by > 0 ? 1 : count - 1)) % count;
  jump_to(view, view.found[view.match]);
}

// Index of the item at height y.
std::size_t item_at(const PlacedText& text, double y) {
  const auto after = std::ranges::upper_bound(text.items, y, {}, &PlacedItem::top);
  return after == text.items.begin() ? 0 : static_cast<std::size_t>(after - text.items.begin()) - 1;
}

void place(GuideView& view, double width) {
  if (view.blocks.empty()) view.blocks = parse_markdown(asset_named("GUIDE.md"));
  if (view.width == width) return;
  view.width = width;
  view.text = placed_text(pango_metrics(), view.blocks, kGuideSize, width);
  view.folded.clear();
  for (const PlacedItem& item : view.text.items) view.folded.push_back(folded(item.text));
  search_anew(view);
}

void follow_link(GuideView& view, const std::string& target) {
  const std::vector<PlacedItem>& items = view.text.items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool heading = items[i].kind == BlockKind::Heading;
    if (heading && anchor_of(items[i].text) == anchor_in(target)) return jump_to(view, i);
  }
}

void link(Ui& ui, GuideView& view, const PlacedRun& run, ImVec2 at, float height_px) {
  ImGui::SetCursorScreenPos(at);
  const std::string name = "guide/link/" + run.target;
  const ImVec2 size(ui.px(static_cast<float>(run.width)), height_px);
  ImGui::PushID(&run);  // a link may continue on the next line
  if (drawn_button(ui, name, size, run.text).pressed) follow_link(view, run.target);
  ImGui::PopID();
  tooltip(ui, "Goes to that part of the guide");
  const float y = at.y + height_px - ui.px(2);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + size.x, y),
                                      to_imgui(ui.colors().accent), ui.line_px(1));
}

// Background of code, table rows and matches.
void draw_item_background(const Ui& ui, const GuideView& view, std::size_t index, ImVec2 min,
                          ImVec2 max) {
  const UiColors& colors = ui.colors();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const PlacedItem& item = view.text.items[index];
  const float side = ui.px(6);
  if (item.kind == BlockKind::Code) list.AddRectFilled(min, max, to_imgui(colors.field));
  const auto found = std::ranges::lower_bound(view.found, index);
  if (found != view.found.end() && *found == index) {
    const bool is_current = view.found[view.match] == index;
    const Color mark = mix(colors.panel, colors.accent, is_current ? 0.35 : 0.15);
    list.AddRectFilled(ImVec2(min.x - side, min.y), ImVec2(max.x, max.y), to_imgui(mark), ui.px(3));
  }
  if (item.kind != BlockKind::Table) return;
  const float thick = ui.line_px(1);
  list.AddLine(ImVec2(min.x, max.y), max, to_imgui(item.is_header ? colors.muted : colors.border),
               thick);
}

void draw_item(Ui& ui, GuideView& view, std::size_t index, ImVec2 origin) {
  const PlacedItem& item = view.text.items[index];
  const ImVec2 min(origin.x, std::round(origin.y + ui.px(static_cast<float>(item.top))));
  const ImVec2 max(origin.x + ui.px(static_cast<float>(view.width)),
                   min.y + ui.px(static_cast<float>(item.height)));
  draw_item_background(ui, view, index, min, max);
  const float words = ui.px(static_cast<float>(item.line_height));
  std::size_t lines = 1;
  for (const PlacedCell& cell : item.cells) lines = std::max(lines, cell.lines.size());
  const float padding = (max.y - min.y - words * static_cast<float>(lines)) / 2;
  for (const PlacedCell& cell : item.cells) {
    draw_cell(ui, item, cell, ImVec2(min.x, min.y + padding),
              [&](const PlacedRun& run, ImVec2 at) { link(ui, view, run, at, words); });
  }
  draw_bullet(ui, item, min);
  ui.mark_rect("guide/item/" + std::to_string(index), min, max, item.text);
}

// Keeps the top item in place when the width changes.
void fit_to_space(const Ui& ui, GuideView& view, float space_px) {
  const double before = static_cast<double>(ImGui::GetScrollY() / ui.scale);
  const std::size_t top = view.text.items.empty() ? 0 : item_at(view.text, before);
  const double width =
      std::floor(static_cast<double>(std::min(space_px / ui.scale, kMaxTextWidth)));
  const bool again = view.width > 0.0 && width != view.width;
  place(view, width);
  if (again && !view.scroll_to) jump_to(view, top);
}

void draw_in_view(Ui& ui, GuideView& view, ImVec2 origin) {
  const double seen = static_cast<double>(ImGui::GetScrollY() / ui.scale);
  const double height = static_cast<double>(ImGui::GetWindowHeight() / ui.scale);
  for (std::size_t i = item_at(view.text, seen); i < view.text.items.size(); ++i) {
    if (view.text.items[i].top > seen + height) break;
    draw_item(ui, view, i, origin);
  }
}

void text_part(Ui& ui, GuideView& view) {
  fit_to_space(ui, view, ImGui::GetContentRegionAvail().x - ui.px(14));
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  ImGui::Dummy(ImVec2(1.0F, ui.px(static_cast<float>(view.text.height))));
  const ImVec2 end = ImGui::GetCursorPos();
  const float by = scrolled_by_keys(ui.px(40), ImGui::GetWindowHeight() * 0.9F);
  if (by != 0.0F) {
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
  }
  if (const auto y = std::exchange(view.scroll_to, std::nullopt)) {
    ImGui::SetScrollY(ui.px(static_cast<float>(*y)));
  }
  draw_in_view(ui, view, ImVec2(begin.x + ui.px(8), begin.y));
  ImGui::SetCursorPos(end);
  if (view.scroll_to) ui.redraw_within(0.0);
}

std::size_t current_heading(const GuideView& view, double scroll) {
  std::size_t present = 0;
  const std::vector<PlacedItem>& items = view.text.items;
  for (std::size_t i = 0; i < items.size() && items[i].top <= scroll + 5 * kJumpPadding; ++i) {
    if (items[i].kind == BlockKind::Heading) present = i;
  }
  return present;
}

void heading_row(Ui& ui, GuideView& view, std::size_t item, std::size_t number, bool present) {
  const PlacedItem& heading = view.text.items[item];
  const std::string name = "guide/heading/" + std::to_string(number);
  const auto indent = static_cast<float>(6 + 12 * (heading.level - 1));
  const ListRow row{heading.text, "Goes to this part of the guide", present, true, indent, 6.0F};
  if (list_row(ui, name, heading.text, row)) jump_to(view, item);
}

void headings(Ui& ui, GuideView& view, double scroll) {
  const std::size_t present = current_heading(view, scroll);
  std::size_t number = 0;
  for (std::size_t i = 0; i < view.text.items.size(); ++i) {
    if (view.text.items[i].kind != BlockKind::Heading) continue;
    heading_row(ui, view, i, number++, i == present);
  }
}

std::string found_text(const GuideView& view) {
  if (view.search.empty()) return "";
  if (view.found.empty()) return "Not found";
  return std::to_string(view.match + 1) + " of " + std::to_string(view.found.size());
}

void match_buttons(Ui& ui, GuideView& view) {
  const int by = match_arrows(ui, "guide", !view.found.empty(), "Enter");
  if (by != 0) step_match(view, by);
  ImGui::SameLine();
  const std::string text = found_text(view);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_in_row(ui, text, at, ImGui::GetFrameHeight(), ui.colors().muted);
  ImGui::Dummy(ImVec2(ui.px(84), ImGui::GetFrameHeight()));
  if (ui.probe != nullptr) ui.probe->record("guide/found", text);
}

// Returns whether the window is to close.
bool search_row(Ui& ui, GuideView& view, bool appearing) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float others =
      button_width(ui, "Close") + 2 * ImGui::GetFrameHeight() + ui.px(84) + 4 * gap;
  if (appearing) ImGui::SetKeyboardFocusHere();
  const TextInputResult typed =
      line_field(ui, "guide/search", view.search, "Search the guide",
                 "Words to find in the guide; Enter goes to the next match", -others);
  const bool is_same = view.search == view.found_for;
  if (!is_same) {
    search_anew(view);
    view.match = 0;
    if (!view.found.empty()) jump_to(view, view.found.front());
  }
  if (typed.entered) ImGui::SetKeyboardFocusHere(-1);
  if (typed.entered && is_same) step_match(view, ImGui::GetIO().KeyShift ? -1 : 1);
  match_buttons(ui, view);
  ImGui::SameLine();
  return is_closed(ui, "guide") || typed.cancelled;
}

// The text is drawn first, because the headings need its scroll position.
bool contents(Ui& ui, GuideView& view, bool appearing) {
  const bool closes = search_row(ui, view, appearing);
  ImGui::Spacing();
  const float space = ImGui::GetContentRegionAvail().x;
  const bool with_headings = space >= ui.px(kMinWithHeadings);
  const ImVec2 at = ImGui::GetCursorPos();
  if (with_headings) ImGui::SetCursorPosX(at.x + ui.px(kHeadingsWidth) + ui.px(14));
  ImGui::BeginChild("guide/text");
  text_part(ui, view);
  const double scroll = static_cast<double>(ImGui::GetScrollY() / ui.scale);
  ImGui::EndChild();
  if (!with_headings) return closes;
  ImGui::SetCursorPos(at);
  ImGui::BeginChild("guide/headings", ImVec2(ui.px(kHeadingsWidth), 0.0F));
  headings(ui, view, scroll);
  ImGui::EndChild();
  return closes;
}

}  // namespace

void guide_window(Ui& ui, const AppState& state, GuideView& view) {
  if (state.overlay != Overlay::Guide) return;
  const bool appearing = begin_overlay(ui, {"guide", "Guide", ImVec2(1100, 760)});
  if (appearing) view.search.clear();
  const bool closes = contents(ui, view, appearing);
  ui.mark("guide");
  ImGui::End();
  if (closes) ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
