// Menu of plots in the bar of a pane: in groups, each with a small picture and a line of words.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "figure/colormap.h"
#include "gui/panels/pane/pane.h"

namespace attn::gui {
namespace {

constexpr float kPixel = 4.0F, kRowWidth = 186.0F, kRowHeight = 38.0F, kPad = 5.0F;  // units
constexpr std::size_t kPictureWidth = 9, kPictureHeight = 7;                         // in pixels

// `picture` has a sign a pixel, a row after the other: digits for colours of weights from 0 to 9,
// q, k and v for those roles, o for the accent, r and b for differences, g for ink.
struct MenuPlot {
  std::string_view plot, brief, picture;
};
struct MenuGroup {
  std::string_view title;
  bool begins_column;
  std::vector<MenuPlot> plots;
};

const std::vector<MenuGroup>& menu_groups() {
  static const std::vector<MenuGroup> kGroups = {
      {"One matrix",
       true,
       {{"heatmap", "numbers as colours",
         "932101213392101123139301212213930121121393012112139301321013931"},
        {"links", "lines between tokens",
         "q.......k.gg...gg....ggg...q.......k..gg.gg...g..g..g.q.......k"},
        {"text", "words tinted", "ooo.gg.gg.........gg.oooo.g.........g.gg.ooo..........gg.g....."},
        {"distribution", "how numbers spread",
         "....g.......gg.......ggg.....gggg.....ggggg...gggggg..ggggggggg"},
        {"distances", "weight by distance",
         "o........o........oo.......oo.......ooo......ooooo....ooooooooo"}}},
      {"Compare",
       false,
       {{"difference", "A minus B",
         "rrb..b.b.brr.b..b..brrb.b...bb.rrb..b.b.brrb.b...b.rr.b.b.b..rr"},
        {"compare", "scoring functions",
         "99.84.63.01.12.23.10.21.32..........90.81.72.09.18.27.90.81.72."},
        {"alignment", "decoder, step by step",
         "991111111199111111119911111111999111111119911111111991111111199"}}},
      {"All heads",
       true,
       {{"heads", "each a small map",
         "92.19.90.29.91.09..........19.93.29.91.39.92..........29.90.91."},
        {"token", "its row in every head",
         "390129310.........931203912.........203913029.........139203190"},
        {"atlas", "without each head",
         ".93.71.oo..51.9.o....3.2.o.....84.oo.....1.o.......7o........o."},
        {"measures", "entropy, habits",
         "qqqqqqq...........qqqq..............qqqqqqqq..........qqq......"},
        {"derived", "rollout, flow, mean",
         "555......5555.....55777.....57777.....77999.....7999......999.."}}},
      {"One number",
       false,
       {{"why", "where it comes from",
         "qq.....kkqq..g..kk....g......ggggg......g.......999......999..."},
        {"flow", "its sum, step by step",
         "oo.......oooo.....oooooo...oooooooo.oooooo...oooo.....oo......."}}},
      {"The next word",
       false,
       {{"next", "the likeliest tokens",
         "ooooooooo.........oooo..............oo................o........"},
        {"lens", "after each layer",
         "11.12.21..........12.23.31..........35.46.52..........89.79.98."}}},
      {"Background",
       true,
       {{"dimensions", "shape of each tensor",
         "qqq..kkkkqqq..kkkkqqq......qqq..vvv......vvv......vvv.........."},
        {"sharpness", "why divide by √d_k",
         "......ooo.....o.......oo.......o.......oo......o......ooo......"},
        {"cost", "time and memory",
         "........o.......oo......o.......ooq....ooqqqqooqqq....qqq......"},
        {"positions", "encodings",
         ".qq......q..q.....q...q........q...q.....q..q......qqq........."}}}};
  return kGroups;
}

Color pixel_color(const UiColors& colors, char sign) {
  if (sign >= '0' && sign <= '9') {
    return colormap_named("viridis")->colors[static_cast<std::size_t>(sign - '0') * 28];
  }
  switch (sign) {
    case 'q':
      return colors.query;
    case 'k':
      return colors.key;
    case 'v':
      return colors.value;
    case 'o':
      return colors.accent;
    case 'r':
      return {214, 96, 77};
    case 'b':
      return {67, 147, 195};
    default:
      return colors.muted;
  }
}

void draw_picture(const Ui& ui, std::string_view picture, ImVec2 at, std::uint8_t alpha) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float pixel = std::max(1.0F, std::floor(ui.px(kPixel)));
  for (std::size_t i = 0; i < std::min(picture.size(), kPictureWidth * kPictureHeight); ++i) {
    if (picture[i] == '.') continue;
    const ImVec2 min = at + ImVec2(pixel * static_cast<float>(i % kPictureWidth),
                                   pixel * static_cast<float>(i / kPictureWidth));
    const Color color = with_alpha(pixel_color(ui.colors(), picture[i]), alpha);
    draw.AddRectFilled(min, min + ImVec2(pixel, pixel), to_imgui(color));
  }
}

// Returns whether it was chosen. Without effect, `reason` says why.
bool plot_row(Ui& ui, const MenuPlot& row, const PlotEntry& plot, bool selected,
              const std::string& reason) {
  const std::string name = "plot/tab/" + std::string(plot.label);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool chosen = ImGui::Selectable(item_label("", name).c_str(), selected,
                                        ImGuiSelectableFlags_None, ui.px(kRowWidth, kRowHeight));
  ui.mark(name, selected ? "on" : "");
  tooltip(ui, reason.empty() ? plot.help : std::string_view(reason), {}, !reason.empty());
  if (selected) ImGui::SetItemDefaultFocus();
  const bool has_something = reason.empty();
  draw_picture(ui, row.picture, at + ui.px(kPad, kPad), has_something ? 255 : 90);
  const ImVec2 words = at + ui.px(kPad + kPixel * kPictureWidth + 2 * kPad, 1);
  const UiColors& colors = ui.colors();
  ui.draw_text(typeset(ui.text(Wording::Label, plot.label)), words,
               has_something ? colors.text : colors.muted);
  ui.draw_text(typeset(ui.text(Wording::Fragment, row.brief)),
               words + ImVec2(0, ImGui::GetTextLineHeight() + ui.px(1)), colors.muted);
  return chosen;
}

}  // namespace

std::optional<std::string_view> plot_rows(const PaneScope& scope,
                                          const std::function<std::string(const PlotEntry&)>& why) {
  std::optional<std::string_view> chosen;
  ImGui::BeginGroup();
  for (const MenuGroup& group : menu_groups()) {
    if (group.begins_column && &group != &menu_groups().front()) {
      ImGui::EndGroup();
      ImGui::SameLine(0, scope.ui.px(10));
      ImGui::BeginGroup();
    }
    section_header(scope.ui, group.title);
    for (const MenuPlot& row : group.plots) {
      const PlotEntry& plot = *plot_named(row.plot);
      if (plot_row(scope.ui, row, plot, &plot == &scope.plot, why(plot))) chosen = plot.name;
    }
  }
  ImGui::EndGroup();
  return chosen;
}

}  // namespace attn::gui
