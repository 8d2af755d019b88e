// Window of a file of arrays: the role of each array, and the meaning of its axes.
#include <algorithm>
#include <cfloat>

#include "base/joined.h"
#include "base/number_text.h"
#include "gui/panels/controls/controls.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kLabelWidth = 96.0F, kNameWidth = 210.0F, kAxisWidth = 84.0F,
                kMaskName = 150.0F;  // units
constexpr float kLeastList = 110.0F;
constexpr std::string_view kNotUsed = "not used";

ArrayWords without_axes(ArrayWords words) {
  for (const char* key : {"axes", "k.axes", "v.axes"}) words.erase(key);
  return words;
}

// Axes of arrays that cannot be read remain on the screen, to be corrected.
void read_words(const ArrayChoices& choices, ArraysView& view) {
  view.text = array_words_text(view.words);
  view.problem.clear();
  Result<std::vector<ArrayReading>> readings = array_readings(choices, view.words);
  if (!readings) {
    const bool is_new = view.words.empty() && choices.fitting.empty();
    view.problem = is_new ? "Choose the array that is attention, or those of queries and keys"
                          : refusal_text(readings.error());
    return;
  }
  view.layouts = readings->front().layouts;
  view.names = readings->front().names;
  readings = array_readings(choices, without_axes(view.words));
  view.fitting = readings ? *std::move(readings) : std::vector<ArrayReading>();
}

void start_arrays(const ArrayChoices& choices, ArraysView& view) {
  view = {.words = choices.words};
  view.names = choices.usual;
  for (const ArrayGroup& group : choices.groups) {
    if (std::ranges::count(view.patterns, group.pattern) == 0) {
      view.patterns.push_back(group.pattern);
    }
  }
  view.attentions = possible_attentions(choices);
  read_words(choices, view);
}

// Sizes and axes: "4 heads of 10 × 10 · head, token, feature".
std::string label_of(const ArrayReading& reading) {
  return reading.sizes() + " · " + joined(reading.layouts.front().axes);
}

// The name or pattern of the arrays in a role; empty for nothing.
std::string shown_name(const ArraysView& view, const ArrayRole& role) {
  if (const auto said = view.words.find(role.key); said != view.words.end()) {
    return joined(said->second);
  }
  const bool has_ids = role.key == "tokens" && !view.names.ids.empty();
  const std::vector<std::string>& of = has_ids ? view.names.ids : view.names.*role.names;
  if (of.size() < 2) return joined(of);
  const auto stands_for = [&](const std::string& pattern) {
    const std::size_t open = pattern.find('*');
    return open != std::string::npos && of.front().starts_with(pattern.substr(0, open)) &&
           of.front().ends_with(pattern.substr(open + 1));
  };
  const auto pattern = std::ranges::find_if(view.patterns, stands_for);
  return pattern == view.patterns.end() ? joined(of) : *pattern;
}

// Patterns and names that may be attention, if names are ambiguous.
void attentions(Ui& ui, const ArrayChoices& choices, ArraysView& view) {
  if (view.attentions.size() < 2 && !choices.fitting.empty()) return;
  if (view.attentions.empty()) return;
  section_header(ui, "What may be attention");
  for (std::size_t i = 0; i < view.attentions.size(); ++i) {
    const auto& [name, label] = view.attentions[i];
    const bool on = view.problem.empty() && shown_name(view, all_array_roles().front()) == name;
    if (!button(ui, "arrays/attention/" + std::to_string(i), label,
                {.tooltip = "Uses these arrays as attention", .on = on})) {
      continue;
    }
    view.words = {{"attention", {name}}};
    read_words(choices, view);
  }
}

// --- masks

constexpr std::pair<MaskUse, const char*> kUses[] = {{MaskUse::Attends, "True attends"},
                                                     {MaskUse::Hides, "True hides"},
                                                     {MaskUse::NotUsed, "Not a mask"}};

bool names_mask(const ArrayWords& words, std::string_view key, const MaskReading& mask) {
  const auto said = words.find(key);
  if (said == words.end()) return false;
  return std::ranges::count(said->second, mask.name) > 0 ||
         std::ranges::count(said->second, mask.names.front()) > 0;
}

MaskUse use_of(const ArrayWords& words, const MaskReading& mask) {
  if (names_mask(words, "mask", mask)) return MaskUse::Attends;
  if (names_mask(words, "hidden", mask)) return MaskUse::Hides;
  if (names_mask(words, "bias", mask)) return MaskUse::Added;
  const bool no_others = says_nothing(words, "mask") || says_nothing(words, "hidden");
  return no_others ? MaskUse::NotUsed : mask.use;
}

// Writes the uses of all masks as words, with that of one changed.
void use_mask(const ArrayChoices& choices, ArraysView& view, std::size_t changed, MaskUse use) {
  std::vector<std::string> attend, hide;
  bool drops = false;
  for (std::size_t i = 0; i < choices.masks.size(); ++i) {
    const MaskReading& mask = choices.masks[i];
    const MaskUse as = i == changed ? use : use_of(view.words, mask);
    if (as == MaskUse::Attends) attend.push_back(mask.name);
    if (as == MaskUse::Hides) hide.push_back(mask.name);
    drops = drops || as == MaskUse::NotUsed;
  }
  for (const auto& [key, names] : {std::pair{"mask", &attend}, {"hidden", &hide}}) {
    view.words.erase(key);
    if (!names->empty() || drops) view.words[key] = *names;
  }
  read_words(choices, view);
}

// The axes of a mask, if there is a choice.
void mask_axes(Ui& ui, const ArrayChoices& choices, ArraysView& view, std::size_t index,
               Flow& line) {
  const MaskReading& mask = choices.masks[index];
  const auto said = view.words.find("mask.axes");
  for (const std::vector<std::string>* axes : {&mask.axes, &mask.other_axes}) {
    if (mask.other_axes.empty()) return;
    const bool on = *axes == (said == view.words.end() ? mask.axes : said->second);
    const std::string label = "By " + joined(*axes);
    line.next(button_width(ui, label));
    const std::string name = "arrays/mask/" + std::to_string(index) + "/" + joined(*axes);
    if (!button(ui, name, label, {.tooltip = "What the axes of the mask count", .on = on}))
      continue;
    view.words["mask.axes"] = *axes;
    read_words(choices, view);
  }
}

// The name and the meaning of true on one line, as far as it fits, and the reason below.
void mask_row(Ui& ui, const ArrayChoices& choices, ArraysView& view, std::size_t index) {
  const MaskReading& mask = choices.masks[index];
  const MaskUse as = use_of(view.words, mask);
  Flow line;
  line.next(ui.px(kMaskName));
  ImGui::AlignTextToFramePadding();
  text_line("“" + fitted_token(ui, mask.name, ui.px(kMaskName)) + "”");
  for (const auto& [use, label] : kUses) {
    line.next(button_width(ui, label));
    const std::string name = "arrays/mask/" + std::to_string(index) + "/" + label;
    const std::string help = "What true means in " + mask.name;
    if (button(ui, name, label, {.tooltip = help, .on = as == use})) {
      use_mask(choices, view, index, use);
    }
  }
  mask_axes(ui, choices, view, index, line);
  const std::string why = mask.is_open()
                              ? "Nothing in the file decides what true means here: choose"
                              : "Read so because: " + mask.because;
  if (mask.is_open() || !mask.because.empty()) {
    rich_text(ui, why, kTextSize, mask.is_open() ? ui.colors().warning : ui.colors().muted);
  }
}

void masks(Ui& ui, const ArrayChoices& choices, ArraysView& view) {
  if (choices.masks.empty()) return;
  section_header(ui, "Masks");
  for (std::size_t i = 0; i < choices.masks.size(); ++i) mask_row(ui, choices, view, i);
}

void fitting_readings(Ui& ui, const ArrayChoices& choices, ArraysView& view) {
  section_header(ui, "What fits");
  const std::vector<ArrayReading> fitting = view.fitting;
  for (std::size_t i = 0; i < fitting.size(); ++i) {
    const std::vector<std::string>& axes = fitting[i].layouts.front().axes;
    const bool on = view.problem.empty() && view.layouts.front().axes == axes;
    if (!button(ui, "arrays/fit/" + std::to_string(i), label_of(fitting[i]),
                {.tooltip = "Reads the axes in this order", .on = on})) {
      continue;
    }
    view.words = without_axes(view.words);
    view.words["axes"] = axes;
    read_words(choices, view);
  }
  if (fitting.empty()) empty_hint(ui, "Nothing yet: choose the arrays and name their axes");
}

void name_of_role(Ui& ui, const ArrayChoices& choices, ArraysView& view, const ArrayRole& role) {
  const std::string shown = shown_name(view, role);
  std::vector<std::string_view> names{kNotUsed};
  names.insert(names.end(), view.patterns.begin(), view.patterns.end());
  const auto found = std::ranges::find(names, shown.empty() ? kNotUsed : std::string_view(shown));
  const auto at = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) names.emplace_back(shown);
  const auto chosen = combo(ui, "arrays/" + std::string(role.key), names, at, kNameWidth,
                            "The array of the file that this is");
  if (!chosen) return;
  auto& said = view.words[std::string(role.key)];
  said.clear();
  if (*chosen > 0) said.emplace_back(names[*chosen]);
  view.words = without_axes(view.words);
  read_words(choices, view);
}

// Exchanges names with the axis that has the chosen name already.
void name_axis(const ArrayChoices& choices, ArraysView& view, ArrayLayout& layout, std::size_t axis,
               std::string_view name) {
  std::ranges::replace(layout.axes, std::string(name), std::string(layout.axes[axis]));
  layout.axes[axis] = name;
  const bool is_first = layout.key == view.layouts.front().key;
  view.words[is_first ? "axes" : layout.key + ".axes"] = layout.axes;
  read_words(choices, view);
}

void axes_of_role(Ui& ui, const ArrayChoices& choices, ArraysView& view, const ArrayRole& role) {
  const auto layout = std::ranges::find(view.layouts, role.key, &ArrayLayout::key);
  if (layout == view.layouts.end()) return;
  const std::span<const std::string_view> known = known_axes(role.key);
  for (std::size_t i = 0; i < layout->axes.size(); ++i) {
    const auto at = std::ranges::find(known, layout->axes[i]) - known.begin();
    ImGui::SameLine(0.0F, ui.px(i > 0 ? 3 : 12));
    const std::string name = "arrays/" + std::string(role.key) + "/axis/" + std::to_string(i);
    const auto chosen =
        combo(ui, name, known, static_cast<std::size_t>(at), kAxisWidth,
              "What the axis of extent " + std::to_string(layout->shape[i]) + " counts");
    if (chosen) return name_axis(choices, view, *layout, i, known[*chosen]);
  }
  ImGui::SameLine();
  fragment(ui, shape_text(layout->shape));
}

// A single array without a name is attention.
void role_row(Ui& ui, const ArrayChoices& choices, ArraysView& view, const ArrayRole& role,
              bool is_lone) {
  const float begin = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  text_line(role.label);
  ImGui::SameLine(begin + ui.px(kLabelWidth));
  is_lone ? text_line("the only array") : name_of_role(ui, choices, view, role);
  axes_of_role(ui, choices, view, role);
}

bool words_field(Ui& ui, const ArrayChoices& choices, ArraysView& view) {
  section_header(ui, "In words");
  const TextInputResult typed = line_field(
      ui, "arrays/words", view.text, "q=layers.*.q axes=layer,head,token,feature",
      "The same for --arrays on the command line; heads=12 cuts the last axis into heads",
      -FLT_MIN);
  if (!typed.changed) return typed.entered;
  const std::string text = view.text;
  Result<ArrayWords> words = parse_array_words(text);
  if (words) {
    view.words = *std::move(words);
    read_words(choices, view);
  } else {
    view.problem = refusal_text(words.error());
  }
  view.text = text;
  return false;
}

void list_of_arrays(Ui& ui, const ArrayChoices& choices) {
  section_header(ui, counted(choices.arrays.size(), "array"));
  const float space = std::max(ImGui::GetContentRegionAvail().y, ui.px(kLeastList));
  ImGui::BeginChild("arrays/list", ImVec2(0, space));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(choices.arrays.size()), ImGui::GetTextLineHeightWithSpacing());
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const ArrayFacts& array = choices.arrays[static_cast<std::size_t>(i)];
      const std::string facts = shape_text(array.shape) + " " + array.type;
      const float left = ImGui::GetContentRegionAvail().x - text_size(facts).x - ui.px(12);
      elided_text(ui, array.name.empty() ? "without a name" : array.name, left, ui.colors().ink);
      ImGui::SameLine(left + ui.px(6));
      fragment(ui, facts);
    }
  }
  ImGui::EndChild();
}

bool arrays_contents(Ui& ui, const AppState& state, ArraysView& view) {
  const ArrayChoices& choices = *state.arrays_question.choices;
  elided_text(ui, state.arrays_question.path, ImGui::GetContentRegionAvail().x, ui.colors().ink);
  const bool has_open_mask = std::ranges::any_of(choices.masks, &MaskReading::is_open);
  if (has_open_mask) masks(ui, choices, view);
  attentions(ui, choices, view);
  fitting_readings(ui, choices, view);
  if (!has_open_mask) masks(ui, choices, view);
  section_header(ui, "What is what");
  const bool is_lone = choices.arrays.size() == 1 && choices.arrays.front().name.empty();
  for (const ArrayRole& role : all_array_roles().first(is_lone ? 1 : all_array_roles().size())) {
    role_row(ui, choices, view, role, is_lone);
  }
  const bool entered = words_field(ui, choices, view);
  list_of_arrays(ui, choices);
  return entered;
}

}  // namespace

void arrays_window(Ui& ui, const AppState& state, ArraysView& view) {
  if (state.overlay != Overlay::Arrays || !state.arrays_question.choices) return;
  const OverlayWindow window{"arrays", "Read arrays as", ImVec2(860, 640), "Cancel"};
  if (begin_overlay(ui, window)) start_arrays(*state.arrays_question.choices, view);
  const bool applies = end_with_apply_button(
      ui, window, [&] { return arrays_contents(ui, state, view); },
      [&] { return Obstacle{view.problem}; });
  if (applies) ui.send(command::ReadArrays{state.arrays_question.path, view.text});
}

}  // namespace attn::gui
