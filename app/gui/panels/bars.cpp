// Tabs of documents, evenly wide if they do not fit by name, and the title field; facts about the
// document, and progress of jobs.
#include "gui/panels/bars.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/mapped_file.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "figure/colormap.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kTabPadding = 12.0F;  // around its title, units
constexpr std::string_view kUnsavedMark = " •";

void rename_field(Ui& ui, const AppState& state, DocumentTabView& view, float width_px) {
  const auto title =
      text_field(ui, "document/title", state.document.title, view.title,
                 {.width = width_px / ui.scale, .hint = "Title", .focus = view.appeared});
  if (title) ui.send(command::SetTitle{*title});
  if (!view.appeared && !view.title.editing) view.renaming = false;
  view.appeared = false;
}

void draw_tab(Ui& ui, const std::string& text, Color background, Color ink) {
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(min.x, min.y + ui.px(3)), max,
                                            to_imgui(background), ui.px(6),
                                            ImDrawFlags_RoundCornersTop);
  draw_in_row(ui, text, min + ui.px(kTabPadding, 1), max.y - min.y, ink);
}

std::string explanation(const AppState& state) {
  const Document& document = state.document;
  constexpr std::size_t kMostShown = 2000;
  std::string text =
      state.path.empty() || document.title.empty() ? "" : shown_title(document) + "\n\n";
  if (is_described(state)) text += shortened(document.description, kMostShown) + "\n\n";
  return text + "Double-click to change the title";
}

constexpr float kCross = 18.0F;  // units
constexpr float kWidest = 220.0F, kNarrowest = 120.0F, kNewWidth = 26.0F, kListWidth = 46.0F;

float text_width(const Ui& ui, std::string_view text) {
  return ui.line_size(text, FontStyle{kTextSize}).x;
}

// Width of a tab by its name. Includes space for the mark of unsaved changes, so that editing moves
// nothing.
float usual_width(const Ui& ui, const AppState& state, const OpenDocument& document) {
  const float wide = text_width(ui, tab_name(state, document)) + text_width(ui, kUnsavedMark);
  return std::min(std::ceil(wide) + ui.px(2 * kTabPadding), ui.px(kWidest));
}

// Button at the end of a tab that closes it.
void cross(Ui& ui, const std::string& name, std::uint64_t document) {
  ImGui::SameLine(0, 0);
  const DrawnButton mark = drawn_button(ui, name, ImVec2(ui.px(kCross), ImGui::GetFrameHeight()));
  const ImVec2 middle = mark.middle();
  const ImU32 ink = to_imgui(mark.hovered ? ui.colors().text : ui.colors().muted);
  const float reach = ui.px(3.5F), thick = ui.line_px(1.2F);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto at = [&](float x, float y) {
    return ImVec2(middle.x + x * reach, middle.y + y * reach);
  };
  draw.AddLine(at(-1, -1), at(1, 1), ink, thick);
  draw.AddLine(at(-1, 1), at(1, -1), ink, thick);
  tooltip(ui, "Closes the document", "Ctrl+W");
  if (mark.pressed) ui.send(command::CloseTab{document});
}

// The context menu applies to the selected tab.
void ask_for_menu(Ui& ui, const OpenDocument& document) {
  if (!ImGui::IsItemHovered() || !ImGui::IsMouseReleased(ImGuiMouseButton_Right)) return;
  ui.send(command::SelectTab{document.id});
  ui.request_context(ContextKind::Tab);
}

// Name with the mark of unsaved changes. A name too long for the tab also loses a beginning that it
// shares with another name.
std::string tab_text(const Ui& ui, const AppState& state, const OpenDocument& document,
                     float width_px) {
  const std::string mark(has_unsaved_changes(document) ? kUnsavedMark : "");
  const float space = width_px - ui.px(2 * kTabPadding) - text_width(ui, mark);
  const std::string name = tab_name(state, document);
  if (text_width(ui, name) <= space) return visible_token(name) + mark;
  std::size_t shared = 0;
  for (const OpenDocument* other : open_documents(state)) {
    if (other->id == document.id) continue;
    const std::string its = document_name(*other);
    const auto end = std::ranges::mismatch(name, its).in1;
    shared = std::max(shared, static_cast<std::size_t>(end - name.begin()));
  }
  std::string_view start = cut_to_bytes(name, shared);
  const std::string rest = name.substr(start.size());
  std::string text = name;
  while (!start.empty() && text_width(ui, text) > space) {
    start = cut_to_bytes(start, start.size() - 1);
    text = std::string(start).append("…").append(rest);
  }
  return fitted_token(ui, text, space) + mark;
}

// Draws the tab of a document that is not selected; `name` is its probe name.
void other_tab(Ui& ui, const AppState& state, const OpenDocument& document, const std::string& name,
               float width_px) {
  const UiColors& colors = ui.colors();
  const std::string text = tab_text(ui, state, document, width_px);
  const auto [pressed, hot, min, max] =
      drawn_button(ui, name, ImVec2(width_px, ImGui::GetFrameHeight()), text);
  draw_tab(ui, text, with_alpha(colors.hovered, hot ? 255 : 0), hot ? colors.text : colors.muted);
  ask_for_menu(ui, document);
  const bool middle = ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
  if (middle && hot) ui.send(command::CloseTab{document.id});
  if (pressed) ui.send(command::SelectTab{document.id});
  tooltip(ui, document.path.empty() ? shown_title(document.document) : document.path);
}

// Selected tab, at most `width_px` wide; a double-click edits the title. Probe: "document/title",
// value its name.
void document_tab(Ui& ui, const AppState& state, DocumentTabView& view, float width_px) {
  if (view.renaming) return rename_field(ui, state, view, width_px);
  const std::string title = tab_name(state, state);
  const std::string text = tab_text(ui, state, state, width_px);
  const float width = std::min(text_width(ui, text) + ui.px(2 * kTabPadding), width_px);
  const ImVec2 size(std::max(width, ui.px(40)), ImGui::GetFrameHeight());
  const bool hovered = drawn_button(ui, "document/title", size, title).hovered;
  draw_tab(ui, text, ui.colors().window, ui.colors().text);
  if (hovered && ImGui::IsMouseDoubleClicked(0)) view = {true, true, {}};
  tooltip(ui, explanation(state));
}

// The tabs that are shown, and their width.
struct TabPlaces {
  std::size_t first = 0, end = 0;
  float even = 0.0F;   // pixels each; 0: as wide as its name
  float space = 0.0F;  // pixels of all
};

// Tabs keep their place while the selected one is among them.
TabPlaces tab_places(const Ui& ui, const AppState& state,
                     const std::vector<const OpenDocument*>& open, DocumentTabView& view,
                     float width_px) {
  TabPlaces places{.end = open.size(), .space = width_px - ui.px(kNewWidth + kCross)};
  float wanted = 0.0F;
  for (const OpenDocument* document : open) wanted += usual_width(ui, state, *document);
  if (wanted <= places.space) return places;
  places.even = std::floor(places.space / static_cast<float>(open.size()));
  if (places.even >= ui.px(kNarrowest) || open.size() == 1) return places;
  places.space -= ui.px(kListWidth);
  const auto fitting = static_cast<std::size_t>(std::max(places.space / ui.px(kNarrowest), 1.0F));
  const std::size_t count = std::min(fitting, open.size() - 1);
  const auto at = std::ranges::find(open, state.id, &OpenDocument::id);
  const auto selected = static_cast<std::size_t>(at - open.begin());
  const std::size_t least = selected < count ? 0 : selected - count + 1;
  view.first_tab = std::clamp(view.first_tab, least, std::min(selected, open.size() - count));
  places.first = view.first_tab;
  places.end = places.first + count;
  places.even = std::floor(places.space / static_cast<float>(count));
  return places;
}

// A row of the list of tabs, in any script. Returns whether it was pressed.
bool list_row(Ui& ui, const std::string& name, const std::string& text, bool selected) {
  const float padding = ui.px(kTabPadding), height = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(std::ceil(text_width(ui, text)) + 2 * padding, ui.px(kWidest)),
                    height);
  const bool pressed =
      ImGui::Selectable(item_label("", name).c_str(), selected, ImGuiSelectableFlags_None, size);
  ui.mark(name, text);
  draw_in_row(ui, text, ImVec2(at.x + padding, at.y), height, ui.colors().ink);
  return pressed;
}

// List of all tabs by name, as some do not fit.
void tab_list(Ui& ui, const AppState& state, const std::vector<const OpenDocument*>& open) {
  constexpr const char* kName = "tabs/list";
  ImGui::SameLine(0, 0);
  if (button(ui, kName, "▾ " + std::to_string(open.size()),
             {.kind = ButtonKind::Quiet,
              .tooltip = "Lists all open documents",
              .width = kListWidth})) {
    ImGui::OpenPopup(kName);
  }
  const ImVec2 below(ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y);
  if (ImGui::IsPopupOpen(kName)) ImGui::SetNextWindowPos(below, ImGuiCond_Appearing);
  if (!ImGui::BeginPopup(kName)) return;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::string name = std::string(kName) + "/" + std::to_string(i);
    const bool selected = open[i]->id == state.id;
    const bool is_unsaved = has_unsaved_changes(*open[i]);
    const std::string text =
        tab_name(state, *open[i]) + std::string(is_unsaved ? kUnsavedMark : "");
    if (list_row(ui, name, text, selected)) ui.send(command::SelectTab{open[i]->id});
    tooltip(ui, open[i]->path.empty() ? shown_title(open[i]->document) : open[i]->path);
    if (selected && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  }
  ImGui::EndPopup();
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return short_text(seconds * 1e6, 3) + " µs";
  if (seconds < 1.0) return short_text(seconds * 1e3, 3) + " ms";
  return short_text(seconds, 3) + " s";
}

float status_gap(const Ui& ui) { return ui.px(18); }

// Text that can be pressed, aligned like plain text.
bool pressable(Ui& ui, const std::string& name, const std::string& text, Color color) {
  const std::string shown = typeset(ui.text(Wording::Fragment, text));
  const float width = text_size(shown).x;
  const float padding = ImGui::GetStyle().FramePadding.x, height = ImGui::GetTextLineHeight();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() - padding);
  const DrawnButton area =
      drawn_button(ui, name, ImVec2(std::ceil(width) + 2 * padding, height), text);
  const ImU32 background = to_imgui(ui.colors().hovered);
  if (area.hovered)
    ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, background, ui.px(4));
  ui.draw_text(shown, ImVec2(area.min.x + padding, area.min.y), color);
  return area.pressed;
}

// The simulation persists between runs, so a forgotten one must be visible.
void vision_part(Ui& ui, ColorVision vision, float behind) {
  if (vision == ColorVision::Usual) return;
  const ColorVisionInfo& info = color_vision_info(vision);
  const std::string text = "Simulating " + std::string(info.name);
  ImGui::SameLine(0, status_gap(ui));
  if (text_size(text).x + behind > ImGui::GetContentRegionAvail().x) return;
  const bool pressed = pressable(ui, "status/vision", text, ui.colors().ink);
  tooltip(ui, std::string(info.help) +
                  ". Exported files keep their colours; click to return to normal colours");
  const std::string usual(color_vision_info(ColorVision::Usual).name);
  if (pressed) ui.send(command::SetPreference{"simulate", usual});
}

// "Map 23 % (1 waiting)"; without a percentage until the first part is done.
std::string job_words(Ui& ui, const JobQueue::Status& job) {
  std::string words(ui.text(Wording::Label, job.label));
  const int percent = static_cast<int>(100.0F * job.fraction);
  if (percent > 0) words += " " + std::to_string(percent) + " %";
  return job.waiting > 0 ? words + " (" + std::to_string(job.waiting) + " waiting)" : words;
}

constexpr float kJobBarWidth = 150.0F, kLeastJobWords = 60.0F;
constexpr const char* kCancelJob = "Cancel";

// Width of the gap and the button behind a job's label.
float cancel_width(Ui& ui) {
  return ImGui::GetStyle().ItemSpacing.x + button_width(ui, kCancelJob);
}

// Width with the gap before it; `least`: with its words shortened.
float job_width(Ui& ui, const JobQueue::Status& job, bool least) {
  if (job.label.empty()) return 0.0F;
  const float all = text_size(job_words(ui, job)).x;
  return status_gap(ui) + ui.px(kJobBarWidth) + ImGui::GetStyle().ItemSpacing.x +
         (least ? std::min(all, ui.px(kLeastJobWords)) : all) + cancel_width(ui);
}

bool job_part(Ui& ui, const JobQueue::Status& job) {
  if (job.label.empty()) return false;
  ImGui::SameLine(0, status_gap(ui));
  const std::string text = job_words(ui, job);
  // No frame padding: with a field's padding the bar would push the following items out of the
  // window.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, 0));
  ImGui::ProgressBar(job.fraction, ImVec2(ui.px(kJobBarWidth), ImGui::GetTextLineHeight()), "");
  ui.mark("status/progress", fixed_text(static_cast<double>(job.fraction), 2));
  ImGui::SameLine();
  const float space = ImGui::GetContentRegionAvail().x - cancel_width(ui);
  elided_text(ui, text, std::max(space, 0.0F), ui.colors().muted);
  ui.mark("status/job", text);
  ImGui::SameLine();
  const bool cancelled =
      ImGui::SmallButton(item_label(ui.text(Wording::Label, kCancelJob), "status/cancel").c_str());
  ui.mark("status/cancel");
  ImGui::PopStyleVar();
  tooltip(ui, "Cancels the work in progress (Esc); nothing is changed or written");
  return cancelled;
}

// "3 queries × 3 keys, d_k 2, 1 head"; without widths, then without other counts where it would
// not leave `behind` pixels for the following parts.
std::string shape_summary(const AttentionShape& shape, float behind) {
  std::string tokens = counted(shape.n_q, "query", "queries") + " × " + counted(shape.n_k, "key");
  std::string widths, counts;
  if (shape.d_k > 0) widths += ", d_k " + grouped_text(shape.d_k);
  if (shape.d_model > 0) widths += ", d_model " + grouped_text(shape.d_model);
  if (shape.layers > 1) counts += ", " + counted(shape.layers, "layer");
  counts += ", " + counted(shape.heads, "head");
  if (shape.kv_heads != shape.heads) {
    counts += " (" + std::to_string(shape.kv_heads) + " of keys and values)";
  }
  if (shape.samples > 1) counts += ", " + counted(shape.samples, "sample");
  const float space = ImGui::GetContentRegionAvail().x - behind;
  for (const std::string& more : {widths + counts, counts}) {
    std::string text = tokens;
    text += more;
    if (text_size(text).x <= space) return text;
  }
  return tokens;
}

// Tooltip of the shape's button, with the time and memory that the result took.
std::string measured_text(const AppState& state) {
  std::string text = "Changes the kind of model, heads, widths, layers or samples";
  if (!state.result) return text;
  const AttentionProblem& problem = state.result->problem();
  std::uint64_t bytes = materialised_bytes(problem);
  // Given weights are their own stage, so their bytes are added here, unless they stay in a file.
  for (const AttentionInfo& info : attentions_of(problem)) {
    const Tensor& weights = given_weights(problem, info.at());
    if (!is_mapped(weights.data())) bytes += weights.size() * sizeof(float);
  }
  text += ". Computed in " + time_text(state.compute_seconds);
  return bytes > 0 ? text + ", in " + bytes_text(bytes) + " of memory" : text;
}

}  // namespace

void tab_row(Ui& ui, const AppState& state, DocumentTabView& view, float width_px) {
  const std::vector<const OpenDocument*> open = open_documents(state);
  const TabPlaces places = tab_places(ui, state, open, view, width_px);
  for (std::size_t i = places.first; i < places.end; ++i) {
    const float width = places.even > 0.0F ? places.even : usual_width(ui, state, *open[i]);
    const std::string name = "tabs/" + std::to_string(i);
    if (i > places.first) ImGui::SameLine(0, 0);
    if (open[i]->id != state.id) {
      other_tab(ui, state, *open[i], name, width);
      continue;
    }
    document_tab(ui, state, view, open.size() == 1 ? places.space : width);
    ask_for_menu(ui, *open[i]);
    ui.mark(name, "on");
    if (open.size() > 1) cross(ui, name + "/close", state.id);
  }
  if (places.end - places.first < open.size()) tab_list(ui, state, open);
  ImGui::SameLine(0, 0);
  button(ui, "tabs/new", "+",
         {.kind = ButtonKind::Quiet,
          .tooltip = "Opens the start page: a new document, recent files, examples",
          .sends = command::ShowOverlay{Overlay::Start}});
}

bool status_bar(Ui& ui, const AppState& state, const JobQueue::Status& job) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors().muted));
  const float least = job_width(ui, job, true);
  const bool pressed =
      pressable(ui, "status/shape", shape_summary(shown_shape(state), least), ui.colors().muted);
  tooltip(ui, [&] { return measured_text(state); });
  if (pressed) ui.send(command::ShowOverlay{Overlay::Structure});
  vision_part(ui, state.preferences.vision, least);
  const bool cancelled = job_part(ui, job);
  ImGui::PopStyleColor();
  return cancelled;
}

}  // namespace attn::gui
