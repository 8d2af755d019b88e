// Start page: an explanation of attention, recent files, cards of examples, and their thumbnails.
#include "gui/shell/windows/start_window.h"

#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

#include "base/joined.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "figure/letters.h"
#include "figure/text.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/ui/canvas.h"
#include "gui/ui/style.h"
#include "plot/all_plots.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Sizes in units.
constexpr float kPageWidth = 1040.0F, kPageHeight = 720.0F;
constexpr float kSideWidth = 196.0F;
constexpr float kMinCardWidth = 290.0F, kCardHeight = 92.0F, kCardPadding = 8.0F;
constexpr float kPictureWidth = 100.0F, kMinWithPicture = 240.0F;
constexpr double kSentenceSize = 12.5;
constexpr std::size_t kTitleLines = 2, kCardLines = 4;
constexpr double kNextPicture = 1.0 / 30.0;  // seconds

void open_and_close(Ui& ui, const std::string& path) {
  ui.send(command::ShowOverlay{});
  ui.send(command::Open{path});
}

// A row of the left side, which closes the page and sends a command.
void side_row(Ui& ui, const std::string& name, std::string_view label, std::string_view help,
              const Command& sent, bool enabled = true) {
  if (!list_row(ui, name, label, {label, help, false, enabled, 6.0F, 9.0F})) return;
  ui.send(command::ShowOverlay{});
  ui.send(sent);
}

void recent_row(Ui& ui, const AppState& state, std::size_t index) {
  const std::string& path = state.preferences.recent_files[index];
  const bool gone = std::ranges::find(state.gone_files, path) != state.gone_files.end();
  const std::string file = path.substr(path.rfind('/') + 1);
  const std::string label = gone ? "Gone: " + file : file;
  const std::string help = gone ? "The file is gone\n" + path : path;
  side_row(ui, "start/recent/" + std::to_string(index), label, help, command::Open{path}, !gone);
}

void recent_files(Ui& ui, const AppState& state) {
  section_header(ui, "Recent files");
  const std::size_t count = state.preferences.recent_files.size();
  if (count == 0) empty_hint(ui, "Recent files are listed here");
  for (std::size_t i = 0; i < count; ++i) recent_row(ui, state, i);
}

void side(Ui& ui, const AppState& state) {
  side_row(ui, "start/new", ui.text(Wording::Label, "New"),
           "A small document of generated numbers (Ctrl+N)", command::NewDocument{});
  side_row(ui, "start/open", ui.text(Wording::Label, "Open…"), "A document from a file (Ctrl+O)",
           command::ShowDialog{DialogKind::Open});
  recent_files(ui, state);
  section_header(ui, "Help");
  side_row(ui, "start/guide", ui.text(Wording::Label, "Guide"), "Keys of documents explained",
           command::ShowOverlay{Overlay::Guide});
  side_row(ui, "start/shortcuts", ui.text(Wording::Label, "Keyboard shortcuts"),
           "Lists every shortcut (F1)", command::ShowOverlay{Overlay::Shortcuts});
}

// Fitted and centred.
void draw_picture(Ui& ui, const Thumbnail& thumbnail, const ImRect& box) {
  const Rect& part = thumbnail.part;
  if (part.width <= 0.0 || part.height <= 0.0) return;
  const float scale = std::min(box.GetWidth() / static_cast<float>(part.width),
                               box.GetHeight() / static_cast<float>(part.height));
  const float width = static_cast<float>(part.width) * scale;
  const float height = static_cast<float>(part.height) * scale;
  const ImVec2 min(std::round(box.Min.x + (box.GetWidth() - width) / 2),
                   std::round(box.Min.y + (box.GetHeight() - height) / 2));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(min, ImVec2(std::ceil(min.x + width), std::ceil(min.y + height)), true);
  paint(ui, list, thumbnail.figure,
        {ImVec2(min.x - static_cast<float>(part.x) * scale,
                min.y - static_cast<float>(part.y) * scale),
         scale});
  list.PopClipRect();
}

void draw_words(Ui& ui, const Example& example, const ImRect& box) {
  const auto space = static_cast<double>(box.GetWidth() / ui.scale);
  const FontStyle bold{kTextSize, true}, small{kSentenceSize};
  float y = box.Min.y;
  const auto title = wrapped(pango_metrics(), example.title, bold, space, kTitleLines);
  for (const std::string& line : title) {
    ui.draw_line(line, ImVec2(box.Min.x, y), bold, ui.colors().ink);
    y += ui.px(19);
  }
  const std::string sentence(first_sentence(example.description));
  const std::size_t left = kCardLines - title.size();
  for (const std::string& line : wrapped(pango_metrics(), sentence, small, space, left)) {
    ui.draw_line(line, ImVec2(box.Min.x, y), small, ui.colors().muted);
    y += ui.px(17);
  }
}

void draw_card(Ui& ui, const Example& example, const Thumbnail* thumbnail, const ImRect& card,
               bool selected) {
  const UiColors& colors = ui.colors();
  const bool hot = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(card.Min, card.Max, to_imgui(hot ? colors.hovered : colors.panel), ui.px(6));
  list.AddRect(card.Min, card.Max, to_imgui(selected ? colors.accent : colors.border), ui.px(6), 0,
               ui.line_px(selected ? 2.0F : 1.0F));
  const float pad = ui.px(kCardPadding);
  ImRect words{ImVec2(card.Min.x + pad, card.Min.y + pad), ImVec2(card.Max.x - pad, card.Max.y)};
  if (card.GetWidth() >= ui.px(kMinWithPicture)) {
    const ImRect picture{words.Min, ImVec2(words.Min.x + ui.px(kPictureWidth), card.Max.y - pad)};
    if (thumbnail != nullptr) draw_picture(ui, *thumbnail, picture);
    words.Min.x = picture.Max.x + ui.px(10);
  }
  draw_words(ui, example, words);
}

void card(Ui& ui, StartView& view, const Example& example, float width_px, bool selected) {
  const std::string name = "start/example/" + std::string(example.name);
  const DrawnButton area =
      drawn_button(ui, name, ImVec2(width_px, ui.px(kCardHeight)), example.title);
  if (selected && std::exchange(view.scroll_to_selected, false)) ImGui::SetScrollHereY();
  if (area.pressed) open_and_close(ui, example_path(example));
  if (!ImGui::IsItemVisible()) return;
  const Thumbnail* thumbnail = view.thumbnails.of(example, ui.theme);
  if (thumbnail == nullptr) ui.redraw_within(kNextPicture);
  draw_card(ui, example, thumbnail, {area.min, area.max}, selected);
  tooltip(ui, example.description);
}

// True if arrows and Enter apply to the cards: Tab has not focused another control.
bool walks_cards(const Ui& ui) {
  const std::string& focused = ui.focus.focused();
  return focused.empty() || focused == "start/search";
}

void cards(Ui& ui, StartView& view, std::span<const Example* const> shown, std::size_t columns) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float space = ImGui::GetContentRegionAvail().x;
  const auto count = static_cast<float>(columns);
  const float width = std::floor((space - gap * (count - 1.0F)) / count);
  const std::vector<std::size_t> rows = card_rows(shown, columns);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool new_group = i == 0 || shown[i]->group != shown[i - 1]->group;
    if (new_group) section_header(ui, shown[i]->group);
    if (i > 0 && rows[i] == rows[i - 1]) ImGui::SameLine();
    card(ui, view, *shown[i], width, i == view.selected && walks_cards(ui));
  }
  if (shown.empty()) empty_hint(ui, "No example matches");
}

// Left and Right move the caret while there is text.
void card_keys(StartView& view, std::span<const std::size_t> rows) {
  const std::size_t before = view.selected;
  if (key_pressed(keys::kDown)) view.selected = card_below(rows, view.selected, 1);
  if (key_pressed(keys::kUp)) view.selected = card_below(rows, view.selected, -1);
  const bool sideways = view.search.empty();
  if (sideways && key_pressed(keys::kRight)) ++view.selected;
  if (sideways && key_pressed(keys::kLeft) && view.selected > 0) --view.selected;
  view.selected = std::min(view.selected, rows.empty() ? 0 : rows.size() - 1);
  if (view.selected != before) view.scroll_to_selected = true;
}

// Returns whether the page is to close.
bool search_row(Ui& ui, StartView& view, bool appearing, bool& entered) {
  const float close_px = button_width(ui, "Close") + ImGui::GetStyle().ItemSpacing.x;
  if (appearing) ImGui::SetKeyboardFocusHere();
  const TextInputResult typed = line_field(ui, "start/search", view.search, "Search examples",
                                           "Shows the examples with these words", -close_px);
  if (typed.changed) view.selected = 0;
  entered = typed.entered || (!appearing && !typed.active && walks_cards(ui) && enter_pressed());
  ImGui::SameLine();
  return is_closed(ui, "start") || typed.cancelled;
}

void examples(Ui& ui, StartView& view, bool appearing) {
  bool entered = false;
  if (search_row(ui, view, appearing, entered)) ui.send(command::ShowOverlay{});
  const std::vector<const Example*> shown = matching_examples(view.search);
  ImGui::BeginChild("start/cards");
  const float gap = ImGui::GetStyle().ItemSpacing.x, space = ImGui::GetContentRegionAvail().x;
  const auto columns = std::max<std::size_t>(
      1, static_cast<std::size_t>((space + gap) / (ui.px(kMinCardWidth) + gap)));
  if (walks_cards(ui)) card_keys(view, card_rows(shown, columns));
  cards(ui, view, shown, columns);
  ImGui::EndChild();
  if (entered && !shown.empty()) open_and_close(ui, example_path(*shown[view.selected]));
}

bool has_words(const std::string& text, std::string_view folded_search) {
  const std::string words = folded(text);
  while (!folded_search.empty()) {
    if (words.find(take_before(folded_search, " ")) == std::string::npos) return false;
  }
  return true;
}

constexpr double kDrawnWidth = 300.0, kDrawnHeight = 225.0;  // units
constexpr std::size_t kTexels = 128;

PlotOptions small_options(const View& view, ThemeKind theme) {
  PlotOptions options;
  static_cast<ViewOptions&>(options) = view.options;
  options.theme = theme;
  options.width = kDrawnWidth;
  options.height = kDrawnHeight;
  options.title = "none";
  options.values = options.overview = false;
  options.pixel_budget = kTexels;
  return options;
}

bool is_seen(const FigureItem& item) {
  if (std::holds_alternative<TextItem>(item)) return false;
  const auto* rect = std::get_if<RectItem>(&item);
  return rect == nullptr || rect->fill.a != 0 || rect->stroke.a != 0;
}

std::optional<Rect> bounds(const FigureItem& item) {
  if (const auto* rect = std::get_if<RectItem>(&item)) return rect->rect;
  if (const auto* line = std::get_if<LineItem>(&item))
    return united({line->from.x, line->from.y}, {line->to.x, line->to.y});
  if (const auto* matrix = std::get_if<MatrixItem>(&item)) return matrix->clip;
  const auto* path = std::get_if<PathItem>(&item);
  return path != nullptr && !path->points.empty() ? std::optional(path_bounds(*path))
                                                  : std::nullopt;
}

Rect part_of(const Figure& figure) {
  std::optional<Rect> all;
  for (const FigureItem& item : figure.items) {
    const std::optional<Rect> one = bounds(item);
    if (one) all = all ? united(*all, *one) : *one;
  }
  Rect part = all.value_or(Rect{});
  part.height = std::min(part.height, part.width * kDrawnHeight / kDrawnWidth);  // of a long page
  return part;
}

Result<Thumbnail> drawn(const Example& example, ThemeKind theme) {
  const Result<Reading> report = open_document(example_path(example));
  if (!report) return report.error();
  const Document& document = report->document;
  const Result<ResultPtr> result = compute(make_problem(document));
  if (!result) return result.error();
  const View view = focused_view(document.panes.value_or(Panes{}));
  const PlotEntry& plot = *plot_named(view.plot);
  Result<Figure> figure =
      draw_complete(plot, document, *result, small_options(view, theme), pango_metrics());
  if (!figure) return figure.error();
  if (const MatrixItem* only = plot.fills_room ? find_matrix(*figure) : nullptr) {
    const MatrixItem matrix = *only;
    figure->items = std::vector<FigureItem>{matrix};  // own memory: thumbnails are kept
    return Thumbnail{*std::move(figure), matrix.clip};
  }
  std::erase_if(figure->items, [](const FigureItem& item) { return !is_seen(item); });
  figure->items.shrink_to_fit();
  const Rect part = part_of(*figure);
  return Thumbnail{*std::move(figure), part};
}

bool is_drawn(const std::shared_future<Thumbnail>& thumbnail) {
  return thumbnail.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

std::string_view first_sentence(std::string_view text) {
  const std::size_t end = text.find(". ");
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

std::vector<const Example*> matching_examples(std::string_view search) {
  const std::string wanted = folded(search);
  std::vector<const Example*> matches;
  for (const Example& example : all_examples()) {
    const std::string text = std::string(example.name) + " " + std::string(example.group) + " " +
                             example.title + " " + example.description;
    if (has_words(text, wanted)) matches.push_back(&example);
  }
  std::stable_partition(matches.begin(), matches.end(),
                        [&](const Example* example) { return has_words(example->title, wanted); });
  return matches;
}

std::vector<std::size_t> card_rows(std::span<const Example* const> examples, std::size_t columns) {
  std::vector<std::size_t> rows;
  std::size_t first = 0;  // of the last row
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const bool new_row =
        i > 0 && (i - first == columns || examples[i]->group != examples[i - 1]->group);
    if (new_row) first = i;
    rows.push_back(i == 0 ? 0 : rows.back() + (new_row ? 1 : 0));
  }
  return rows;
}

std::size_t card_below(std::span<const std::size_t> rows, std::size_t from, std::ptrdiff_t by) {
  if (from >= rows.size()) return from;
  const std::size_t wanted = rows[from] + static_cast<std::size_t>(by);
  const auto column =
      rows.begin() + static_cast<std::ptrdiff_t>(from) - std::ranges::lower_bound(rows, rows[from]);
  const auto first = std::ranges::lower_bound(rows, wanted);
  const auto end = std::ranges::upper_bound(rows, wanted);
  if (first == end) return from;
  return static_cast<std::size_t>(std::min(first + column, end - 1) - rows.begin());
}

void start_window(Ui& ui, const AppState& state, StartView& view) {
  if (state.overlay != Overlay::Start) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;  // larger on large screens
  const ImVec2 size(std::clamp(0.6F * screen.x / ui.scale, kPageWidth, 1.5F * kPageWidth),
                    std::max(0.7F * screen.y / ui.scale, kPageHeight));
  const bool appearing = begin_overlay(ui, {.name = "start", .size_units = size});
  if (appearing) {
    view.search.clear();
    view.selected = 0;
    ui.send(command::CheckRecent{});
  }
  attention_formula(ui, state);
  ImGui::BeginChild("start/side", ImVec2(ui.px(kSideWidth), 0.0F));
  section_header(ui, "Start");
  side(ui, state);
  ImGui::EndChild();
  ImGui::SameLine(0.0F, ui.px(16));
  ImGui::BeginChild("start/examples");
  examples(ui, view, appearing);
  ImGui::EndChild();
  ui.mark("start");
  ImGui::End();
}

Thumbnail thumbnail_of(const Example& example, ThemeKind theme) {
  try {
    Result<Thumbnail> thumbnail = drawn(example, theme);
    return thumbnail ? *std::move(thumbnail) : Thumbnail{};
  } catch (const std::exception&) {  // a card works without, if there is too little memory
    return {};
  }
}

bool Thumbnails::is_drawing() const {
  return !std::ranges::all_of(by_name_, [](const auto& entry) { return is_drawn(entry.second); });
}

const Thumbnail* Thumbnails::of(const Example& example, ThemeKind theme) {
  if (std::exchange(theme_, theme) != theme) by_name_.clear();
  const auto [known, is_new] = by_name_.try_emplace(example.name);
  if (is_new) {
    if (jobs_ == nullptr) jobs_ = std::make_unique<JobQueue>();
    const auto drawn = std::make_shared<std::promise<Thumbnail>>();
    known->second = drawn->get_future().share();
    jobs_->submit("", "", [drawn, &example, theme](Progress&) -> JobQueue::Outcome {
      drawn->set_value(thumbnail_of(example, theme));
      return {};
    });
  }
  return is_drawn(known->second) ? &known->second.get() : nullptr;
}

}  // namespace attn::gui
