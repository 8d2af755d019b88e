// Dialog of exports.
#include <algorithm>
#include <cmath>

#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "gui/ui/canvas.h"
#include "session/command.h"
#include "session/figure_file.h"
#include "session/preferences.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

constexpr float kExportLabel = 124.0F, kExportControl = 150.0F, kExportOptions = 396.0F;  // units

void plot_row(Ui& ui, const AppState& state, ExportView& view, std::string_view name,
              std::string_view label = {}) {
  const Field<ViewOptions>& field = *plot_option_named(name);
  const char* hint = name == "title" ? "As the document" : "Automatic";
  FieldValue value = value_of(field, focused_view(state).options);
  if (!label.empty()) value.label = label;
  const auto text = field_row(ui, "export/" + std::string(name), value, view.typing, kExportLabel,
                              {.width = kExportControl, .hint = hint});
  if (text) ui.send(command::SetOption{std::string(name), *text});
}

void preference_row(Ui& ui, const AppState& state, ExportView& view, std::string_view preference,
                    std::string_view label) {
  const Field<Preferences>& field = *preference_named(preference);
  FieldValue value = value_of(field, state.preferences);
  value.label = label;
  const auto text = field_row(ui, "export/" + std::string(preference), value, view.typing,
                              kExportLabel, {.width = kExportControl});
  if (text) ui.send(command::SetPreference{std::string(preference), *text});
}

// A side of the figure in the chosen unit; the option itself is in points.
void length_row(Ui& ui, const AppState& state, ExportView& view, std::string_view name) {
  const Field<ViewOptions>& field = *plot_option_named(name);
  const ViewOptions& options = focused_view(state).options;
  const double points = std::strtod(field.get(options).c_str(), nullptr),
               dpi = state.preferences.export_options.dpi;
  const LengthUnit unit = state.preferences.export_unit;
  FieldValue value = value_of(field, options);
  const bool automatic = points == 0.0;  // possible for a height
  value.help = name == "height" ? "Empty: as large as the content needs" : "Of the figure";
  value.text = automatic ? "" : short_text(in_unit(points, unit, dpi), 5);
  value.limits.least = std::ceil(10.0 * in_unit(field.minimum, unit, dpi)) / 10.0;
  value.limits.most = std::floor(10.0 * in_unit(field.maximum, unit, dpi)) / 10.0;
  value.limits.unit = kLengthUnits[static_cast<std::size_t>(unit)];
  const auto as_points = [unit, dpi](const std::string& text) -> std::string {
    if (text.empty()) return "0";
    if (const Result<float> number = parse_number(text)) {
      return plain_text(in_points(static_cast<double>(*number), unit, dpi));
    }
    const std::optional<double> own = points_of(text, dpi);  // "85mm", whatever unit is chosen
    return own ? plain_text(*own) : text;
  };
  value.problem = [&, problem = value.problem](const std::string& text) {
    return problem(as_points(text));
  };
  const auto text = field_row(ui, "export/" + std::string(name), value, view.typing, kExportLabel,
                              {.width = kExportControl, .hint = "Automatic"});
  ImGui::SameLine();
  empty_hint(ui, value.limits.unit);
  if (text) ui.send(command::SetOption{std::string(name), as_points(*text)});
}

void unit_row(Ui& ui, const AppState& state) {
  control_name(ui, "Unit");
  ImGui::SameLine(ui.px(kExportLabel) + ImGui::GetStyle().ItemSpacing.x);
  const auto chosen =
      segmented(ui, "export/unit", kLengthUnits,
                static_cast<std::size_t>(state.preferences.export_unit), [](std::size_t i) {
                  return "Width and height below are in " + std::string(kLengthUnits[i]);
                });
  if (chosen) ui.send(command::SetPreference{"export_unit", std::string(kLengthUnits[*chosen])});
}

// The format follows from the file name extension.
void format_row(Ui& ui, const AppState& state, ExportView& view) {
  control_name(ui, "Format");
  ImGui::SameLine(ui.px(kExportLabel) + ImGui::GetStyle().ItemSpacing.x);
  const auto offer = [&, chosen = exporter_for(view.path)](const Exporter& exporter) {
    const std::string extension(exporter.extension);
    if (button(ui, "export/format/" + extension, exporter.label,
               {.tooltip = exporter.description, .on = &exporter == chosen})) {
      view.path = with_export_extension(view.path, extension);
      view.focus_path = true;
      view.problem.clear();
      if (extension != kAnimation) ui.send(command::SetPreference{"export_format", extension});
    }
    ImGui::SameLine();
  };
  std::ranges::for_each(all_exporters(), offer);
  const std::string animation = "." + std::string(kAnimation);
  if (is_story(figure_spec(state), animation)) offer(*exporter_for(animation));
  ImGui::NewLine();
  if (!is_page(view.path)) return;
  empty_hint(ui, is_in_lesson(state) ? "All steps of the lesson, to walk through in a browser"
                                     : "All layers and heads, to choose from in a browser");
}

// A switch for the title, and a field with its text: the document's or another.
void title_rows(Ui& ui, const AppState& state, ExportView& view) {
  const std::string& title = focused_view(state).options.title;
  const bool shown = title != kNoTitle;
  const FieldValue value{.label = "Title",
                         .help = "Title, subtitle and the note on generated numbers",
                         .kind = FieldKind::Flag,
                         .text = shown ? "true" : "false"};
  if (shown) view.title = title;
  const auto on = field_row(ui, "export/has_title", value, view.typing, kExportLabel,
                            {.width = kExportControl});
  if (on) ui.send(command::SetOption{"title", shown ? std::string(kNoTitle) : view.title});
  if (shown) plot_row(ui, state, view, "title", "Title text");
}

// Options of the strip above the panes are not repeated.
bool is_of_the_plot(const Field<ViewOptions>& field, const PlotEntry& plot,
                    const ViewOptions& options) {
  const bool is_above = is_of_a_file(field.name) || field.name == "notes";
  return !field.alias && uses(plot, field.name) && !is_above && !is_of_the_strip(field.name) &&
         why_idle(plot, options, field.name).empty();
}

// Settings of exports and the options that are remembered, back to the defaults.
void reset_button(Ui& ui, ExportView& view) {
  if (!button(ui, "export/reset", "Reset",
              {.kind = ButtonKind::Quiet,
               .tooltip = "Format, size, fonts and the settings of exports as at first"})) {
    return;
  }
  for (const std::string_view name : remembered_options()) {
    ui.send(command::SetOption{std::string(name), plot_option_named(name)->get({})});
  }
  for (const Field<Preferences>& field : preference_fields()) {
    if (!field.name.starts_with("export_")) continue;
    ui.send(command::SetPreference{std::string(field.name), field.get({})});
  }
  view.path = with_export_extension(view.path, Preferences{}.export_format);
}

void option_columns(Ui& ui, const AppState& state, ExportView& view) {
  if (std::holds_alternative<Split>(state.layout)) {
    preference_row(ui, state, view, "export_panes", "All panes");
    if (state.preferences.export_panes) plot_row(ui, state, view, "letters");
  }
  format_row(ui, state, view);
  unit_row(ui, state);
  length_row(ui, state, view, "width");
  length_row(ui, state, view, "height");
  preference_row(ui, state, view, "export_dpi", "Dots per inch");
  for (const std::string_view name : {"theme", "font_size"}) plot_row(ui, state, view, name);
  ImGui::SameLine();
  empty_hint(ui, "pt");
  plot_row(ui, state, view, "font");
  title_rows(ui, state, view);
  for (const std::string_view name : {"axes", "color_bar", "histogram", "notes"}) {
    if (shown_plot_uses(state, *option_named(name))) plot_row(ui, state, view, name);
  }
  preference_row(ui, state, view, "export_transparent", "No background");
  preference_row(ui, state, view, "export_outlines", "SVG text as shapes");
  const PlotEntry* plot = plot_named(focused_view(state).plot);
  if (plot == nullptr) return;
  section_header(ui, plot->label);
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (is_of_the_plot(field, *plot, focused_view(state).options))
      plot_row(ui, state, view, field.name);
  }
}

// Preview of the figure, fitted to the available space.
void preview(Ui& ui, const AppState& state, ExportView& view) {
  const ImVec2 space = ImGui::GetContentRegionAvail(), corner = ImGui::GetCursorScreenPos();
  FigureSpec spec = figure_spec(state);
  spec.options.on_screen = false;
  spec.options.previewed = true;
  const Result<Figure>* drawn = view.figure.figure(state, spec, pango_metrics());
  if (drawn == nullptr) return empty_hint(ui, "Computing…");
  if (!drawn->ok()) return empty_hint(ui, describe(drawn->error()));
  const Figure& figure = drawn->value();
  const auto width = static_cast<float>(figure.width), height = static_cast<float>(figure.height);
  const float scale = std::min({space.x / width, space.y / height, 2.0F * ui.scale});
  const ImVec2 size(width * scale, height * scale);
  const ImVec2 at(std::floor(corner.x + (space.x - size.x) / 2),
                  std::floor(corner.y + (space.y - size.y) / 2));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end = at + size;
  const bool transparent = state.preferences.export_options.transparent;
  if (!transparent) draw.AddRectFilled(at, end, to_imgui(figure.background));
  draw.PushClipRect(at, end, true);
  paint(ui, draw, figure, Placement{at, scale});
  draw.PopClipRect();
  draw.AddRect(at, end, to_imgui(ui.colors().edge));
  ImGui::Dummy(space);
  ui.mark("export/preview");
}

// A name without extension gets that of the chosen format; an unknown extension is an error.
void accept(Ui& ui, const AppState& state, ExportView& view) {
  std::string path = resolved_path(current_folder(), view.path);
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name.find('.') == std::string::npos) {
    path = with_export_extension(path, state.preferences.export_format);
  }
  if (name.empty()) {
    view.problem = "Type where the figure is to be written";
  } else if (exporter_for(path) != nullptr) {
    ui.send(command::Export{path});
  } else {
    const auto known = names_of(all_exporters(), &Exporter::extension);
    view.problem =
        "The name of a picture must end in ." + joined(known, " or .") + ", unlike " + name;
  }
  view.focus_path = true;
}

// Returns whether Enter was pressed in the field.
bool path_row(Ui& ui, ExportView& view) {
  const float buttons = button_width(ui, "Choose…") + ImGui::GetStyle().ItemSpacing.x;
  if (std::exchange(view.focus_path, false)) ImGui::SetKeyboardFocusHere();
  const TextInputResult typed = line_field(
      ui, "export/path", view.path, "File name",
      "Where the picture is written; the ending of the name chooses the format", -buttons);
  if (typed.changed) view.problem.clear();
  ImGui::SameLine();
  if (button(ui, "export/browse", "Choose…", {.tooltip = "Folders and files"})) {
    view.browsing = true;
    ui.send(command::ShowDialog{DialogKind::ExportFile});
  }
  return typed.entered;
}

void command_row(Ui& ui, const AppState& state, const ExportView& view) {
  const std::string call = export_call(state, view.path);
  const float copy = button_width(ui, "Copy") + ImGui::GetStyle().ItemSpacing.x;
  ImGui::PushFont(ui.fonts.mono);
  const float space = ImGui::GetContentRegionAvail().x - copy;
  const float wide = ImGui::CalcTextSize(call.c_str()).x;
  ImGui::BeginChild(
      "export/call",
      ImVec2(space, ImGui::GetTextLineHeight() + (wide > space ? ui.px(14) : ui.px(4))), false,
      ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::TextUnformatted(call.c_str());
  ui.mark("export/command", call);
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::SameLine();
  if (button(ui, "export/copy_command", "Copy",
             {.kind = ButtonKind::Quiet, .tooltip = "Copies the call of the command line"})) {
    ImGui::SetClipboardText(call.c_str());
  }
  const char* about = "Same figure from the command line";
  const std::string remark = export_remark(state);
  empty_hint(ui, remark.empty() ? about : remark);
  ui.mark("export/remark", remark);
}

void footer(Ui& ui, const AppState& state, ExportView& view) {
  const bool entered = path_row(ui, view);
  command_row(ui, state, view);
  const bool pressed = button(ui, "export/accept", "Export",
                              {.kind = ButtonKind::Primary,
                               .tooltip = "Writes the picture; asks before replacing a file",
                               .shortcut = "Enter"});
  ImGui::SameLine();
  const bool cancelled =
      button(ui, "export/cancel", "Cancel", {.tooltip = "Writes nothing", .shortcut = "Esc"});
  ImGui::SameLine();
  reset_button(ui, view);
  const bool popup = is_popup_open();
  const bool escaped = !popup && key_pressed(keys::kEscape, false);
  const bool enter = !ImGui::GetIO().WantTextInput && ui.focus.focused().empty() && enter_pressed();
  if (!view.problem.empty()) {
    ImGui::SameLine();
    problem_text(ui, view.problem, "export/problem");
  }
  if (cancelled || escaped) return ui.send(command::ShowDialog{std::nullopt});
  if (entered || pressed || enter) accept(ui, state, view);
}

void contents(Ui& ui, const AppState& state, ExportView& view) {
  const float below = 3.9F * ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("export/options", ImVec2(ui.px(kExportOptions), -below));
  option_columns(ui, state, view);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("export/figure", ImVec2(0, -below), true,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  preview(ui, state, view);
  ImGui::EndChild();
  footer(ui, state, view);
}

void start(ExportView& view, const AppState& state, bool was_answering) {
  view.focus_path = true;
  view.problem.clear();
  view.title.clear();
  if (!view.browsing) view.chosen.clear();
  if (!state.chosen_export_path.empty() && view.chosen != state.chosen_export_path) {
    view.path = view.chosen = state.chosen_export_path;
  } else if (!was_answering && !view.browsing) {
    const std::string folder = suggested_folder(state, DialogKind::Export);
    const std::string name = suggested_name(state, DialogKind::Export);
    view.path = resolved_path(folder, with_export_extension(name, state.preferences.export_format));
  }
  view.browsing = false;
}

}  // namespace

void export_window(Ui& ui, const AppState& state, ExportView& view) {
  const bool was_answering =
      std::exchange(view.answering, has_question(state, FileObstacle::Exists));
  if (state.dialog != DialogKind::Export) return;
  if (begin_overlay(ui, {"export", "Export the plot", ImVec2(1060, 720)})) {
    start(view, state, was_answering);
  }
  contents(ui, state, view);
  ui.mark("export");
  ImGui::End();
}

}  // namespace attn::gui
