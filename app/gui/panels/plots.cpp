#include "gui/panels/plots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "attention/mask.h"
#include "base/number_text.h"
#include "engine/measures.h"
#include "gui/panels/cell_events.h"
#include "gui/panels/selectors.h"
#include "gui/ui/canvas.h"
#include "plot/all_plots.h"
#include "plot/marks.h"

namespace attn::gui {
namespace {

constexpr double kPlotFontSize = 12.0;
constexpr double kShortCanvas = 380.0;
constexpr float kColormapWidth = 130.0F, kColormapLeast = 96.0F;  // units
constexpr float kPlotWidth = 120.0F;
constexpr float kDerivedWidth = 190.0F, kResidualWidth = 64.0F;
constexpr float kStepWidth = 110.0F;
constexpr float kCompactWidth = 400.0F, kCompactHeight = 440.0F;

// Those with something to show, and the one that is open.
std::vector<const PlotEntry*> offered_plots(const AppState& state) {
  std::vector<const PlotEntry*> offered;
  for (const PlotEntry& plot : all_plots()) {
    if (applies_to(plot, state.document) || plot.name == focused_view(state).plot)
      offered.push_back(&plot);
  }
  return offered;
}

// The plots as one drop-down, where there is little room.
void plot_choice(Ui& ui, const AppState& state, Flow& flow) {
  const std::vector<const PlotEntry*> plots = offered_plots(state);
  std::vector<std::string_view> labels;
  std::size_t selected = 0;
  for (const PlotEntry* plot : plots) {
    if (plot->name == focused_view(state).plot) selected = labels.size();
    labels.push_back(plot->label);
  }
  flow.next(ui.px(kPlotWidth));
  if (const auto chosen = combo(ui, "plot/tab", "", labels, selected, kPlotWidth)) {
    ui.send(command::SelectPlot{std::string(plots[*chosen]->name)});
  }
}

// Whether the tabs leave room for the button beside them.
bool tabs_fit_one_line(const AppState& state, const Flow& flow) {
  float width = button_width("View");
  for (const PlotEntry* plot : offered_plots(state)) {
    width += button_width(plot->label) + ImGui::GetStyle().ItemSpacing.x;
  }
  return width <= flow.room();
}

void plot_tabs(Ui& ui, const AppState& state, Flow& flow) {
  for (const PlotEntry* plot : offered_plots(state)) {
    flow.next(button_width(plot->label));
    if (button(ui, "plot/tab/" + std::string(plot->name), plot->label,
               {.tooltip = plot->help, .on = focused_view(state).plot == plot->name})) {
      ui.send(command::SelectPlot{std::string(plot->name)});
    }
  }
}

void colormap_choice(Ui& ui, const AppState& state, float width) {
  const auto choices = all_colormap_choices();
  std::vector<std::string_view> labels;
  std::size_t selected = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    labels.push_back(choices[i].label);
    if (choices[i].name == focused_view(state).options.colormap) selected = i;
  }
  if (const auto chosen = combo(ui, "plot/colormap", "", labels, selected, width)) {
    ui.send(command::SetOption{"colormap", std::string(choices[*chosen].name)});
  }
}

// How cells are drawn; `weights` says that they are weights.
void color_buttons(Ui& ui, const AppState& state, Flow& flow, bool weights) {
  flow.next(button_width("Values"));
  if (button(ui, "plot/values", "Values",
             {.tooltip = "Numbers in the cells, when they fit",
              .shortcut = "V",
              .on = focused_view(state).options.values})) {
    ui.send(flipped(state, "values"));
  }
  flow.next(button_width("Own range"));
  if (button(ui, "plot/own_range", "Own range",
             {.tooltip = "Colours of the weights span this head's values",
              .shortcut = "R",
              .enabled = weights,
              .disabled_reason = "Only weights have ranges to choose from; other stages "
                                 "always span their own values",
              .on = focused_view(state).options.range == ColorSpan::Head})) {
    ui.send(flipped(state, "own_range"));
  }
  // Narrower rather than alone on a line of its own.
  const float width = std::clamp(flow.room() / ui.scale, kColormapLeast, kColormapWidth);
  flow.next(ui.px(width));
  colormap_choice(ui, state, width);
}

void view_buttons(Ui& ui, const AppState& state, Flow& flow) {
  const bool painting = state.tool == Tool::PaintMask;
  flow.next(button_width("Paint mask"));
  if (button(ui, "plot/paint", "Paint mask",
             {.tooltip = "Click or drag over cells to hide or show them",
              .shortcut = "M",
              .on = painting})) {
    ui.send(command::SetTool{painting ? Tool::Inspect : Tool::PaintMask});
  }
  flow.next(button_width("Fit"));
  if (button(ui, "plot/fit", "Fit",
             {.tooltip = "Shows the whole matrix",
              .shortcut = "F",
              .enabled = focused_view(state).options.window.rows > 0.0})) {
    ui.send(command::FitWindow{});
  }
  color_buttons(ui, state, flow, focused_view(state).options.stage == Stage::Weights);
}

// What else there is to set, behind a button that stays beside the tabs.
void more_popup(Ui& ui, const AppState& state, Flow& flow) {
  const char* label = flow.room() < button_width("View") ? "…" : "View";
  flow.next(button_width(label));
  if (button(ui, "plot/more", label, {.tooltip = "Paint, fit, values and colours"})) {
    ImGui::OpenPopup("plot/more");
  }
  if (!ImGui::BeginPopup("plot/more")) return;
  Flow inside;
  view_buttons(ui, state, inside);
  ImGui::EndPopup();
}

void heatmap_toolbar(Ui& ui, const AppState& state, bool compact) {
  Flow flow;
  if (!compact) view_buttons(ui, state, flow);
}

// Which matrix, and for those through all layers the residual share.
void derived_choices(Ui& ui, const AppState& state, PlotsView& view, Flow& flow) {
  std::vector<std::string_view> labels;
  for (const DerivedInfo& info : all_derived()) labels.push_back(info.label);
  const auto selected = static_cast<std::size_t>(focused_view(state).options.derived);
  flow.next(ui.px(kDerivedWidth));
  if (const auto chosen = combo(ui, "plot/derived/matrix", "", labels, selected, kDerivedWidth)) {
    ui.send(command::SetOption{"matrix", std::string(all_derived()[*chosen].name)});
  }
  if (!derived_info(focused_view(state).options.derived).of_all_layers) return;
  const char* label = "Residual share";
  flow.next(ImGui::CalcTextSize(label).x + ui.px(kResidualWidth) + ImGui::GetStyle().ItemSpacing.x);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine();
  const auto number =
      number_field(ui, "plot/derived/residual", short_text(focused_view(state).options.residual, 3),
                   view.residual, {.width = kResidualWidth});
  if (number) ui.send(command::SetOption{"residual", shortest_text(*number)});
}

void kernel_row(Ui& ui, const AppState& state, PlotsView& view) {
  const RowWords words{"plot/kernel", "Kernel k", "Tokens that a convolution sees at once"};
  if (const auto kernel =
          count_row(ui, words, focused_view(state).options.kernel, kLeastKernel, view.fields)) {
    ui.send(command::SetOption{"kernel", std::to_string(*kernel)});
  }
}

// One step back, the number of steps, one step on, all of them.
void step_buttons(Ui& ui, const AppState& state, PlotsView& view, Flow& flow) {
  const bool steps = recurrent_of(state.document.model) != nullptr;
  const char* why = "This document has no recurrent decoder";
  flow.next(button_width("‹"));
  if (button(ui, "plot/step/back", "‹",
             {.tooltip = "One step back",
              .shortcut = ",",
              .enabled = steps,
              .disabled_reason = why})) {
    ui.send(command::StepDecoder{-1});
  }
  const RowWords words{"plot/step", "Step", "Decoder steps that are drawn; 0 draws all"};
  flow.next(ui.px(kStepWidth));
  ImGui::BeginGroup();
  if (const auto step = count_row(ui, words, focused_view(state).options.step, 0, view.fields)) {
    ui.send(command::SetOption{"step", std::to_string(*step)});
  }
  ImGui::EndGroup();
  flow.next(button_width("›"));
  if (button(
          ui, "plot/step/next", "›",
          {.tooltip = "One step on", .shortcut = ".", .enabled = steps, .disabled_reason = why})) {
    ui.send(command::StepDecoder{1});
  }
  flow.next(button_width("All steps"));
  if (button(ui, "plot/step/all", "All steps",
             {.enabled = steps,
              .disabled_reason = why,
              .on = focused_view(state).options.step == 0})) {
    ui.send(command::SetOption{"step", "0"});
  }
}

PlotOptions canvas_options(const Ui& ui, const AppState& state, ImVec2 size_px) {
  PlotOptions options = plot_options(state);
  options.theme = ui.theme;
  options.width = std::floor(size_px.x / ui.scale);
  options.height = std::floor(size_px.y / ui.scale);
  options.font_size = kPlotFontSize;
  if (options.height < kShortCanvas) options.title = "none";  // it stands above the plot anyway
  options.pixel_budget = static_cast<std::size_t>(std::max({size_px.x, size_px.y, 256.0F}));
  return options;
}

// What the options of any other plot let one choose.
void plot_toolbar(Ui& ui, const AppState& state, PlotsView& view, const PlotEntry& plot) {
  Flow flow;
  if (uses(plot, "matrix")) derived_choices(ui, state, view, flow);
  if (uses(plot, "step")) step_buttons(ui, state, view, flow);
  if (uses(plot, "own_range")) color_buttons(ui, state, flow, true);
  if (uses(plot, "kernel")) kernel_row(ui, state, view);
}

void no_figure(Ui& ui, const AppState& state) {
  if (state.result_error) {
    problem_text(ui, describe(*state.result_error));
    ui.mark("plot/problem", describe(*state.result_error));
  } else {
    empty_hint(ui, "Computing…");
    ui.mark("plot/computing");
  }
}

// The figure to show; null after saying why there is none.
const Figure* shown_figure(Ui& ui, const AppState& state, PlotsView& view, const PlotEntry& plot,
                           const PlotOptions& options) {
  const Result<Figure>* drawn = view.figure.figure(state, plot, options, pango_metrics());
  if (drawn == nullptr || state.result_error) {
    no_figure(ui, state);
    return nullptr;
  }
  if (drawn->ok()) return &drawn->value();
  const Error& refusal = drawn->error();
  std::string reason = refusal.message;
  if (!refusal.found.empty()) reason += ": " + refusal.found;
  if (!refusal.hint.empty()) reason += "; " + refusal.hint;
  empty_hint(ui, reason);
  ui.mark("plot/refused", reason);
  return nullptr;
}

void open_weights(Ui& ui, const HeadAddress& head) {
  ui.send(command::SelectHead{head});
  ui.send(command::SelectStage{Stage::Weights});
  ui.send(command::SelectPlot{std::string(kUsualPlot)});
}

// What the plot paints over its figure where the pointer is.
Figure hover_of(const Ui& ui, const AppState& state, const PlotEntry& plot, const Figure& figure,
                const PlotOptions& options) {
  if (plot.hover == nullptr || !state.result || !ImGui::IsWindowHovered()) return {};
  const ImVec2 at = ImGui::GetMousePos();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const HitId hit = hit_test(figure, {(at.x - origin.x) / ui.scale, (at.y - origin.y) / ui.scale});
  return plot.hover(LookedAt(state).input(), figure, options, pango_metrics(), hit);
}

// Hovering marks a tensor or says a label's rule; a click opens the tensor in the heatmap or, when
// it is entered, among the inputs, and a head in the heatmap.
void tensor_events(Ui& ui, const AppState& state, const CanvasEvents& events) {
  const std::optional<TensorHit> tensor = tensor_of(events.under_pointer);
  if (tensor != state.tensor_hover) ui.send(command::HoverTensor{tensor});
  if (const auto* hit = std::get_if<HeadLabelHit>(&events.under_pointer)) {
    tooltip(ui, all_head_labels()[hit->label].rule);
  }
  if (!events.clicked) return;
  if (const auto* hit = std::get_if<InputHit>(&*events.clicked)) {
    ui.send(command::SelectMatrix{{hit->tensor, state.grid.matrix.at}});
  }
  if (const auto* hit = std::get_if<StageHit>(&*events.clicked)) {
    if (!shown_result(state).has(hit->stage)) return;
    ui.send(command::SelectStage{hit->stage});
    ui.send(command::SelectPlot{std::string(kUsualPlot)});
  }
  if (const auto* hit = std::get_if<HeadHit>(&*events.clicked)) open_weights(ui, hit->head);
  if (const auto* hit = std::get_if<HeadLabelHit>(&*events.clicked)) open_weights(ui, hit->head);
}

// Says that the picture is of an older state than the document, once that lasts.
void older_tag(Ui& ui, PlotsView& view, ImVec2 corner) {
  constexpr double kNoticed = 0.3;  // seconds
  if (!view.figure.is_older()) return view.older_since.reset();
  const double now = ImGui::GetTime();
  if (!view.older_since) view.older_since = now;
  if (now - *view.older_since < kNoticed) return;
  constexpr std::string_view kText = "Older numbers; computing…";
  const ImVec2 size = ImGui::CalcTextSize(kText.data());
  const ImVec2 pad(ui.px(6), ui.px(3));
  const ImVec2 end(corner.x + size.x + 2 * pad.x, corner.y + size.y + 2 * pad.y);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, end, to_imgui(ui.colors().accent), ui.px(4));
  list.AddText(ImVec2(corner.x + pad.x, corner.y + pad.y),
               to_imgui(readable_on(ui.colors().accent)), kText.data());
  if (ui.probe != nullptr) ui.probe->record_rect("plot/older", corner, end, kText);
}

// A plot of one matrix fills the room and is zoomed by the wheel everywhere; others are pages,
// which may be taller than the room and scroll.
void plot_canvas(Ui& ui, const AppState& state, PlotsView& view, const PlotEntry& plot) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  PlotOptions options = canvas_options(ui, state, room);
  if (plot.fills_room) {
    options.highlight.reset();
  } else {
    options.height = 0.0;
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const Figure* figure = shown_figure(ui, state, view, plot, options);
  if (figure == nullptr) return;
  Figure marks;
  const Figure hover = hover_of(ui, state, plot, *figure, options);
  std::array<const Figure*, 3> figures{figure, &hover, nullptr};
  std::size_t count = 2;
  if (state.hover) {
    marks = hover_marks(*figure, *state.hover, ui.theme);
    figures[count++] = &marks;
  }
  const ImVec2 page(ui.px(static_cast<float>(figure->width)),
                    ui.px(static_cast<float>(figure->height)));
  const std::string name = "plot/" + std::string(plot.name);
  const CanvasEvents events =
      canvas(ui, name.c_str(), std::span(figures).first(count), plot.fills_room ? room : page);
  cell_events(ui, state, view, *figure, events);
  tensor_events(ui, state, events);
  older_tag(ui, view, corner);
}

}  // namespace

bool is_compact_panel(const Ui& ui) {
  return ImGui::GetWindowWidth() < ui.px(kCompactWidth) ||
         ImGui::GetWindowHeight() < ui.px(kCompactHeight);
}

void plots_panel(Ui& ui, const AppState& state, PlotsView& view) {
  Flow tabs;
  const bool compact = is_compact_panel(ui);
  compact && !tabs_fit_one_line(state, tabs) ? plot_choice(ui, state, tabs)
                                             : plot_tabs(ui, state, tabs);
  const PlotEntry* plot = plot_named(focused_view(state).plot);
  if (plot == nullptr) return;
  const bool stages = uses(*plot, "stage");
  if (stages && compact) more_popup(ui, state, tabs);
  stages ? heatmap_toolbar(ui, state, compact) : plot_toolbar(ui, state, view, *plot);
  ImGui::BeginChild("plot/area", ImVec2(0, 0), false,
                    plot->fills_room
                        ? ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoScrollbar
                        : ImGuiWindowFlags_None);
  plot_canvas(ui, state, view, *plot);
  ImGui::EndChild();
}

}  // namespace attn::gui
