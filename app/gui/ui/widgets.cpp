// Drawing of buttons, checkboxes, combos, lists, headers and tooltips; text fields that keep
// refused input for correction.
#include "gui/ui/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/joined.h"
#include "base/utf8.h"
#include "figure/text.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr double kTooltipDelay = 0.35;  // seconds
constexpr float kTooltipWidth = 320.0F;
constexpr float kMinSegmentWidth = 40.0F;  // units, so that short labels are easy to hit
constexpr float kSwitchWidth = 23.0F, kSwitchHeight = 13.0F;  // units

void push_background(const ButtonBackground& background) {
  ImGui::PushStyleColor(ImGuiCol_Button, to_vec(background.rest));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, to_vec(background.hovered));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, to_vec(background.pressed));
}

// Pushes the colours of a button; returns how many to pop.
int push_button_colors(const UiColors& colors, const ButtonOptions& options) {
  if (options.kind == ButtonKind::Primary) {
    push_background(primary_background(colors));
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec(colors.accent_ink));
    return 4;
  }
  if (options.on) {
    push_background(on_background(colors, options.kind == ButtonKind::Quiet));
    return 3;
  }
  if (options.kind == ButtonKind::Quiet) {
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
    return 1;
  }
  return 0;
}

// Moves the tooltip of the last item away from the next control: to the side of the panels at the
// edges of the window, below the bar of a pane.
void place_tooltip(const Ui& ui) {
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const auto is_in = [&](const char* name) { return std::strstr(window->Name, name) != nullptr; };
  const bool left = is_in("layout/left_side"), right = is_in("layout/right_side");
  const ImRect item = ImGui::GetCurrentContext()->LastItemData.Rect;
  const bool low = item.GetCenter().y > ImGui::GetIO().DisplaySize.y / 2;
  const float gap = ui.px(6);
  if (left || right) {
    while (std::strstr(window->ParentWindow->Name, left ? "layout/left_side" : "layout/right_side"))
      window = window->ParentWindow;
    ImGui::SetNextWindowPos(ImVec2(left ? window->Rect().Max.x + gap : window->Pos.x - gap,
                                   low ? item.Max.y : item.Min.y),
                            ImGuiCond_Always, ImVec2(left ? 0.0F : 1.0F, low ? 1.0F : 0.0F));
  } else if (is_in("panel/plots") && item.GetHeight() < 2 * ImGui::GetFrameHeight()) {
    const bool far = item.GetCenter().x > ImGui::GetIO().DisplaySize.x / 2;
    ImGui::SetNextWindowPos(ImVec2(far ? item.Max.x : item.Min.x, item.Max.y + gap),
                            ImGuiCond_Always, ImVec2(far ? 1.0F : 0.0F, 0.0F));
  }
}

void show_tooltip(Ui& ui, std::string_view text, std::string_view shortcut) {
  place_tooltip(ui);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ui.px(9, 6));
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ui.px(kTooltipWidth));
  text_line(text);
  ui.mark("tooltip", text);
  ImGui::PopTextWrapPos();
  if (!shortcut.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    text_line(shortcut);
    ImGui::PopStyleColor();
  }
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void show_text_tooltip(Ui& ui, std::string_view text) {
  const ImVec2 whole = ui.line_size(text, kLabelFont);
  ImGui::BeginTooltip();
  const ImVec2 inside = ImGui::GetCursorScreenPos();
  ImGui::Dummy(whole);
  ui.draw_line(text, inside, kLabelFont, ui.colors().text);
  ui.mark("tooltip", text);
  ImGui::EndTooltip();
}

// True if the pointer has rested on the last item long enough; if not, requests a frame for then.
bool has_waited_for_tooltip(Ui& ui) {
  if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return false;
  const double hovered_for = ImGui::GetCurrentContext()->HoveredIdTimer;
  if (hovered_for < kTooltipDelay) ui.redraw_within(kTooltipDelay - hovered_for);
  return hovered_for >= kTooltipDelay;
}

constexpr float kTriangle = 7.0F, kTriangleGap = 5.0F;  // units

// Draws the open list and returns the choice.
std::optional<std::size_t> opened_list(Ui& ui, std::string_view name,
                                       std::span<const std::string_view> choices,
                                       std::size_t selected,
                                       const ReasonAgainst& reason_against = {}) {
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string choice(choices[i]);
    const std::string shown = item_label(ui.text(Wording::Label, choice), choice);
    const std::string reason = reason_against ? reason_against(i) : "";
    const UiColors& colors = ui.colors();
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec(reason.empty() ? colors.text : colors.muted));
    if (ImGui::Selectable(shown.c_str(), i == selected)) chosen = i;
    ImGui::PopStyleColor();
    tooltip(ui, reason, {}, true);
    ui.mark(std::string(name) + "/" + choice, i == selected ? "on" : "");
    if (i == selected) ImGui::SetItemDefaultFocus();
  }
  return chosen;
}

std::string selected_choice(std::span<const std::string_view> choices, std::size_t selected) {
  return std::string(selected < choices.size() ? choices[selected] : std::string_view());
}

// The label is empty and drawn later: a font pushed here would be popped in the window of the open
// list.
bool begin_word(const Ui& ui, const std::string& id) {
  ImGui::PushStyleColor(ImGuiCol_FrameBg, to_vec(with_alpha(ui.colors().hovered, 0)));
  ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, to_vec(ui.colors().hovered));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0F);
  const bool open = ImGui::BeginCombo(
      id.c_str(), "", ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  return open;
}

// A word with a triangle behind it.
void draw_word(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& word, bool strong,
               bool hot) {
  const UiColors& colors = ui.colors();
  const Color ink = strong || hot ? colors.text : mix(colors.muted, colors.text, 0.35);
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddText(strong ? ui.fonts.bold : ImGui::GetFont(), ImGui::GetFontSize(), min + padding,
               to_imgui(ink), word.data(), word.data() + word.size());
  const float size = ui.px(kTriangle), right = max.x - padding.x;
  const float middle = std::floor((min.y + max.y) / 2 + ui.px(1));
  draw.AddTriangleFilled(
      ImVec2(right - size, middle - size * 0.28F), ImVec2(right, middle - size * 0.28F),
      ImVec2(right - size / 2, middle + size * 0.36F), to_imgui(hot ? colors.text : colors.muted));
}

float width_of_word(const Ui& ui, std::string_view word, bool strong) {
  const ImFont* font = strong ? ui.fonts.bold : ImGui::GetFont();
  const ImVec2 text = font->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0.0F, word.data(),
                                          word.data() + word.size());
  return std::ceil(text.x) + ui.px(kTriangleGap + kTriangle) + 2 * ImGui::GetStyle().FramePadding.x;
}

// One of several labels in a row.
DrawnButton choice_button(Ui& ui, std::string_view name, std::string_view label, ImVec2 size_px,
                          bool on) {
  return drawn_button(ui, std::string(name).append("/").append(label), size_px, on ? "on" : "");
}

// Draws a switch at the left of the area.
void draw_switch(const Ui& ui, const DrawnButton& area, bool on) {
  const UiColors& colors = ui.colors();
  const float height = std::round(ui.px(kSwitchHeight)), radius = height / 2;
  const ImVec2 a(area.min.x, std::floor((area.min.y + area.max.y - height) / 2));
  const ImVec2 b(a.x + std::round(ui.px(kSwitchWidth)), a.y + height);
  const Color track =
      on ? colors.accent : mix(colors.field, colors.text, area.hovered ? 0.18 : 0.10);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(a, b, ImGui::GetColorU32(to_vec(track)), radius);
  if (!on) draw.AddRect(a, b, ImGui::GetColorU32(to_vec(colors.edge)), radius);
  const float x = on ? b.x - radius : a.x + radius;
  draw.AddCircleFilled(ImVec2(x, a.y + radius), radius - ui.px(2.5F),
                       ImGui::GetColorU32(to_vec(on ? colors.accent_ink : colors.muted)));
}

// Rejected text is dropped when the field was hidden or left.
void forget_refused(FieldInteraction& interaction) {
  const int frame = ImGui::GetFrameCount();
  const bool away = interaction.last_frame < frame - 1 || interaction.left;
  if (away && !interaction.problem.empty()) interaction = {};
  interaction.last_frame = frame;
  interaction.left = false;
}

// Runs one frame of a field. Returns whether its text is to be taken.
bool run_field(Ui& ui, std::string_view name, std::string_view shown, FieldInteraction& interaction,
               const FieldOptions& options) {
  forget_refused(interaction);
  const std::string hint(ui.text(Wording::Explanation, options.hint));
  if (!interaction.editing) interaction.text = shown;
  ImGui::SetNextItemWidth(options.width > 0.0F ? ui.px(options.width) : -FLT_MIN);
  if (std::exchange(interaction.takes_focus, false) || options.focus) ImGui::SetKeyboardFocusHere();
  const std::string id = "##" + std::string(name);
  const bool refused = !interaction.problem.empty();
  if (refused) {
    ImGui::PushStyleColor(ImGuiCol_Border, to_vec(ui.colors().error));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, ui.line_px(1));
  }
  // A click on rejected text edits it, so it does not drag.
  const ScalarDrag* drag = options.drags && !refused ? &interaction.drag : nullptr;
  const TextInputResult input = text_input(ui, id.c_str(), interaction.text, hint.c_str(),
                                           TextSelection::All, drag, options.keeps_blanks);
  if (refused) {
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  ui.mark(name, interaction.text);
  tooltip(ui, options.tooltip);
  // A click elsewhere takes effect first, before the layout changes.
  const bool clicked_away = ImGui::IsMouseReleased(0) && !ImGui::IsItemHovered();
  if (refused && (clicked_away || key_pressed(keys::kEscape, false))) interaction.left = true;
  if (input.changed) interaction.problem.clear();
  if (input.active) interaction.editing = true;
  interaction.entered = input.entered;
  const bool was_editing = interaction.editing;
  if (was_editing && input.cancelled) interaction = {};
  return was_editing && !input.cancelled && (input.entered || input.left || !input.active);
}

}  // namespace

std::string typeset(std::string_view text) {
  if (text.find_first_of("_^-%") == text.npos) return std::string(text);
  std::string shown;
  for (const FormulaRun& run : formula_runs(text)) {
    if (run.rise == 0.0) {
      shown += run.text;
      continue;
    }
    for (const char32_t c : code_points(run.text)) {
      append_utf8(shown, script_letter(c, run.rise > 0.0));
    }
  }
  return with_replaced(shown, " %", "\u00A0%");  // lines break before no percent sign
}

std::string item_label(std::string_view text, std::string_view name) {
  return typeset(text) + "###" + std::string(name);
}

void copy_and_notify(Ui& ui, const std::string& text, const std::string& notice) {
  ImGui::SetClipboardText(text.c_str());
  ui.send(command::Notify{Notice::Level::Info, notice, ""});
}

std::string clipboard_text() {
  const char* text = ImGui::GetClipboardText();
  return text == nullptr ? "" : text;
}

ImVec2 text_size(std::string_view text) { return ImGui::CalcTextSize(typeset(text).c_str()); }

void text_line(std::string_view text) { ImGui::TextUnformatted(typeset(text).c_str()); }

void text_tooltip(Ui& ui, std::string_view text) {
  if (ui.probe != nullptr) ui.probe->record_tooltip(text);
  if (has_waited_for_tooltip(ui)) show_text_tooltip(ui, text);
}

void tooltip(Ui& ui, std::string_view text, std::string_view shortcut, bool even_disabled) {
  if (text.empty()) return;
  const std::string_view shown = ui.text(Wording::Explanation, text);
  if (ui.probe != nullptr) ui.probe->record_tooltip(text);
  if (even_disabled && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
    show_tooltip(ui, shown, shortcut);
    return;
  }
  if (has_waited_for_tooltip(ui)) show_tooltip(ui, shown, shortcut);
}

void control_name(Ui& ui, std::string_view label) {
  ImGui::AlignTextToFramePadding();
  text_line(ui.text(Wording::Label, label));
}

void tooltip(Ui& ui, const std::function<std::string()>& text) {
  if (ui.probe != nullptr) ui.probe->record_tooltip({});
  if (ImGui::IsItemHovered()) tooltip(ui, text());
}

bool button(Ui& ui, std::string_view name, std::string_view label, const ButtonOptions& options) {
  const std::string id = typeset(ui.text(Wording::Label, label)) + "##" + std::string(name);
  const int pushed = push_button_colors(ui.colors(), options);
  const bool framed = options.kind != ButtonKind::Quiet;
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize,
                      framed ? ImGui::GetStyle().FrameBorderSize : 0.0F);
  ImGui::BeginDisabled(!options.enabled);
  const bool clicked = ImGui::Button(id.c_str(), ImVec2(ui.px(options.width), 0.0F));
  const bool pressed = clicked || (ui.take_request(name) && options.enabled);
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(pushed);
  ui.mark(name, options.on ? "on" : "", options.enabled);
  if (pressed && options.sends) ui.send(*options.sends);
  const bool says_why_not = !options.enabled && !options.disabled_reason.empty();
  tooltip(ui, says_why_not ? options.disabled_reason : options.tooltip, options.shortcut,
          !options.enabled);
  return pressed;
}

bool menu_item(Ui& ui, std::string_view name, std::string_view label,
               const ButtonOptions& options) {
  const std::string id = item_label(ui.text(Wording::Label, label), name);
  const std::string keys(options.shortcut);
  const bool clicked = ImGui::MenuItem(id.c_str(), keys.c_str(), options.on, options.enabled);
  const bool chosen = clicked || (ui.take_request(name) && options.enabled);
  ui.mark(name, options.on ? "on" : "", options.enabled);
  tooltip(ui, options.enabled ? options.tooltip : options.disabled_reason, {}, !options.enabled);
  if (chosen && options.sends) ui.send(*options.sends);
  return chosen;
}

DrawnButton drawn_button(Ui& ui, std::string_view name, ImVec2 size_px, std::string_view value,
                         bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::InvisibleButton(std::string(name).c_str(), size_px);
  ImGui::EndDisabled();
  const bool pressed = (ui.take_request(name) && enabled) || clicked;
  ui.mark(name, value, enabled);
  return {pressed, ImGui::IsItemHovered(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
}

std::optional<bool> checkbox(Ui& ui, std::string_view name, std::string_view label, bool on,
                             std::string_view explanation, std::string_view shortcut) {
  const std::string shown = typeset(ui.text(Wording::Label, label));
  const float text_width = text_size(shown).x;
  const float indent = ui.px(kSwitchWidth) + (label.empty() ? 0.0F : ui.px(8));
  const ImVec2 size(std::round(indent + text_width), ImGui::GetFrameHeight());
  const DrawnButton area = drawn_button(ui, name, size, on ? "on" : "off");
  draw_switch(ui, area, on);
  ImGui::GetWindowDrawList()->AddText(
      ImVec2(area.min.x + indent, area.min.y + (size.y - ImGui::GetTextLineHeight()) / 2),
      ImGui::GetColorU32(ImGuiCol_Text), shown.c_str());
  tooltip(ui, explanation, shortcut);
  return area.pressed ? std::optional<bool>(!on) : std::nullopt;
}

std::optional<bool> tick(Ui& ui, std::string_view name, bool on, ImVec2 size_px,
                         std::string_view explanation) {
  const DrawnButton mark = drawn_button(ui, name, size_px, on ? "on" : "off");
  const UiColors& colors = ui.colors();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 middle = mark.middle();
  if (mark.hovered) draw.AddRectFilled(mark.min, mark.max, to_imgui(colors.hovered), ui.px(3));
  if (on) {
    const float extent = std::floor(ui.px(11));
    ImGui::RenderCheckMark(&draw, ImVec2(middle.x - extent / 2, middle.y - extent / 2),
                           to_imgui(colors.accent), extent);
  } else {
    draw.AddCircleFilled(middle, ui.px(1.6F), to_imgui(colors.muted));
  }
  tooltip(ui, explanation);
  return mark.pressed ? std::optional<bool>(!on) : std::nullopt;
}

Explanation explained(std::initializer_list<const char*> sentences) {
  return [all = std::vector<std::string>(sentences.begin(), sentences.end())](std::size_t i) {
    return all[i];
  };
}

std::optional<std::size_t> segmented(Ui& ui, std::string_view name,
                                     std::span<const std::string_view> labels, std::size_t selected,
                                     const Explanation& explanation) {
  const UiColors& colors = ui.colors();
  const ImGuiStyle& style = ImGui::GetStyle();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::optional<std::size_t> chosen;
  ImGui::BeginGroup();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i > 0) ImGui::SameLine(0.0F, ui.px(1));
    const std::string shown = typeset(ui.text(Wording::Label, labels[i]));
    const ImVec2 text = text_size(shown);
    const ImVec2 size(
        std::ceil(std::max(text.x + 2 * style.FramePadding.x, ui.px(kMinSegmentWidth))),
        ImGui::GetFrameHeight());
    const auto [pressed, hovered, min, max] =
        choice_button(ui, name, labels[i], size, i == selected);
    if (pressed && i != selected) chosen = i;
    tooltip(ui, [&] { return explanation(i); });
    ImDrawFlags corners = ImDrawFlags_RoundCornersNone;
    if (i == 0) corners |= ImDrawFlags_RoundCornersLeft;
    if (i + 1 == labels.size()) corners |= ImDrawFlags_RoundCornersRight;
    if (corners != ImDrawFlags_RoundCornersNone) corners &= ~ImDrawFlags_RoundCornersNone;
    const bool bright = i == selected || hovered;
    Color background = hovered ? colors.hovered : colors.raised;
    if (i == selected) background = on_background(colors, false).rest;
    list.AddRectFilled(min, max, to_imgui(background), style.FrameRounding, corners);
    list.AddRect(min, max, to_imgui(i == selected ? colors.accent : colors.edge),
                 style.FrameRounding, corners, style.FrameBorderSize);
    const float begin = std::floor((min.x + max.x - text.x) / 2);
    ui.draw_text(shown, ImVec2(begin, min.y + style.FramePadding.y),
                 bright ? colors.text : colors.muted);
  }
  ImGui::EndGroup();
  return chosen;
}

std::optional<std::size_t> tabs(Ui& ui, std::string_view name,
                                std::span<const std::string_view> labels, std::size_t selected,
                                const Explanation& explanation) {
  const UiColors& colors = ui.colors();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float height = ImGui::GetTextLineHeight() + ui.px(7);
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string shown = typeset(ui.text(Wording::Label, labels[i]));
    const ImVec2 size(text_size(shown).x, height);
    const float end = ImGui::GetItemRectMax().x + ui.px(12) + size.x;
    if (i > 0 && end <= right) ImGui::SameLine(0.0F, ui.px(12));
    const auto [pressed, hovered, min, max] =
        choice_button(ui, name, labels[i], size, i == selected);
    if (pressed && i != selected) chosen = i;
    tooltip(ui, [&] { return explanation(i); });
    const bool bright = i == selected || hovered;
    ui.draw_text(shown, ImVec2(min.x, min.y + ui.px(1)), bright ? colors.text : colors.muted);
    if (i != selected) continue;
    draw.AddRectFilled(ImVec2(min.x, max.y - ui.px(2)), max, to_imgui(colors.accent), ui.px(1));
  }
  return chosen;
}

void elided_text(Ui& ui, std::string_view text, float width_px, Color color, bool bold) {
  const FontStyle font{kLabelSize, bold};
  const std::string shown = fitted(pango_metrics(), text, font, width_px / ui.scale);
  const ImVec2 size = ui.line_size(shown, font);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(ImVec2(std::max(1.0F, std::min(size.x, width_px)), size.y));
  ui.draw_line(shown, at, font, color);
  if (shown != text && ImGui::IsItemHovered()) show_text_tooltip(ui, text);
}

void section_header(Ui& ui, std::string_view title) {
  ImGui::Dummy(ImVec2(0.0F, ui.px(3)));
  ImGui::PushFont(ui.fonts.bold);
  text_line(ui.text(Wording::Label, title));
  ImGui::PopFont();
  ui.mark("section/" + std::string(title));
}

void fragment(Ui& ui, std::string_view words) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec(ui.colors().muted));
  text_line(ui.text(Wording::Fragment, words));
  ImGui::PopStyleColor();
}

void wrapped_text(std::string_view text, Color color) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec(color));
  ImGui::PushTextWrapPos(0.0F);
  text_line(text);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void empty_hint(Ui& ui, std::string_view text, std::string_view name) {
  wrapped_text(ui.text(Wording::Explanation, text), ui.colors().muted);
  if (!name.empty()) ui.mark(name, text);
}

void problem_text(Ui& ui, std::string_view text, std::string_view name) {
  wrapped_text(text, ui.colors().error);
  ui.mark(name, text);
}

std::optional<std::size_t> combo(Ui& ui, std::string_view name,
                                 std::span<const std::string_view> choices, std::size_t selected,
                                 float width, std::string_view explanation) {
  const std::string choice = selected_choice(choices, selected);
  const std::string shown = typeset(ui.text(Wording::Label, choice));
  ImGui::SetNextItemWidth(width > 0.0F ? ui.px(width) : -FLT_MIN);
  const std::string id = "##" + std::string(name);
  std::optional<std::size_t> chosen;
  if (ImGui::BeginCombo(id.c_str(), shown.c_str(), ImGuiComboFlags_HeightLarge)) {
    chosen = opened_list(ui, name, choices, selected);
    ImGui::EndCombo();
  }
  ui.mark(name, choice);
  tooltip(ui, explanation);
  return chosen;
}

float word_menu_width(Ui& ui, std::string_view choice) {
  return width_of_word(ui, typeset(ui.text(Wording::Label, choice)), false);
}

void word_menu(Ui& ui, std::string_view name, std::string_view choice, bool strong,
               std::string_view explanation, const std::function<void()>& list) {
  const std::string shown = typeset(ui.text(Wording::Label, choice));
  const float width = width_of_word(ui, shown, strong);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max(min.x + width, min.y + ImGui::GetFrameHeight());
  const bool hot = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
  ImGui::SetNextItemWidth(width);
  if (begin_word(ui, "##" + std::string(name))) {
    list();
    ImGui::EndCombo();
  }
  ui.mark(name, choice);
  tooltip(ui, explanation);
  draw_word(ui, min, max, shown, strong, hot);
}

std::optional<std::size_t> word_menu(Ui& ui, std::string_view name,
                                     std::span<const std::string_view> choices,
                                     std::size_t selected, bool strong,
                                     const ReasonAgainst& reason_against,
                                     std::string_view explanation) {
  std::optional<std::size_t> chosen;
  word_menu(ui, name, selected_choice(choices, selected), strong, explanation,
            [&] { chosen = opened_list(ui, name, choices, selected, reason_against); });
  return chosen;
}

void refuse_text(FieldInteraction& interaction, std::string text, std::string problem) {
  interaction.editing = true;
  interaction.text = std::move(text);
  interaction.problem = std::move(problem);
  interaction.takes_focus = interaction.entered;
}

void field_problem(Ui& ui, std::string_view name, FieldInteraction& interaction) {
  if (interaction.problem.empty()) {
    interaction.problem_shown = false;
    return;
  }
  problem_text(ui, interaction.problem, std::string(name) + "/problem");
  if (!std::exchange(interaction.problem_shown, true)) {
    ImGui::ScrollToItem(ImGuiScrollFlags_KeepVisibleEdgeY);
  }
}

std::string refusal_text(const Error& error) {
  return as_sentence(error.message) + "; " +
         (error.hint.empty() ? "expected " + error.expected : error.hint);
}

std::optional<std::string> text_field(Ui& ui, std::string_view name, std::string_view text,
                                      FieldInteraction& interaction, const FieldOptions& options) {
  if (!run_field(ui, name, text, interaction, options)) return std::nullopt;
  std::string now = interaction.text;
  // Keeps `problem_shown`: the caller may reject this text again, and its reason was shown.
  interaction.editing = false;
  interaction.text.clear();
  interaction.problem.clear();
  return now != text ? std::optional(std::move(now)) : std::nullopt;
}

}  // namespace attn::gui
