// Tree of panes, and the canvas of each, equal for every plot.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/load/open.h"
#include "engine/measures.h"
#include "figure/text.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/pane/pane.h"
#include "gui/panels/pane/zoom.h"
#include "gui/panels/rules/rules.h"
#include "gui/ui/style.h"
#include "plot/kit/marks.h"
#include "plot/kit/names.h"

namespace attn::gui {
namespace {

constexpr float kAside = 16.0F, kBelow = 18.0F, kTagPadding = 6.0F, kTagGap = 7.0F;  // units

// Text of a tag at a drawn cell: its number, or that a rule hides it; pooled cells have no number
// of their own.
using TagWords = std::pair<std::string, std::string>;  // "“it” → “animal”", "0.617" or empty

// Number drawn at the cell: its own, or that of all cells in a pixel.
std::string drawn_number(const MatrixItem& matrix, const CellHit& cell, Pooling pooling) {
  const MatrixCells& cells = *matrix.cells;
  if (cell.row < matrix.first_row || cell.col < matrix.first_col) return "";
  const std::size_t row = (cell.row - matrix.first_row) / matrix.row_step;
  const std::size_t col = (cell.col - matrix.first_col) / matrix.col_step;
  if (row >= cells.rows || col >= cells.cols || cells.values.empty()) return "";
  const std::size_t index = row * cells.cols + col;
  const bool is_hidden = !cells.hidden.empty() && cells.hidden[index] != kVisible;
  const auto value = static_cast<double>(cells.values[index]);
  std::string number = is_hidden ? "hidden" : with_minus(short_text(value));
  if (matrix.row_step == 1 && matrix.col_step == 1) return number;
  if (!is_hidden && std::isnan(value)) return "";  // not read yet
  const std::size_t rows =
      std::min(matrix.row_step, matrix.row_count - matrix.first_row - row * matrix.row_step);
  const std::size_t cols =
      std::min(matrix.col_step, matrix.col_count - matrix.first_col - col * matrix.col_step);
  const std::string_view which = is_hidden                     ? "all "
                                 : pooling == Pooling::Maximum ? "largest "
                                                               : "mean ";
  return std::string(which) + number + " of " + std::to_string(rows) + " × " +
         std::to_string(cols) + " cells";
}

std::string distinct_token(const Document& document, Side side, const HeadAddress& at,
                           std::size_t index) {
  return quoted_token(document, side, at, index) + number_if_repeated(document, side, at, index);
}

// Name of a row: a token, or the number of a position.
std::string row_name(const PlotInput& shown, const CellHit& cell) {
  const std::optional<Side> side = row_side(cell.matrix);
  if (!side) return std::to_string(cell.row);
  return distinct_token(shown.document, *side, cell.matrix.head, cell.row);
}

// Name of a column: a token, or the name or number of a feature.
std::string column_name(const PlotInput& shown, const CellHit& cell) {
  const std::optional<Side> side = column_side(cell.matrix);
  if (side) return distinct_token(shown.document, *side, cell.matrix.head, cell.col);
  const Extent columns = stage_info(cell.matrix.stage).columns;
  const AttentionShape shape = shown.result.shape(cell.matrix.head);
  return quoted_feature(shown.document, feature_columns(shape, columns), cell.col);
}

// Number of a cell without a matrix of its own in the figure, where it is in memory.
std::string computed_number(const AttentionResult& result, const CellHit& cell) {
  const auto& [stage, head, making] = cell.matrix;
  if (!is_computed(cell.matrix) || !is_materialised(result, stage, head)) return "";
  return with_minus(short_text(static_cast<double>(result.value(stage, head, cell.row, cell.col))));
}

TagWords tag_words(const PaneScope& scope, const Figure& figure, const CellHit& cell) {
  const MatrixItem* matrix = item_of(figure, cell.matrix);
  const LookedAt shown = scope.looked_at();
  return {row_name(shown.input, cell) + (column_side(cell.matrix) ? " → " : ", ") +
              column_name(shown.input, cell),
          matrix == nullptr ? computed_number(shown.input.result, cell)
                            : drawn_number(*matrix, cell, scope.options().pooling)};
}

// Tag of a token at the edge of a plot: its name and position.
TagWords tag_words(const PaneScope& scope, const TokenHit& token) {
  const LookedAt shown = scope.looked_at();
  const Document& document = shown.input.document;
  const HeadAddress at = scope.options().at.moved_to(0, token.sample, 0);
  const std::size_t count = tokens_of(document, token.side, at).size();
  const bool has_name = tokens_of(document, token.side, at).name_of(token.index) != nullptr;
  const std::string side = token.side == Side::Query ? "query " : "key ";
  return {
      spelled_token(document, token.side, at, token.index),
      (has_name ? side + grouped_text(token.index + 1) + " " : "") + "of " + grouped_text(count)};
}

void draw_tag(Ui& ui, const TagWords& words, ImVec2 pointer) {
  const auto& [name, number] = words;
  const UiColors& colors = ui.colors();
  const FontStyle &plain = kLabelFont, bold{kLabelSize, true};
  const ImVec2 name_px = ui.line_size(name, plain);
  const ImVec2 number_px = number.empty() ? ImVec2(0, 0) : ui.line_size(number, bold);
  const float pad = ui.px(kTagPadding), gap = number.empty() ? 0.0F : ui.px(kTagGap);
  const ImVec2 size(name_px.x + gap + number_px.x + 2 * pad,
                    std::max(name_px.y, number_px.y) + pad);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImVec2 at = pointer + ui.px(kAside, kBelow);
  if (at.x + size.x > screen.x) at.x = pointer.x - ui.px(kAside) - size.x;
  if (at.y + size.y > screen.y) at.y = pointer.y - ui.px(kBelow) - size.y;
  const ImVec2 end = at + size;
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddRectFilled(at, end, to_imgui(colors.field), ui.px(4));
  draw.AddRect(at, end, to_imgui(colors.accent), ui.px(4), 0, ui.line_px(1));
  const ImVec2 text = at + ImVec2(pad, pad / 2);
  ui.labels.draw_line(draw, name, text, plain, colors.text, ui.scale);
  ui.labels.draw_line(draw, number, text + ImVec2(name_px.x + gap, 0), bold, colors.text, ui.scale);
  ui.mark_rect("plot/tag", at, end, name + " " + number);
}

// Overview of a whole matrix: a click or a drag in it pans the viewport. Returns true while it is
// held; other handlers then ignore the pointer.

bool overview_events(const PaneScope& scope, const CanvasEvents& events) {
  std::optional<OverviewHit>& held = scope.view.overview;
  const auto* hit = std::get_if<OverviewHit>(&events.under_pointer);
  if (hit != nullptr && events.pressed) {
    held = *hit;
    scope.view.drag_gesture = scope.ui.new_gesture();
  }
  if (!held) return false;
  const CellWindow next = brought_into_view(scope.options().window, *held, events.pointer);
  if (events.pressed || events.dragging) {
    scope.ui.send(command::SetWindow{next, scope.view.drag_gesture});
  }
  if (events.released) held.reset();
  return true;
}

constexpr double kPlotFontSize = 12.5;  // its notes, 1.5 smaller, have 11
// Larger panes have larger text, by the square root of their size.
constexpr double kUsualWidth = 760.0, kUsualHeight = 640.0, kMaxGrowth = 1.5;
constexpr double kShortCanvas = 380.0, kNarrowCanvas = 400.0;

double font_size_in(double width, double height) {
  const double space = std::min(width / kUsualWidth, height / kUsualHeight);
  const double growth = std::clamp(std::sqrt(space), 1.0, kMaxGrowth);
  return std::round(2.0 * kPlotFontSize * growth) / 2.0;
}

// The pane's options for this screen: size and theme are the window's; exported files have their
// own.
PlotOptions canvas_options(const PaneScope& scope, ImVec2 size_px) {
  const Ui& ui = scope.ui;
  PlotOptions options = plot_options(scope.state, scope.pane);
  options.theme = ui.theme;
  options.width = std::floor(size_px.x / ui.scale);
  options.height = std::floor(size_px.y / ui.scale);
  options.font_size = font_size_in(options.width, options.height);
  options.font.clear();
  constexpr double kLowestWithNotes = 18.0;  // font sizes; below, maps need the height more
  if (options.height < kLowestWithNotes * options.font_size) options.notes = false;
  options.line_words = false;  // shown by the inspector
  options.shares_cells = true;
  options.axes = options.color_bar = true;  // always shown in the window
  const bool is_small = options.height < kShortCanvas || options.width < kNarrowCanvas;
  if (is_small) options.title = kNoTitle;  // the tab shows it
  options.pixel_budget = static_cast<std::size_t>(std::max({size_px.x, size_px.y, 256.0F}));
  return options;
}

void no_figure(const PaneScope& scope) {
  const auto& error = scope.state.result_error;
  if (error) return problem_text(scope.ui, describe(*error), "plot/problem");
  empty_hint(scope.ui, "Computing…", "plot/computing");
}

// Label and command of actions after which a plot has something to show.
using Remedies = std::vector<std::pair<std::string, Command>>;

Remedies remedies_for(const PaneScope& scope) {
  constexpr std::pair<std::string_view, std::string_view> kExamples[] = {
      {"positions", "sinusoidal-positions"},
      {"alignment", "encoder-decoder"},
      {"compare", "i-love-cats"},
      {"cost", "cost-of-attention"},
      {"distances", "four-heads"},
      {"derived", "rollout"},
      {"difference", "four-heads"}};
  const std::string plot(scope.plot.name);
  const Model& model = scope.state.document.model;
  const std::span<const AttentionInfo> attentions = attentions_of(scope.state.document);
  Remedies all;
  if (attentions.size() > 1 && !keys_are_queries(scope.state.document, scope.options().at)) {
    const AttentionInfo& own = attentions[attentions.size() - 2];
    all.emplace_back("Show the " + in_small_letters(own.label),
                     command::SetOption{"attention", std::string(own.name), scope.pane.id});
  } else if (plot == "positions" && has_scores(model)) {
    const bool is_added = shown_shape(scope.state).d_model > 0;  // to embeddings
    const auto kind = std::ranges::find(all_position_kinds(), is_added ? "sinusoidal" : "rope",
                                        &PositionKindInfo::name);
    all.emplace_back(is_added ? "Add sinusoidal positions" : "Add rotary positions",
                     command::SetPosition{usual_position(kind->kind)});
  } else if (plot == "derived") {
    all.emplace_back("Show the mean of the heads",
                     command::SetOption{"matrix", "head_mean", scope.pane.id});
  } else if (plot == "difference" && scope.state.reference == nullptr) {
    all.emplace_back("Keep as reference", command::KeepReference{});
  }
  for (const auto& [name, shown] : kExamples) {
    if (name != plot) continue;
    const auto example = std::ranges::find(all_examples(), shown, &Example::name);
    all.emplace_back("Open the example “" + example->title + "”",
                     command::Open{example_path(*example), false, false, plot});
  }
  return all;
}

// Probe names: "plot/remedy/Add sinusoidal positions".
void remedy_buttons(const PaneScope& scope) {
  Flow flow;
  for (const auto& [label, command] : remedies_for(scope)) {
    flow.next(button_width(scope.ui, label));
    button(scope.ui, "plot/remedy/" + label, label,
           {.tooltip = "Gives this plot something to show", .sends = command});
  }
}

// The figure to show; null after showing why there is none.
const Figure* shown_figure(const PaneScope& scope, const PlotOptions& options) {
  const Result<Figure>* drawn =
      scope.view.figure.figure(scope.state, scope.plot, options, pango_metrics());
  if (drawn == nullptr || scope.state.result_error) {
    no_figure(scope);
    return nullptr;
  }
  if (drawn->ok()) return &drawn->value();
  const Error& refusal = drawn->error();
  std::string reason = refusal.message;
  if (!refusal.file.empty()) reason += " (" + refusal.file + ")";
  if (!refusal.found.empty()) reason += ": " + refusal.found;
  if (!refusal.hint.empty()) reason += "; " + refusal.hint;
  reason = as_sentence(std::move(reason));
  empty_hint(scope.ui, reason, "plot/refused");
  if (refusal.kind == ErrorKind::Usage) remedy_buttons(scope);
  return nullptr;
}

// Tag for a figure of an older state, shown after a delay.
void outdated_tag(const PaneScope& scope, ImVec2 corner) {
  constexpr double kNoticed = 0.3;  // seconds
  Ui& ui = scope.ui;
  PaneView& view = scope.view;
  if (!view.figure.is_outdated()) return view.outdated_since.reset();
  const double now = ImGui::GetTime();
  if (!view.outdated_since) view.outdated_since = now;
  if (now - *view.outdated_since < kNoticed) return;
  const std::string_view text = ui.text(Wording::Label, "Older numbers; computing…");
  const ImVec2 size = text_size(text);
  const ImVec2 pad = ui.px(6, 3);
  const ImVec2 end(corner.x + size.x + 2 * pad.x, corner.y + size.y + 2 * pad.y);
  ImGui::GetWindowDrawList()->AddRectFilled(corner, end, to_imgui(ui.colors().accent), ui.px(4));
  ui.draw_text(text, corner + pad, readable_on(ui.colors().accent));
  ui.mark_rect("plot/older", corner, end, text);
}

// Visible part of the scrolled page in figure units; the cursor must be at the figure's corner.
Rect visible_part(const Ui& ui) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), corner = ImGui::GetWindowPos();
  const ImVec2 space = ImGui::GetWindowSize();
  const double scrollbar = ImGui::GetScrollMaxY() > 0.0F ? ImGui::GetStyle().ScrollbarSize : 0.0;
  return {(corner.x - origin.x) / ui.scale, (corner.y - origin.y) / ui.scale,
          (space.x - scrollbar) / ui.scale, space.y / ui.scale};
}

// Space for an overlay: the pane, or the whole window where the pane is low.
Rect overlay_space(const Ui& ui) {
  const Rect pane = visible_part(ui);
  if (pane.height >= kShortCanvas) return pane;
  const ImVec2 origin = ImGui::GetCursorScreenPos(), screen = ImGui::GetIO().DisplaySize;
  return {-origin.x / ui.scale, -origin.y / ui.scale, screen.x / ui.scale, screen.y / ui.scale};
}

// The overlay that the plot draws for the pointer's position.
Figure hover_of(const PaneScope& scope, const Figure& figure, const PlotOptions& options) {
  const bool asked = scope.plot.hover != nullptr && scope.state.result && ImGui::IsWindowHovered();
  if (!asked) return {};
  const ImVec2 at = ImGui::GetMousePos();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float scale = scope.ui.scale;
  const HitId hit = hit_test(figure, {(at.x - origin.x) / scale, (at.y - origin.y) / scale});
  return scope.plot.hover({scope.looked_at().input, options, pango_metrics()}, figure, hit,
                          overlay_space(scope.ui));
}

// Rows and columns of the hovered or else marked token.
Figure marked_tokens(const PaneScope& scope, const Figure& figure) {
  const AppState& state = scope.state;
  const HeadAddress& at = scope.options().at;
  const bool one_sequence = keys_are_queries(state.document, at);
  const std::optional<TokenHit>& token = state.token_hover ? state.token_hover : state.marked_token;
  const bool listed =
      token && (!one_sequence || listed_side(state.document, at, token->side) == token->side);
  return listed ? token_marks(figure, *token, one_sequence, scope.ui.theme) : Figure{};
}

// Tag of the hovered cell while nothing is dragged. Probe: "plot/tab", value of both lines.
void pointer_tag(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  if (!events.hovered || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  if (const auto* reading = std::get_if<ReadingHit>(&events.under_pointer)) {
    draw_tag(scope.ui, {reading->what, reading->number}, ImGui::GetMousePos());
  }
  if (const auto* pair = std::get_if<AtlasHit>(&events.under_pointer)) {
    draw_tag(scope.ui, {pair->what, pair->number}, ImGui::GetMousePos());
  }
  if (!scope.state.result) return;  // the figure is of an older state
  if (const auto* cell = std::get_if<CellHit>(&events.under_pointer)) {
    draw_tag(scope.ui, tag_words(scope, figure, *cell), ImGui::GetMousePos());
  } else if (const auto* token = std::get_if<TokenHit>(&events.under_pointer)) {
    draw_tag(scope.ui, tag_words(scope, *token), ImGui::GetMousePos());
  }
}

// A plot of one matrix fills the pane and is zoomed by the wheel anywhere; other plots are pages,
// which scroll if taller than the pane.
void plot_canvas(const PaneScope& scope) {
  Ui& ui = scope.ui;
  ImVec2 space = ImGui::GetContentRegionAvail();
  // A page is as wide with a scroll bar as without, or the bar would come and go with each frame.
  if (!scope.plot.fills_room) {
    space.x = ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize;
  }
  PlotOptions options = canvas_options(scope, space);
  if (scope.plot.fills_room) {
    options.highlight.reset();
  } else {
    options.pane_height = std::exchange(options.height, 0.0);
  }
  if (scope.chooses_tokens()) {
    // The hovered token, in the figure or in a list: its links are drawn alone.
    options.focus = scope.view.token ? scope.view.token : scope.state.token_hover;
  }
  const bool shows_ends = scope.view.at_bar || scope.view.lit_until > ImGui::GetTime();
  options.at_bar = shows_ends && uses(scope.plot, "range_low");
  options.map_top = scope.view.beside.top;
  options.most_cell = scope.view.beside.cell;
  const std::optional<DrawnEnds> ends = hold_ends(scope, options);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const Figure* figure = shown_figure(scope, options);
  if (figure == nullptr) return void(scope.view.points_at_token = false);
  scope.view.fit = figure->fit;
  keep_ends(scope, *figure, ends);
  const Figure hover = hover_of(scope, *figure, options);
  const Figure tokens = marked_tokens(scope, *figure);
  const std::optional<CellHit> cell = hovered_in(scope.state, scope.pane);
  const Figure marks = cell ? hover_marks(*figure, *cell, ui.theme) : Figure{};
  const Figure rectangle = drawn_rectangle(scope, *figure);
  const Figure lit = lit_ends(scope, *figure);
  const std::array<const Figure*, 5> figures{figure, &tokens, &marks, &rectangle, &lit};
  const ImVec2 page = ui.px(static_cast<float>(figure->width), static_cast<float>(figure->height));
  const std::string name = "plot/" + std::string(scope.plot.name);
  const CanvasEvents events =
      canvas(ui, name.c_str(), figures, scope.plot.fills_room ? space : page);
  const Placement place{ImVec2(std::floor(corner.x), std::floor(corner.y)), ui.scale};
  paint(ui, *ImGui::GetForegroundDrawList(), hover, place);
  const bool is_held =
      range_events(scope, events) || overview_events(scope, events) || gate_events(scope, events);
  pane_events(scope, *figure, events, is_held);
  pointer_tag(scope, *figure, events);
  outdated_tag(scope, corner);
}

constexpr float kFocusLine = 2.0F;
constexpr float kPaneEdge = 5.0F;  // units

// Arguments shared by the parts of the panel.
struct Panes {
  Ui& ui;
  const AppState& state;
  PlotsView& view;
  ImVec2 spacing;  // inside of panes; between them there is none
};

// Opens the context menu of the token whose label the pointer is on, or of the plot.
void request_context(const PaneScope& scope) {
  const bool is_token = scope.view.points_at_token && scope.state.token_hover;
  if (is_token) scope.ui.send(command::MarkToken{scope.state.token_hover});
  scope.ui.request_context(is_token ? ContextKind::Tokens : ContextKind::Plot);
}

// Fills the remaining space. Probe names: "plot/heatmap" (the canvas), "plot/heatmap/cell/ROW,COL",
// "plot/problem", "plot/computing".
void pane_canvas(const PaneScope& scope) {
  ImGui::BeginChild("plot/area", ImVec2(0, 0), false,
                    scope.plot.fills_room
                        ? ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoScrollbar
                        : ImGuiWindowFlags_None);
  plot_canvas(scope);
  const bool asked = ImGui::IsWindowHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right);
  if (asked && !ImGui::IsPopupOpen(kGatesPopup)) request_context(scope);
  ImGui::EndChild();
}

void draw_pane(const Panes& panes, const Pane& pane, ImVec2 size) {
  auto& [ui, state, view, spacing] = panes;
  const bool focused = pane.id == state.focus;
  const PlotEntry* plot = plot_named(pane.view.plot);
  const auto all = panes_of(state.layout);
  // ImGui never forgets a window, so panes reuse a few names.
  const auto place = std::ranges::find(all, pane.id, &Pane::id) - all.begin();
  ImGui::BeginChild(("pane/place/" + std::to_string(place)).c_str(), size, false,
                    ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
  const std::string prefix = focused ? "" : "pane/" + std::to_string(pane.id) + "/";
  if (ui.probe != nullptr) ui.probe->set_prefix(prefix);
  const bool used = ImGui::IsMouseClicked(ImGuiMouseButton_Left) ||
                    ImGui::IsMouseClicked(ImGuiMouseButton_Right) ||
                    ImGui::GetIO().MouseWheel != 0.0F;
  const bool touched = used && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (touched && !focused) ui.send(command::FocusPane{pane.id});
  const bool several = all.size() > 1 && !state.plot_alone;
  if (several && focused) {
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 end(at.x + ImGui::GetWindowWidth(), at.y + ui.line_px(kFocusLine));
    ImGui::GetWindowDrawList()->AddRectFilled(at, end, to_imgui(ui.colors().accent));
  }
  if (several) ImGui::SetCursorPosY(ui.px(kFocusLine + 2.0F));
  if (plot != nullptr) {
    const PaneScope scope{ui, state, pane, *plot, view.panes[pane.id], view.hovering};
    if (!state.plot_alone) pane_bar(scope);
    if (plot->steps != nullptr) player_strip(scope);
    pane_canvas(scope);
  }
  if (ui.probe != nullptr) ui.probe->set_prefix("");
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

// Draws the edge between two parts of a split, which is vertical if `beside`.
void edge(const Panes& panes, const Split& split, std::size_t index, ImVec2 size, float space,
          bool beside) {
  const std::string name = "pane/edge/" + std::to_string(split.id) + "/" + std::to_string(index);
  const float moved = dragged_edge(panes.ui, name, size, beside, 0.5F, "Drag to resize the panes");
  if (moved == 0.0F) return;
  const double by = static_cast<double>(moved / std::max(space, 1.0F));
  panes.ui.send(command::ResizePane{split.id, index, split.parts[index].share + by});
}

void draw_layout(const Panes& panes, const Layout& layout, ImVec2 size);

// Parts that would be narrower than a pane may be are stacked where there is more height.
bool is_beside(const Split& split, ImVec2 size_units) {
  const float least = static_cast<float>(kLeastPane.width) * static_cast<float>(split.parts.size());
  const bool is_narrow = size_units.x < least && size_units.y > size_units.x;
  return split.direction == SplitDirection::Right && !is_narrow;
}

// Makes neighbouring maps begin at one height, with cells of one size where these differ little and
// the whole maps are in view, so that their rows are aligned.
void align_maps(const Panes& panes, const Split& split) {
  constexpr double kMostCellRatio = 2.0;
  std::vector<PaneView*> maps;
  MapFit all{0.0, 1e9};
  double most = 0.0;
  bool are_whole = true;
  for (const Part& part : split.parts) {
    const auto* pane = std::get_if<Pane>(&part.layout);
    PaneView* view = pane != nullptr ? &panes.view.panes[pane->id] : nullptr;
    if (view == nullptr || !view->fit) continue;
    maps.push_back(view);
    are_whole = are_whole && pane->view.options.window == CellWindow{};
    all = {std::max(all.top, view->fit->top), std::min(all.cell, view->fit->cell)};
    most = std::max(most, view->fit->cell);
  }
  if (!are_whole || most > kMostCellRatio * all.cell) all.cell = 0.0;
  for (PaneView* view : maps) {
    if (maps.size() > 1) view->beside = all;
  }
}

void draw_split(const Panes& panes, const Split& split, ImVec2 size) {
  const float scale = panes.ui.scale;
  const bool beside = is_beside(split, ImVec2(size.x / scale, size.y / scale));
  const float thick = panes.ui.px(kPaneEdge);
  const std::size_t count = split.parts.size();
  if (beside) align_maps(panes, split);
  const float space = (beside ? size.x : size.y) - thick * static_cast<float>(count - 1);
  ImGui::BeginGroup();
  for (std::size_t i = 0; i < count; ++i) {
    const float length =
        std::max(1.0F, std::floor(space * static_cast<float>(split.parts[i].share)));
    draw_layout(panes, split.parts[i].layout,
                beside ? ImVec2(length, size.y) : ImVec2(size.x, length));
    if (i + 1 == count) break;
    if (beside) ImGui::SameLine(0, 0);
    edge(panes, split, i, beside ? ImVec2(thick, size.y) : ImVec2(size.x, thick), space, beside);
    if (beside) ImGui::SameLine(0, 0);
  }
  ImGui::EndGroup();
}

void draw_layout(const Panes& panes, const Layout& layout, ImVec2 size) {
  if (const auto* pane = std::get_if<Pane>(&layout)) return draw_pane(panes, *pane, size);
  draw_split(panes, std::get<Split>(layout), size);
}

}  // namespace

void plots_panel(Ui& ui, const AppState& state, PlotsView& view) {
  std::erase_if(view.panes,
                [&](const auto& entry) { return pane_of(state.layout, entry.first) == nullptr; });
  if (pane_of(state.layout, view.hovering) == nullptr) view.hovering = 0;
  for (auto& [id, pane] : view.panes) pane.beside = {};
  const ImVec2 spacing = ImGui::GetStyle().ItemSpacing;
  const Panes panes{ui, state, view, spacing};
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const PaneSize size{std::round(static_cast<double>(space.x / ui.scale)),
                      std::round(static_cast<double>(space.y / ui.scale))};
  if (!state.plot_alone && size != state.plot_space) ui.send(command::SetPlotSpace{size});
  if (shows_one_pane(state)) return draw_pane(panes, *pane_of(state.layout, state.focus), space);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(spacing.x, 0));
  draw_layout(panes, state.layout, space);
  ImGui::PopStyleVar();
}

}  // namespace attn::gui
