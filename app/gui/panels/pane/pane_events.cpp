// Gestures and keys on cells, tensors, tokens, links and heads as commands. The corners of a zoom
// rectangle stay on cells.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "attention/mask.h"
#include "document/document.h"
#include "engine/matrix/matrix_id.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/pane/pane.h"
#include "gui/panels/pane/zoom.h"
#include "gui/platform/imgui_compat.h"
#include "plot/charts/charts.h"
#include "plot/kit/marks.h"
#include "plot/maps/heads.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

// False for the position encoding, which has other rows and columns than the neighbouring matrices.
bool has_viewport(const MatrixItem& matrix) {
  return !std::holds_alternative<made::PositionEncoding>(matrix.origin->making);
}

// A pane updates the hovered cell only while the pointer is inside of it.
void follow_hover(const PaneScope& scope, const CanvasEvents& events) {
  if (!events.hovered && scope.hovering != scope.pane.id) return;
  // A menu over the cell keeps it hovered.
  if (!events.hovered && is_popup_open()) return;
  scope.hovering = events.hovered ? scope.pane.id : 0;
  std::optional<CellHit> cell;
  if (const auto* hit = std::get_if<CellHit>(&events.under_pointer)) cell = *hit;
  if (cell != scope.state.hover) scope.ui.send(command::Hover{cell});
}

// If preferred, two fingers or the wheel pan the viewport; Shift turns vertical notches into
// horizontal ones.
bool pan_with_wheel(const PaneScope& scope, const CanvasEvents& events) {
  constexpr double kShare = 0.1;
  if (!scope.state.preferences.wheel_pans || events.ctrl) return false;
  const double down = events.shift ? 0.0 : -events.wheel;
  const double right = events.wheel_right - (events.shift ? events.wheel : 0.0);
  if (down != 0.0 || right != 0.0) {
    scope.ui.send(
        command::Pan{kShare * down, kShare * right, gesture_of(scope.view.gesture, scope.ui)});
  }
  return true;
}

void zoom_with_wheel(const PaneScope& scope, const MatrixItem& matrix, const CanvasEvents& events) {
  if (pan_with_wheel(scope, events) || events.wheel == 0.0) return;
  constexpr double kFiner = 0.25, kFaster = 4.0;
  const double speed = events.ctrl ? kFiner : events.shift ? kFaster : 1.0;
  const double by = events.wheel * (scope.state.preferences.wheel_pans ? 1.0 : speed);
  const auto next = zoomed(scope.options().window, matrix, events.pointer, by);
  scope.ui.send(
      command::SetWindow{next.value_or(CellWindow{}), gesture_of(scope.view.gesture, scope.ui)});
}

// Drags of the middle button come without a press event.
void pan_with_drag(const PaneScope& scope, const MatrixItem& matrix, const CanvasEvents& events) {
  PaneView& view = scope.view;
  if (events.pressed) view.drag_gesture = scope.ui.new_gesture();
  const bool drags = events.dragging || events.middle_dragging;
  if (!drags || !has_viewport(matrix)) return;
  const std::uint64_t gesture =
      events.dragging ? view.drag_gesture : gesture_of(view.gesture, scope.ui);
  scope.ui.send(
      command::SetWindow{panned(scope.options().window, matrix, events.drag_delta), gesture});
}

void inspect(const PaneScope& scope, const MatrixItem& matrix, const CanvasEvents& events) {
  pan_with_drag(scope, matrix, events);
  if (events.double_clicked) {
    scope.ui.send(command::SetWindow{});
    scope.ui.send(command::Unpin{});
    for (const CellHit& pin : scope.view.pins_before_click) scope.ui.send(command::Pin{pin, true});
    scope.view.second_click = true;
  }
  const bool second_click = scope.view.second_click;
  if (events.released) scope.view.second_click = false;
  if (!events.clicked || second_click) return;
  scope.view.pins_before_click = scope.state.pins;
  if (const auto* cell = std::get_if<CellHit>(&events.under_pointer)) {
    scope.ui.send(command::Pin{*cell, events.shift});
  }
}

HiddenRules rules_at(const PaneScope& scope, const HeadAddress& head, std::size_t q,
                     std::size_t k) {
  const Mask mask =
      with_slopes(mask_of(scope.state.document, head), shape_of(scope.state.document).heads);
  return hidden_by(mask, head, q, k);
}

// Paints one cell, or explains why painting cannot show it.
void paint_cell(const PaneScope& scope, const command::PaintCell& cell) {
  const HiddenRules rules = rules_at(scope, cell.head, cell.q, cell.k);
  const bool hidden_by_hand = (rules & kHiddenByHand) != 0;
  if (cell.visible == hidden_by_hand) scope.ui.send(cell);
  const auto others = static_cast<HiddenRules>(rules & ~kHiddenByHand);
  if (cell.visible && others != kVisible) {
    scope.ui.send(command::Notify{
        Notice::Level::Warning,
        "This cell is " + hidden_sentence(others) +
            "; change that rule to show it: painting affects only cells hidden by hand",
        ""});
  }
}

// Paints every cell between the last one and (row, col), so that fast gestures leave no gaps.
void paint_line(const PaneScope& scope, command::PaintCell& cell, std::size_t row,
                std::size_t col) {
  const auto from_row = static_cast<std::int64_t>(cell.q),
             from_col = static_cast<std::int64_t>(cell.k);
  const std::int64_t down = static_cast<std::int64_t>(row) - from_row;
  const std::int64_t across = static_cast<std::int64_t>(col) - from_col;
  const std::int64_t steps = std::max(std::abs(down), std::abs(across));
  for (std::int64_t step = 1; step <= steps; ++step) {
    cell.q = static_cast<std::size_t>(from_row + down * step / steps);
    cell.k = static_cast<std::size_t>(from_col + across * step / steps);
    paint_cell(scope, cell);
  }
}

void start_stroke(const PaneScope& scope, const CellHit& cell, bool alone) {
  if (!is_token_by_token(cell.matrix)) {
    scope.ui.send(
        command::Notify{Notice::Level::Info,
                        "Masks belong to stages of queries and keys; choose scores or weights "
                        "to paint",
                        ""});
    return;
  }
  const HeadAddress& head = cell.matrix.head;
  const HiddenRules rules = rules_at(scope, head, cell.row, cell.col);
  scope.view.paint = command::PaintCell{
      head, cell.row, cell.col, rules != kVisible, scope.ui.new_gesture(), alone};
  paint_cell(scope, *scope.view.paint);
}

void paint_mask(const PaneScope& scope, const CanvasEvents& events) {
  const auto* cell = std::get_if<CellHit>(&events.under_pointer);
  if (cell != nullptr && events.pressed) start_stroke(scope, *cell, events.shift);
  if (cell != nullptr && events.dragging && scope.view.paint) {
    paint_line(scope, *scope.view.paint, cell->row, cell->col);
  }
  if (events.released) scope.view.paint.reset();
}

// The matrix under the pointer; during a drag the one where it began; else the only one.
const MatrixItem* matrix_at_pointer(const Figure& figure, PaneView& view,
                                    const CanvasEvents& events) {
  const auto* cell = std::get_if<CellHit>(&events.under_pointer);
  if (cell != nullptr && !events.dragging) view.dragged = cell->matrix;
  const bool found = cell != nullptr || events.dragging;
  if (found && view.dragged) return item_of(figure, *view.dragged);
  const std::vector<const MatrixItem*> all = model_matrices(figure);
  return all.size() == 1 ? all.front() : nullptr;
}

constexpr std::int64_t kToTheEnd = std::int64_t{1} << 40U;
constexpr double kPanShare = 0.1;  // share of the viewport

struct CellKey {
  int key;
  std::int64_t rows, cols;
};
constexpr CellKey kCellKeys[] = {{keys::kLeft, 0, -1},         {keys::kRight, 0, 1},
                                 {keys::kUp, -1, 0},           {keys::kDown, 1, 0},
                                 {keys::kHome, 0, -kToTheEnd}, {keys::kEnd, 0, kToTheEnd}};

void walk(const PaneScope& scope, const MatrixItem& matrix, const CellKey& key) {
  const bool pans = scope.state.pins.empty() && scope.options().window.rows > 0.0;
  const bool step = std::abs(key.rows) + std::abs(key.cols) == 1;
  if (!pans) {
    scope.ui.send(command::WalkPin{key.rows, key.cols, ImGui::GetIO().KeyShift, *matrix.origin});
  } else if (step) {
    scope.ui.send(command::Pan{kPanShare * static_cast<double>(key.rows),
                               kPanShare * static_cast<double>(key.cols),
                               gesture_of(scope.view.gesture, scope.ui)});
  }
}

constexpr double kMinRectangle = 4.0;  // units; smaller rectangles are accidental

// Clamps the point to the drawn part of the matrix.
Point clamped_to(const Rect& clip, Point p) {
  return {std::clamp(p.x, clip.x, clip.x + clip.width),
          std::clamp(p.y, clip.y, clip.y + clip.height)};
}

bool is_large(const ZoomRectangle& held) {
  return std::abs(held.to.x - held.from.x) >= kMinRectangle &&
         std::abs(held.to.y - held.from.y) >= kMinRectangle;
}

// True if keys without Ctrl or Alt apply to this pane: it has the focus, and neither a window nor a
// widget takes them.
bool has_plain_keys(const PaneScope& scope) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool steps_lesson = is_in_lesson(scope.state) && !io.KeyShift &&
                            (key_pressed(keys::kLeft) || key_pressed(keys::kRight));
  if (steps_lesson) return false;
  const bool plain = !io.KeyCtrl && !io.KeyAlt && !io.KeySuper;
  return scope.pane.id == scope.state.focus && plain && !is_popup_open() &&
         !is_covered(scope.state) && !scope.ui.arrow_keys_taken();
}

// Handles the pointer from a press with Ctrl on cells until the release. A rectangle of less than 4
// units, or Esc, cancels the zoom; a press without a drag is a click and left to the caller.
// `matrix`: under the pointer; null: none.
bool rectangle_events(const PaneScope& scope, const Figure& figure, const MatrixItem* matrix,
                      const CanvasEvents& events) {
  std::optional<ZoomRectangle>& held = scope.view.rectangle;
  const bool on_cells = std::holds_alternative<CellHit>(events.under_pointer);
  if (events.pressed && events.ctrl && on_cells && matrix != nullptr) {
    const Point at = clamped_to(matrix->clip, events.pointer);
    held = ZoomRectangle{*matrix->origin, at, at};
  }
  if (!held) return false;
  // The release was not seen.
  if (!events.pressed && !events.released && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    held.reset();
    return false;
  }
  const MatrixItem* of = item_of(figure, held->matrix);
  const bool stopped = is_covered(scope.state) || key_pressed(keys::kEscape, false);
  if (of == nullptr || stopped) held->cancelled = true;
  if (!held->cancelled) held->to = clamped_to(of->clip, events.pointer);
  const ZoomRectangle now = *held;
  if (events.released) {
    held.reset();
    if (!now.cancelled && is_large(now))
      scope.ui.send(command::SetWindow{cells_within(*of, now.from, now.to)});
  }
  return !events.clicked;
}

// Returns the step from one visible token of a side to the next, units; 0 in the other direction.
Point token_pitch(const Figure& figure, Side side) {
  Point pitch;
  std::optional<Rect> last;
  for (const FigureItem& item : figure.items) {
    const auto* rect = std::get_if<RectItem>(&item);
    const auto* token = rect != nullptr ? std::get_if<TokenHit>(&rect->hit) : nullptr;
    if (token == nullptr || token->side != side) continue;
    if (last) pitch = {rect->rect.x - last->x, rect->rect.y - last->y};
    last = rect->rect;
  }
  return pitch;
}

// Scrolls by `by` tokens (negative: backwards) within the range. Returns the number scrolled.
std::int64_t scroll(const PaneScope& scope, Side side, std::int64_t by, std::uint64_t gesture) {
  const ViewOptions& options = scope.options();
  const AttentionShape shape = shape_of(scope.state.document, options.at);
  const bool queries = side == Side::Query;
  const std::size_t from = queries ? options.first_query : options.first_key;
  const std::size_t count = queries ? shape.n_q : shape.n_k;
  const auto last =
      static_cast<std::int64_t>(std::max(count - std::min(options.tokens_shown, count), from));
  const auto first = static_cast<std::int64_t>(from);
  const std::int64_t next = std::clamp<std::int64_t>(first + by, 0, last);
  if (next != first) {
    scope.ui.send(command::SetOption{queries ? "first_query" : "first_key", std::to_string(next),
                                     scope.pane.id, gesture});
  }
  return next - first;
}

// The side of a token; both sides between them.
std::vector<Side> sides_at(const HitId& hit) {
  const auto* token = std::get_if<TokenHit>(&hit);
  return token != nullptr ? std::vector{token->side} : std::vector{Side::Query, Side::Key};
}

// Scrolls the tokens of the dragged side, or of both for a drag between them, by whole tokens; the
// remainder accumulates.
void drag_tokens(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  TokenDrag& drag = scope.view.token_drag;
  for (const Side side : drag.sides) {
    const Point pitch = token_pitch(figure, side);
    const double length = std::max(pitch.x, pitch.y);
    if (length <= 0.0) continue;
    double& rest = side == Side::Query ? drag.queries : drag.keys;
    rest -= (pitch.x > 0.0 ? events.drag_delta.x : events.drag_delta.y) / length;
    const auto whole = static_cast<std::int64_t>(std::trunc(rest));
    rest -= static_cast<double>(whole);
    if (scroll(scope, side, whole, scope.view.drag_gesture) != whole) rest = 0.0;
  }
}

// A page taller than the pane scrolls first.
void scroll_with_wheel(const PaneScope& scope, const CanvasEvents& events) {
  constexpr double kTokensPerNotch = 5.0;
  const bool at_end = events.wheel > 0.0 ? ImGui::GetScrollY() <= 0.0F
                                         : ImGui::GetScrollY() >= ImGui::GetScrollMaxY();
  if (events.wheel == 0.0 || !at_end) return;
  const auto by = static_cast<std::int64_t>(std::lround(-kTokensPerNotch * events.wheel));
  const std::uint64_t gesture = gesture_of(scope.view.gesture, scope.ui);
  for (const Side side : sides_at(events.under_pointer)) scroll(scope, side, by, gesture);
}

void token_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  if (events.pressed) {
    scope.view.token_drag = {sides_at(events.under_pointer)};
    scope.view.drag_gesture = scope.ui.new_gesture();
  }
  if (events.dragging) drag_tokens(scope, figure, events);
  scroll_with_wheel(scope, events);
  const auto* token = std::get_if<TokenHit>(&events.under_pointer);
  if (token == nullptr || !events.clicked) return;
  const std::string text = text_of(*token);
  scope.set("token", scope.options().token == text ? std::string() : text);
}

constexpr std::pair<int, HeadStep> kWalkKeys[] = {{keys::kLeft, HeadStep::Left},
                                                  {keys::kRight, HeadStep::Right},
                                                  {keys::kUp, HeadStep::Up},
                                                  {keys::kDown, HeadStep::Down}};

void walk(const PaneScope& scope, const Figure& figure) {
  for (const auto& [key, step] : kWalkKeys) {
    if (!key_pressed(key)) continue;
    const auto next = head_beside(figure, scope.options().at, step);
    if (!next) return;
    scope.ui.send(command::SelectHead{*next});
    scope.view.walked_to = *next;
  }
}

// Scrolls as little as shows the thumbnail with some padding.
void scroll_to(const PaneScope& scope, const Rect& thumbnail) {
  const Ui& ui = scope.ui;
  const float origin = ImGui::GetItemRectMin().y - ImGui::GetWindowPos().y + ImGui::GetScrollY();
  const auto y = [&](double units) { return origin + ui.px(static_cast<float>(units)); };
  const double padding = 0.5 * thumbnail.height;
  const float top = y(thumbnail.y - padding), bottom = y(thumbnail.y + thumbnail.height + padding);
  const float space = ImGui::GetWindowHeight();
  if (bottom > ImGui::GetScrollY() + space) ImGui::SetScrollY(bottom - space);
  if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
}

// The action "One cell, whole pixels".
void zoom_to_whole_pixels(const PaneScope& scope, const MatrixItem& matrix) {
  const bool focused = scope.pane.id == scope.state.focus;
  if (!focused || !has_viewport(matrix) || !scope.ui.take_request("plot/whole_pixels")) return;
  const auto next =
      in_whole_pixels(scope.options().window, matrix, static_cast<double>(scope.ui.scale));
  scope.ui.send(command::SetWindow{next.value_or(CellWindow{}), scope.ui.new_gesture()});
}

void cell_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  follow_hover(scope, events);
  const std::vector<const MatrixItem*> all = model_matrices(figure);
  // Arrows move the first pin, with Shift a second one; Home and End move it to the ends of its
  // row. Without a pin they pan the viewport, or pin the first cell if the whole matrix is visible.
  if (scope.plot.name != "heads" && !all.empty() && has_plain_keys(scope)) {
    const auto pressed = [](const CellKey& key) { return key_pressed(key.key); };
    const auto key = std::ranges::find_if(kCellKeys, pressed);
    if (key != std::end(kCellKeys)) walk(scope, *all.front(), *key);
  }
  if (!all.empty()) zoom_to_whole_pixels(scope, *all.front());
  const MatrixItem* matrix = matrix_at_pointer(figure, scope.view, events);
  if (matrix == nullptr) {
    rectangle_events(scope, figure, nullptr, events);
    return;
  }
  if (events.hovered && has_viewport(*matrix)) zoom_with_wheel(scope, *matrix, events);
  const bool zooms = has_viewport(*matrix) || scope.view.rectangle;
  if (zooms && rectangle_events(scope, figure, matrix, events)) return;
  if (scope.state.tool == Tool::PaintMask && !events.middle_dragging) {
    paint_mask(scope, events);
  } else {
    inspect(scope, *matrix, events);
  }
}

void open_stage(const PaneScope& scope, Stage stage) {
  const std::vector<const Pane*> panes = panes_of(scope.state.layout);
  const auto usual = std::ranges::find_if(
      panes, [](const Pane* pane) { return pane->view.plot == kUsualPlot && pane->linked; });
  const PaneId pane = usual != panes.end() ? (*usual)->id : scope.pane.id;
  scope.ui.send(command::FocusPane{pane});
  scope.ui.send(command::SelectStage{stage});
  scope.ui.send(command::SelectPlot{std::string(kUsualPlot), pane, true});
}

void open_weights(const PaneScope& scope, const HeadAddress& head) {
  scope.ui.send(command::SelectHead{head});
  open_stage(scope, Stage::Weights);
}

// Takes a head out in place of the one that the last click took out.
void take_out(const PaneScope& scope, const HeadAddress& head) {
  const Interventions& what_if = scope.state.document.what_if;
  std::vector<HeadGate> gates = put_back(scope);
  const float before = gate_of(what_if, head);
  if (before != 0.0F) scope.view.taken_out = HeadGate{head, before};
  gates.push_back({head, 0.0F});
  scope.ui.send(command::SetGates{std::move(gates)});
}

void open_clicked(const PaneScope& scope, const HitId& clicked) {
  if (const auto* hit = std::get_if<InputHit>(&clicked)) {
    scope.ui.send(command::SelectMatrix{{hit->tensor, scope.state.grid.matrix.at}});
  }
  if (const auto* hit = std::get_if<StageHit>(&clicked)) {
    const bool there =
        scope.state.result && scope.state.result->has(hit->stage, scope.options().at);
    if (there) open_stage(scope, hit->stage);
  }
  if (const auto* hit = std::get_if<OptionHit>(&clicked)) scope.set(hit->field, hit->text);
  if (const auto* hit = std::get_if<HeadLabelHit>(&clicked)) open_weights(scope, hit->head);
  if (const auto* hit = std::get_if<AtlasHit>(&clicked)) {
    if (scope.options().from_reference) {  // a head with other outputs is no gate
      scope.ui.send(command::Notify{Notice::Level::Info,
                                    "This map is as it is: only the atlas has heads of the "
                                    "reference in it",
                                    ""});
    } else {
      take_out(scope, hit->out.moved_to(hit->out.layer, 0, hit->out.head));
    }
    open_weights(scope, hit->read);
  }
}

// Hovering marks a tensor or explains a label; a click opens a computed tensor in the heatmap, an
// entered one in the inputs.
void tensor_events(const PaneScope& scope, const CanvasEvents& events) {
  if (events.hovered || scope.hovering == 0) {
    const std::optional<TensorHit> tensor = tensor_of(events.under_pointer);
    if (tensor != scope.state.tensor_hover) scope.ui.send(command::HoverTensor{tensor});
  }
  const auto* pair = std::get_if<AtlasHit>(&events.under_pointer);
  if (pair != nullptr && !pair->is_known && scope.state.pointed_layer != pair->out.layer) {
    scope.ui.send(command::PointAtLayer{pair->out.layer});
  }
  if (const auto* hit = std::get_if<HeadLabelHit>(&events.under_pointer)) {
    tooltip(scope.ui, all_head_labels()[hit->label].rule);
  }
  if (events.clicked) open_clicked(scope, events.under_pointer);
}

// A hovered token label is marked while hovered, a clicked one until another is clicked; plots that
// show the links of a single token choose it instead. Within one sequence all are listed as
// queries.
void label_events(const PaneScope& scope, const CanvasEvents& events) {
  std::optional<TokenHit> token;
  if (const auto* hit = std::get_if<TokenHit>(&events.under_pointer)) {
    token = *hit;
    token->side = listed_side(scope.state.document, scope.options().at, hit->side);
  }
  if (token && scope.state.token_hover != token) scope.ui.send(command::HoverToken{token});
  if (!token && scope.view.points_at_token) scope.ui.send(command::HoverToken{});
  scope.view.points_at_token = token.has_value();
  if (!token || !events.clicked || scope.chooses_tokens()) return;
  const bool marked = scope.state.marked_token == token;
  scope.ui.send(command::MarkToken{marked ? std::nullopt : token});
}

// A drag, or the wheel at the end of the page, scrolls the tokens of the side under the pointer, or
// of both between them. A click on a token shows only its links, or all again; a click on a link
// pins it.
void choice_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  if (scope.chooses_tokens()) token_events(scope, figure, events);
  // cell_events pins cells of matrices.
  const auto* link = std::get_if<CellHit>(&events.under_pointer);
  if (link != nullptr && events.clicked && model_matrices(figure).empty()) {
    scope.ui.send(command::Pin{*link, events.shift});
  }
}

// A click opens the head in the heatmap; with Shift it is compared with the selected one in another
// pane. In the focused pane arrows select neighbouring heads, scrolled into view, and Enter opens
// the selected one.
void head_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  const auto* hit = std::get_if<HeadHit>(&events.under_pointer);
  if (hit != nullptr && events.clicked && events.shift) {
    scope.ui.send(command::CompareHead{scope.pane.id, hit->head});
  } else if (hit != nullptr && events.clicked) {
    open_weights(scope, hit->head);
  }
  if (scope.plot.name != "heads") return;
  if (const auto head = std::exchange(scope.view.walked_to, std::nullopt)) {
    if (const auto place = place_of_head(figure, *head)) scroll_to(scope, *place);
  }
  if (!has_plain_keys(scope) || ImGui::GetIO().KeyShift) return;
  walk(scope, figure);
  const bool has_ring = !scope.ui.focus.focused().empty();  // Enter presses that control
  if (!has_ring && enter_pressed()) open_weights(scope, scope.options().at);
}

// A step that the flow goes to is scrolled into view.
void follow_step(const PaneScope& scope, const Figure& figure) {
  const std::size_t step = scope.options().step;
  if (scope.plot.steps == nullptr || std::exchange(scope.view.step_in_view, step) == step) return;
  if (const auto place = place_of_step(figure, step)) scroll_to(scope, *place);
}

}  // namespace

void pane_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events,
                 bool is_held) {
  if (!is_held) cell_events(scope, figure, events);
  tensor_events(scope, events);
  label_events(scope, events);
  scope.view.token.reset();
  const auto* token = std::get_if<TokenHit>(&events.under_pointer);
  if (token != nullptr && scope.chooses_tokens()) scope.view.token = *token;
  choice_events(scope, figure, events);
  head_events(scope, figure, events);
  follow_step(scope, figure);
}

Figure drawn_rectangle(const PaneScope& scope, const Figure& figure) {
  Figure marks = overlay_of(figure);
  const std::optional<ZoomRectangle>& held = scope.view.rectangle;
  if (!held || held->cancelled || !is_large(*held)) return marks;
  const Color accent = scope.ui.colors().accent;
  const Rect corners = united({held->from.x, held->from.y}, {held->to.x, held->to.y});
  marks.items.emplace_back(RectItem{
      .rect = corners, .fill = with_alpha(accent, 48), .stroke = accent, .stroke_width = 1.5});
  return marks;
}

}  // namespace attn::gui
