// Bar and options popup of a pane, made from the options that the plot lists.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>
#include <utility>

#include "base/joined.h"
#include "base/utf8.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/pane/pane.h"
#include "gui/ui/style.h"
#include "plot/maps/maps.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

constexpr float kIconWidth = 26.0F;  // units
constexpr float kNumberWidth = 64.0F;

enum class Icon { More, Maximise, Restore, Close };

void draw_icon(const Ui& ui, Icon icon, ImVec2 middle, ImU32 ink) {
  const float unit = ui.scale, thick = std::max(1.0F, 1.2F * unit);
  const auto at = [&](float x, float y) {
    return ImVec2(middle.x + x * unit, middle.y + y * unit);
  };
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  switch (icon) {
    case Icon::More:
      for (const float x : {-5.0F, 0.0F, 5.0F}) draw.AddCircleFilled(at(x, 0), 1.6F * unit, ink);
      return;
    case Icon::Maximise:
      return draw.AddRect(at(-5, -5), at(5, 5), ink, unit, 0, thick);
    case Icon::Restore:
      draw.AddRect(at(-5, -2), at(2, 5), ink, unit, 0, thick);
      draw.AddLine(at(-2, -5), at(5, -5), ink, thick);
      return draw.AddLine(at(5, -5), at(5, 2), ink, thick);
    case Icon::Close:
      draw.AddLine(at(-4, -4), at(4, 4), ink, thick);
      return draw.AddLine(at(-4, 4), at(4, -4), ink, thick);
  }
}

bool icon_button(Ui& ui, std::string_view name, Icon icon, std::string_view help) {
  const UiColors& colors = ui.colors();
  const DrawnButton area =
      drawn_button(ui, name, ImVec2(ui.px(kIconWidth), ImGui::GetFrameHeight()));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (area.hovered) draw.AddRectFilled(area.min, area.max, to_imgui(colors.hovered), ui.px(4));
  const ImVec2 middle(std::floor(area.middle().x), std::floor(area.middle().y));
  draw_icon(ui, icon, middle, to_imgui(area.hovered ? colors.text : colors.muted));
  tooltip(ui, help);
  return area.pressed;
}

// Why a plot has nothing to show in the pane; "" if it has, or without a result.
std::string why_nothing(const PaneScope& scope, const PlotEntry& plot) {
  const ResultPtr& result = scope.state.result;
  return result ? why_nothing(plot, *result, scope.options().at) : "";
}

void plot_choice(const PaneScope& scope) {
  const auto reason = [&](const PlotEntry& plot) { return why_nothing(scope, plot); };
  word_menu(scope.ui, "plot/tab", scope.plot.label, true, "Chooses the plot of this pane", [&] {
    const auto chosen = plot_rows(scope, reason);
    if (chosen) scope.ui.send(command::SelectPlot{std::string(*chosen), scope.pane.id});
  });
}

// Items side by side, as long as they fit before the buttons at the right.
struct Row {
  float end;  // screen pixels
  bool full = false;

  // Returns whether an item of that width still fits, and continues the line for it.
  bool next(float width_px) {
    const float begin = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x;
    full = full || begin + width_px > end;
    if (!full) ImGui::SameLine();
    return !full;
  }
  float space() const { return end - ImGui::GetItemRectMax().x; }
};

// A button, if it fits on the line. Returns whether it was pressed.
bool row_button(const PaneScope& scope, Row& row, std::string_view name, std::string_view label,
                ButtonOptions options) {
  options.kind = ButtonKind::Quiet;
  return row.next(button_width(scope.ui, label)) && button(scope.ui, name, label, options);
}

constexpr float kFullChoice = 170.0F;  // units, for the choice of the head of an unlinked pane

// ", L2 H3" if there are other panes, unless the bar has a choice of the head; "" for matrices that
// join all heads.
std::string head_of_several(const PaneScope& scope, const Row& row) {
  const AttentionShape shape = shape_of(scope.state.document);
  const bool has_choice = !scope.pane.linked && row.space() >= scope.ui.px(kFullChoice);
  const bool is_said = panes_of(scope.state.layout).size() > 1 && !has_choice &&
                       shape.layers * shape.heads > 1 && uses(scope.plot, Option::Head) &&
                       !uses(scope.plot, Option::MinusHead) &&
                       why_idle(scope.plot, scope.options(), "head").empty();
  if (!is_said) return "";
  const HeadAddress& at = scope.options().at;
  const std::string layer =
      shape.layers > 1 ? "L" + std::to_string(layer_number(shape, at.layer)) + " " : "";
  return ", " + layer + "H" + std::to_string(at.head + 1);
}

constexpr float kFullDifference = 330.0F;  // units, for the words of both sides of a difference

// The stage and head that the pane shows, after the name of its plot; without space for both, the
// head alone, in which panes differ.
void subject(const PaneScope& scope, const Row& row) {
  // The choice of both sides of a difference comes first.
  const bool is_tight =
      uses(scope.plot, Option::MinusHead) && row.space() < scope.ui.px(kFullDifference);
  if (!uses(scope.plot, Option::Stage) || is_tight) return;
  ImGui::SameLine(0, scope.ui.px(2));
  ImGui::AlignTextToFramePadding();
  const std::string head = head_of_several(scope, row);
  const bool is_changed = scope.state.document.what_if != Interventions{};
  const std::string words = "· " + in_small_letters(stage_info(scope.options().stage).label) +
                            head + (is_changed ? ", heads changed" : "");
  const bool is_short = !head.empty() && text_size(words).x > row.space();
  fragment(scope.ui, fitted_token(scope.ui, is_short ? "· " + head.substr(2) : words,
                                  std::max(row.space(), 0.0F)));
  scope.ui.mark("plot/subject", words);
}

// Shown while they have an effect; both have a key, and painting begins in the menu at the right.
void map_buttons(const PaneScope& scope, Row& row) {
  if (scope.state.tool == Tool::PaintMask) {
    row_button(scope, row, "plot/painting", "Paint mask",
               {.tooltip = "Click or drag over cells to hide or show them, with Shift in this head "
                           "alone; press to stop",
                .shortcut = "M",
                .on = true,
                .sends = command::SetTool{Tool::Inspect}});
  }
  if (scope.options().window.rows > 0.0) {
    row_button(
        scope, row, "plot/fit", "Fit",
        {.tooltip = "Shows the whole matrix", .shortcut = "F", .sends = command::SetWindow{}});
  }
}

void values_button(const PaneScope& scope, Row& row) {
  const std::string_view why = scope.view.figure.why_no_numbers();
  const bool on = scope.options().values;
  row_button(scope, row, "plot/values", "Values",
             {.tooltip = "Numbers in the cells, when they fit",
              .shortcut = "V",
              .enabled = why.empty(),
              .disabled_reason = why,
              .on = why.empty() && on,
              .sends = scope.setting("values", on ? "false" : "true")});
}

FieldOptions look_of(const PaneScope& scope, std::string_view name, const Field<ViewOptions>& field,
                     float width) {
  return {.width = width,
          .hint = is_number(field.kind) || field.name.ends_with("_title") ? "Automatic"
                                                                          : "As the document",
          .focus = scope.view.asked_field == name};
}

// True if documents count the field from 0, and the window, as everywhere, from 1.
bool counts_from_1(const PaneScope& scope, const Field<ViewOptions>& field) {
  const bool of_layers = field.name.find("layer") != field.name.npos;
  return field.help.find("counted from 0") != field.help.npos &&
         !(of_layers && !scope.state.document.layer_numbers.empty());
}

std::string help_of(const PaneScope& scope, const Field<ViewOptions>& field) {
  std::string help(field.help);
  if (!counts_from_1(scope, field)) return help;
  for (const char* counted : {"; figures count from 1", ", counted from 0", " counted from 0"}) {
    help = with_replaced(help, counted, "");
  }
  return with_numbers_moved(help, 1);
}

FieldValue shown_value(const PaneScope& scope, const Field<ViewOptions>& field) {
  FieldValue value = value_of(field, scope.options());
  if (!counts_from_1(scope, field)) return value;
  value.text = with_numbers_moved(value.text, 1);
  value.help = help_of(scope, field);
  value.limits.least += 1.0;
  value.limits.most += 1.0;
  value.problem = [problem = value.problem](const std::string& text) {
    return with_numbers_moved(problem(with_numbers_moved(text, -1)), 1);
  };
  return value;
}

// Takes a text in the form of shown_value().
void set_shown(const PaneScope& scope, const Field<ViewOptions>& field, const std::string& text) {
  scope.set(std::string(field.name),
            counts_from_1(scope, field) ? with_numbers_moved(text, -1) : text);
}

// Control of one field: a checkbox, a list, or a field that explains rejected input. Probe: `name`.
void option_control(const PaneScope& scope, std::string_view name,
                    const Field<ViewOptions>& field) {
  const auto text = field_control(scope.ui, name, shown_value(scope, field), scope.view.fields,
                                  look_of(scope, name, field, kNumberWidth));
  if (text) set_shown(scope, field, *text);
}

float label_width(Ui& ui, std::string_view label) {
  if (label.empty()) return 0.0F;
  return text_size(ui.text(Wording::Label, label)).x + ImGui::GetStyle().ItemSpacing.x;
}

// A menu for each part of an address that has several values, behind a word; `prefix` is that of
// the options that they set. `brief`: "H2".
void address_menus(const PaneScope& scope, Row& row, std::string_view word,
                   const std::string& prefix, const HeadAddress& at, bool brief) {
  const AttentionShape shape = shape_of(scope.state.document, scope.options().at);
  const auto menu = [&](const char* noun, const AttentionShape& layers, std::size_t chosen) {
    const std::size_t count = layers.layers;
    const std::string field = prefix + static_cast<char>(std::tolower(noun[0])) + (noun + 1);
    const bool idle = !why_idle(scope.plot, scope.options(), field).empty();
    if (count < 2 || idle || !uses(scope.plot, field)) return;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < count; ++i) {
      words.push_back((brief ? std::string(1, noun[0]) : std::string(noun) + " ") +
                      std::to_string(layer_number(layers, i)));
    }
    const float width = word_menu_width(scope.ui, words[chosen]);
    if (!row.next(width + label_width(scope.ui, word))) return;
    ImGui::AlignTextToFramePadding();
    if (!word.empty()) {
      fragment(scope.ui, std::exchange(word, {}));
      ImGui::SameLine();
    }
    const std::vector<std::string_view> labels(words.begin(), words.end());
    if (const auto now = word_menu(scope.ui, "plot/" + field, labels, chosen, false, {},
                                   help_of(scope, *plot_option_named(field)))) {
      scope.set(field, std::to_string(*now));
    }
  };
  menu("Layer", shape, at.layer);
  menu("Sample", {.layers = shape.samples}, at.sample);
  menu("Head", {.layers = shape.heads}, at.head);
}

// The heads of a difference, or that of a pane which does not follow the others.
void address_choice(const PaneScope& scope, Row& row) {
  const bool subtracts = uses(scope.plot, Option::MinusHead);
  if (scope.pane.linked && !subtracts) return;
  const bool has_layers = shape_of(scope.state.document).layers > 1;
  const float in_full = has_layers ? 400.0F : subtracts ? kFullDifference : 225.0F;
  const bool brief = row.space() < scope.ui.px(in_full);
  const ImVec2 usual = ImGui::GetStyle().ItemSpacing;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, brief ? ImVec2(scope.ui.px(4), usual.y) : usual);
  address_menus(scope, row, subtracts ? "A:" : "", "", scope.options().at, brief);
  if (subtracts && scope.state.result) {
    const FittedView view({scope.state.document, *scope.state.result},
                          plot_options(scope.state, scope.pane));
    const Result<MatrixId> b = subtracted_matrix(view);
    if (b && is_computed(*b)) address_menus(scope, row, "− B:", "minus_", b->head, brief);
  }
  ImGui::PopStyleVar();
}

// One step back, the number of steps, one step forward, all of them.
void step_buttons(const PaneScope& scope, Row& row) {
  Ui& ui = scope.ui;
  const float arrows =
      2 * button_width(ui, "‹") + button_width(ui, "All steps") + scope.ui.px(kNumberWidth);
  if (!row.next(arrows + 3 * ImGui::GetStyle().ItemSpacing.x)) return;
  const bool steps = info_of(scope.state.document.model).has_steps;
  const char* why = kNoSteps;
  const auto arrow = [&](const char* name, const char* label, const char* help, const char* key,
                         int by) {
    button(ui, name, label,
           {.tooltip = help,
            .shortcut = key,
            .enabled = steps,
            .disabled_reason = why,
            .sends = command::StepDecoder{by}});
    ImGui::SameLine();
  };
  arrow("plot/step/back", "‹", "One step back", ",", -1);
  option_control(scope, "plot/step/value", *plot_option_named("step"));
  ImGui::SameLine();
  arrow("plot/step/next", "›", "One step on", ".", 1);
  button(ui, "plot/step/all", "All steps",
         {.tooltip = "Shows all decoder steps",
          .enabled = steps,
          .disabled_reason = why,
          .on = scope.options().step == 0,
          .sends = scope.setting("step", "0")});
}

// Frequently used options, shown in the bar if the plot lists them.
struct FrequentOption {
  const char* field;
  const char* name;             // probe name
  std::string_view label = {};  // if the value needs a label
};
constexpr FrequentOption kFrequentOptions[] = {
    {"matrix", "plot/derived/matrix"},
    {"residual", "plot/derived/residual", "Residual"},
    {"kernel", "plot/kernel/value", "Kernel k"},
    {"sort", "plot/sort", "Sorted by"},
    {"tint", "plot/tint", "Tinted by"},
    {"row_share", "plot/row_share", "Part of each row"},
    {"values", "plot/values"},
};
// These follow the others; options that do not fit are in the popup as well.
constexpr FrequentOption kLastOptions[] = {
    {"layers", "plot/drawn_layers", "Layers"},
    {"heads", "plot/drawn_heads", "Heads"},
};

void bar_label(const PaneScope& scope, const FrequentOption& option,
               const Field<ViewOptions>& field) {
  FieldValue value = shown_value(scope, field);
  value.label = option.label;
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  const auto dragged = field_label(scope.ui, option.name, value, scope.view.fields);
  ImGui::PopStyleColor();
  if (dragged) set_shown(scope, field, *dragged);
}

void bar_control(const PaneScope& scope, Row& row, const FrequentOption& option) {
  const Field<ViewOptions>& field = *plot_option_named(option.field);
  const FieldValue value = value_of(field, scope.options());
  const std::vector<std::string_view> words(value.words.begin(), value.words.end());
  const std::size_t chosen = chosen_index(value);
  const bool is_choice = field.kind == FieldKind::Choice;
  const float control =
      is_choice ? word_menu_width(scope.ui, words[chosen]) : scope.ui.px(kNumberWidth);
  if (!row.next(control + label_width(scope.ui, option.label))) return;
  if (!option.label.empty()) {
    bar_label(scope, option, field);
    ImGui::SameLine(0, is_choice ? 0.0F : -1.0F);
  }
  if (!is_choice) return option_control(scope, option.name, field);
  const auto now = word_menu(scope.ui, option.name, words, chosen, false, {}, field.help);
  if (now) scope.set(std::string(field.name), std::string(field.choices[*now]));
}

void frequent_options(const PaneScope& scope, Row& row, std::span<const FrequentOption> options) {
  for (const FrequentOption& option : options) {
    const bool idle = !why_idle(scope.plot, scope.options(), option.field).empty();
    if (!uses(scope.plot, option.field) || idle) continue;
    if (plot_option_named(option.field)->kind == FieldKind::Flag) {
      values_button(scope, row);
    } else {
      bar_control(scope, row, option);
    }
  }
}

// The way back from a map to the plot in which it was opened, else to all heads, where these have
// no pane of their own.
void back_button(const PaneScope& scope, Row& row) {
  const AttentionShape shape = shape_of(scope.state.document);
  const bool alone = panes_of(scope.state.layout).size() == 1;
  const bool has_heads = alone && shape.layers * shape.heads > 1;
  const PlotEntry* plot = plot_named(scope.pane.opened_from);
  if (plot == nullptr && has_heads) plot = plot_named("heads");
  if (plot == nullptr || !scope.is_heatmap()) return;
  const std::string name(plot->name);
  const bool pressed = row_button(
      scope, row, "plot/" + name, "‹ " + std::string(plot->label),
      {.tooltip = scope.view.taken_out ? "Back to this plot, and puts the head back that the click "
                                         "took out"
                                       : "Back to this plot, where a click opens a map",
       .sends = command::SelectPlot{name, scope.pane.id}});
  if (!pressed) return;
  if (const auto gates = put_back(scope); !gates.empty()) scope.ui.send(command::SetGates{gates});
}

void compare_button(const PaneScope& scope, Row& row) {
  const AttentionShape shape = shape_of(scope.state.document);
  const bool shows_heads = scope.is_heatmap() || scope.plot.name == "heads";
  if (!shows_heads || shape.layers * shape.heads < 2) return;
  row_button(scope, row, "plot/compare", "Compare",
             {.tooltip = "This head minus another, in a pane that has a choice of both",
              .sends = command::CompareHead{scope.pane.id}});
}

void bar_controls(const PaneScope& scope, Row& row) {
  address_choice(scope, row);
  back_button(scope, row);
  const bool has_player = scope.plot.steps != nullptr;
  if (uses(scope.plot, Option::Step) && !has_player) step_buttons(scope, row);
  frequent_options(scope, row, kFrequentOptions);
  if (scope.is_heatmap()) map_buttons(scope, row);
  compare_button(scope, row);
  frequent_options(scope, row, kLastOptions);
}

// A button of the popup, which it closes.
void popup_button(Ui& ui, std::string_view name, std::string_view label, ButtonOptions options) {
  options.kind = ButtonKind::Quiet;
  if (button(ui, name, label, options)) ImGui::CloseCurrentPopup();
}

// Draws the buttons that split the pane or begin to paint, above its options.
void pane_actions(const PaneScope& scope) {
  Ui& ui = scope.ui;
  for (const auto direction : {SplitDirection::Right, SplitDirection::Down}) {
    const bool below = direction == SplitDirection::Down;
    const std::string why_not = why_no_split(scope.state, scope.pane.id, direction);
    popup_button(ui, below ? "plot/split/Down" : "plot/split/Right",
                 below ? "Split below" : "Split beside",
                 {.tooltip = "Shows the same numbers in two panes, each with a plot of its own",
                  .shortcut = below ? "Ctrl+Shift+\\" : "Ctrl+\\",
                  .enabled = why_not.empty(),
                  .disabled_reason = why_not,
                  .sends = command::SplitPane{scope.pane.id, direction}});
    ImGui::SameLine();
  }
  const AttentionShape shape = shape_of(scope.state.document);
  popup_button(ui, "plot/split/Another head", "Another head",
               {.tooltip = "A pane beside this one whose bar chooses its own head",
                .enabled = shape.layers * shape.heads > 1,
                .disabled_reason = "There is one head",
                .sends = command::ShowBeside{scope.pane.id}});
  if (!scope.is_heatmap()) return;
  popup_button(
      ui, "plot/paint", "Paint mask",
      {.tooltip = "Click or drag over cells to hide or show them, with Shift in this head alone",
       .shortcut = "M",
       .sends = command::SetTool{Tool::PaintMask}});
}

constexpr const char* kPopup = "plot/options";
constexpr float kLabelWidth = 122.0F, kControlWidth = 176.0F;  // units

// Popup of all options that change the figure, next to those of files, opened by
// "plot/options"; the control of each is "plot/options/FIELD".
std::string option_name(std::string_view field) { return "plot/options/" + std::string(field); }

// Opens the popup at the option requested by a command; call in the window of options_popup.
void open_asked_option(const PaneScope& scope) {
  const std::string& asked = scope.state.asked_option;
  if (asked.empty() || scope.pane.id != scope.state.focus) return;
  scope.ui.send(command::ShowOption{});
  scope.view.asked_field = option_name(asked);
  ImGui::OpenPopup(kPopup);
}

// The colours of a map that is none of the choices.
void own_colors_row(const PaneScope& scope, const Field<ViewOptions>& field) {
  FieldValue value = value_of(field, scope.options());
  value.label = "Own colours";
  value.help = "Two to 256 colours from low to high, as in #fff,#08306b; then _r reverses them";
  value.kind = FieldKind::Text;
  value.problem = [problem = value.problem](const std::string& text) {
    return text.empty() ? std::string() : problem(text);
  };
  if (!lists_colors(value.text)) value.text.clear();
  const auto text = field_row(scope.ui, "plot/options/own_colors", value, scope.view.fields,
                              kLabelWidth, {.width = kControlWidth, .hint = "#fff,#08306b"});
  if (text) scope.set(std::string(field.name), text->empty() ? "auto" : *text);
}

void option_rows(const PaneScope& scope, bool of_files) {
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !uses(scope.plot, field.name) || is_of_a_file(field.name) != of_files) {
      continue;
    }
    if (!of_files && is_of_the_strip(field.name) && scope.pane.linked) continue;
    if (!why_idle(scope.plot, scope.options(), field.name).empty()) continue;
    const std::string name = option_name(field.name);
    FieldValue value = shown_value(scope, field);
    const bool fits_content = field.is_length && field.minimum == 0.0;  // as 0 says in files
    if (fits_content) {
      if (value.text == "0") value.text.clear();
      value.problem = [problem = value.problem](const std::string& typed) {
        return problem(typed.empty() ? "0" : typed);
      };
    }
    const auto text = field_row(scope.ui, name, value, scope.view.fields, kLabelWidth,
                                look_of(scope, name, field, kControlWidth));
    if (value.limits.unit == "pt") {
      ImGui::SameLine();
      fragment(scope.ui, value.limits.unit);
    }
    if (text) set_shown(scope, field, fits_content && text->empty() ? "0" : *text);
    if (field.may_list) own_colors_row(scope, field);
  }
}

void options_popup(const PaneScope& scope) {
  if (!ImGui::BeginPopup(kPopup)) return;
  const bool settled = !ImGui::IsWindowAppearing();
  pane_actions(scope);
  ImGui::BeginGroup();
  section_header(scope.ui, scope.plot.label);
  option_rows(scope, false);
  if (std::optional<bool> linked = checkbox(
          scope.ui, "plot/options/linked", "Follows the other panes", scope.pane.linked,
          "Shows the same attention, layer, sample and head as the other panes that follow")) {
    scope.ui.send(command::LinkPane{scope.pane.id, *linked});
  }
  ImGui::EndGroup();
  ImGui::SameLine(0.0F, scope.ui.px(24));
  ImGui::BeginGroup();
  section_header(scope.ui, "Exported figure");
  option_rows(scope, true);
  ImGui::EndGroup();
  if (settled) scope.view.asked_field.clear();
  ImGui::EndPopup();
}

// Buttons at the right end; close and maximise only if there are several panes.
void pane_buttons(const PaneScope& scope, bool several) {
  Ui& ui = scope.ui;
  if (icon_button(ui, "plot/options", Icon::More, "Splits the pane; all options of this plot"))
    ImGui::OpenPopup(kPopup);
  open_asked_option(scope);
  options_popup(scope);
  if (!several) return;
  ImGui::SameLine(0, 0);
  const bool alone = scope.state.maximised;
  if (icon_button(ui, "plot/maximise", alone ? Icon::Restore : Icon::Maximise,
                  alone ? "Shows all panes again" : "Shows this pane alone")) {
    ui.send(command::MaximisePane{!alone});
  }
  ImGui::SameLine(0, 0);
  if (icon_button(ui, "plot/close", Icon::Close, "Closes this pane")) {
    ui.send(command::ClosePane{scope.pane.id});
  }
}

}  // namespace

void pane_bar(const PaneScope& scope) {
  const Ui& ui = scope.ui;
  const bool several = panes_of(scope.state.layout).size() > 1;
  const float buttons = ui.px(kIconWidth) * (several ? 3.0F : 1.0F);
  const float left = ImGui::GetCursorPosX();
  const float end = left + ImGui::GetContentRegionAvail().x - buttons;
  plot_choice(scope);
  Row row{ImGui::GetWindowPos().x + end};
  subject(scope, row);
  bar_controls(scope, row);
  ImGui::SameLine(end);
  pane_buttons(scope, several);
}

}  // namespace attn::gui
