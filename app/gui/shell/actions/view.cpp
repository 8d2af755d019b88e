// Actions of the menu View: plots, panes, stages, heads, viewport, comparisons, options, window.
#include <algorithm>

#include "base/number_text.h"
#include "figure/colormap.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/actions.h"
#include "plot/all_plots.h"
#include "session/command.h"
#include "session/preferences.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

void add_plots(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Plot"};
  for (const PlotEntry& plot : all_plots()) {
    const std::string nothing =
        state.result ? why_nothing(plot, *state.result, focused_view(state).options.at) : "";
    menu.add("plot/" + std::string(plot.name), plot.label,
             nothing.empty() ? std::string(plot.help) : nothing,
             command::SelectPlot{std::string(plot.name)}, {},
             {.checked = focused_view(state).plot == plot.name});
  }
}

void add_panes(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Panes"};
  const bool several = panes_of(state.layout).size() > 1;
  for (const auto direction : {SplitDirection::Right, SplitDirection::Down}) {
    const bool below = direction == SplitDirection::Down;
    const std::string why_not = why_no_split(state, state.focus, direction);
    const char* help = below ? "Another pane below this one" : "Another pane beside this one";
    menu.add(below ? "split_down" : "split_right", below ? "Split down" : "Split right",
             why_not.empty() ? help : why_not, command::SplitPane{0, direction},
             {below ? ctrl_shift(keys::kBackslash) : ctrl(keys::kBackslash)});  // help: why not
  }
  menu.add("next_pane", "Next pane", "Keyboard shortcuts then apply to the next pane",
           command::StepFocus{1}, {{.key = keys::kF1 + 5, .ctrl = true}}, {.enabled = several});
  menu.add("previous_pane", "Previous pane", "Keyboard shortcuts then apply to the previous pane",
           command::StepFocus{-1}, {{.key = keys::kF1 + 5, .ctrl = true, .shift = true}},
           {.enabled = several});
  menu.add("maximise_pane", "One pane alone", "Shows the pane alone, or all of them again",
           command::MaximisePane{!state.maximised}, {ctrl_shift('M')},
           {.enabled = several, .checked = state.maximised});
  menu.add("close_pane", "Close pane", "Closes this pane; the others take its space",
           command::ClosePane{0}, {ctrl_shift('W')}, {.enabled = several});
}

void add_stages(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Stage"};
  if (!state.result) return;
  for (const Stage stage : state.result->stages(focused_view(state).options.at)) {
    const StageInfo& info = stage_info(stage);
    menu.add("stage/" + std::string(info.name), info.label, info.sentence,
             command::SelectStage{stage}, {},
             {.checked = focused_view(state).options.stage == stage});
  }
}

// Choice of the attention, for models with several.
void add_attentions(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Attention"};
  const std::span<const AttentionInfo> there = attentions_of(state.document);
  const bool several = there.size() > 1;
  std::string next(there.front().name);
  for (const AttentionInfo& info : all_attentions()) {
    const bool shown = focused_view(state).options.at.same_attention(info.at());
    menu.add("attention/" + std::string(info.name), info.label,
             "Shows this one of several attentions, as a decoder has them",
             command::SetOption{"attention", std::string(info.name)}, {},
             {.enabled = several && has(there, info.at()), .checked = several && shown});
  }
  for (std::size_t i = 0; i + 1 < there.size(); ++i) {
    const bool shown = focused_view(state).options.at.same_attention(there[i].at());
    if (shown) next = there[i + 1].name;
  }
  menu.add("other_attention", "Another attention",
           "Switches to the next attention, as of a decoder’s blocks",
           command::SetOption{"attention", next}, {typed('x')},
           {.enabled = several, .separated = true});
}

// Steps of the decoder in the alignment plot, or of the flow of a cell.
void add_steps(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Step"};
  const bool flows = shows_flow(state);
  const bool shown =
      flows || (shown_plot_uses(state, Option::Step) && info_of(state.document.model).has_steps);
  menu.add("previous_step", "Previous step", "Shows one step fewer, of a decoder or of a flow",
           command::StepDecoder{-1}, {typed(',')}, {.enabled = shown});
  menu.add("next_step", "Next step", "Shows one more step, of a decoder or of a flow",
           command::StepDecoder{1}, {typed('.')}, {.enabled = shown});
  menu.add("all_steps", "All steps", "Shows all steps, of a decoder or of a flow",
           command::SetOption{"step", "0"}, {},
           {.enabled = shown && focused_view(state).options.step != 0});
  menu.add("play", "Play the flow", "Plays the flow of a cell step by step, or pauses",
           command::Play{!state.playing.on}, {{.key = keys::kSpace}},
           {.enabled = flows, .checked = flows && state.playing.on, .repeats = false});
}

// Heads are numbered from 1, as in sentences and titles: key 1 selects the first.
void add_heads(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Head"};
  const bool idle = !why_idle(state, "head").empty();
  const std::size_t heads = shown_shape(state).heads;
  const bool several = heads * shown_shape(state).layers > 1;
  menu.add("previous_head", "Previous head", "Shows the head before this one, across layers",
           command::StepHead{-1}, {typed('[')}, {.enabled = several && !idle});
  menu.add("next_head", "Next head", "Shows the head after this one, across layers",
           command::StepHead{1}, {typed(']')}, {.enabled = several && !idle});
  menu.add("head_beside", "Another head beside",
           "The next head in a pane of its own, which has a choice of heads",
           command::ShowBeside{0}, {}, {.enabled = several});
  menu.add("head_minus", "Minus another head",
           "This head minus the next one, in a pane that has a choice of both",
           command::CompareHead{0}, {}, {.enabled = several});
  for (std::size_t head = 0; head < std::min<std::size_t>(heads, 9); ++head) {
    HeadAddress address = focused_view(state).options.at;
    address.head = head;
    menu.add("head/" + std::to_string(head), "Head " + std::to_string(head + 1), "Shows this head",
             command::SelectHead{address}, {typed(static_cast<char>('1' + head))},
             {.enabled = !idle,
              .checked = focused_view(state).options.at.head == head,
              .separated = head == 0});
  }
}

void add_stage_step(Actions& actions, const AppState& state, bool forward) {
  const Menu menu{actions, "View/Stage"};
  if (!state.result) return;
  const std::vector<Stage>& stages = state.result->stages(focused_view(state).options.at);
  const auto at = std::ranges::find(stages, focused_view(state).options.stage);
  const auto index = static_cast<std::size_t>(at - stages.begin());
  const bool possible = at != stages.end() && (forward ? index + 1 < stages.size() : index > 0);
  const Stage next = possible ? stages[forward ? index + 1 : index - 1] : stages.front();
  menu.add(forward ? "next_stage" : "previous_stage", forward ? "Next stage" : "Previous stage",
           "Goes through the stages in order of computation", command::SelectStage{next},
           {{.key = forward ? keys::kRight : keys::kLeft, .alt = true}},
           {.enabled = possible, .separated = !forward});
}

void add_layers(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Layer"};
  const std::size_t layers = shown_shape(state).layers;
  const auto add = [&](const char* id, const char* label, int key, std::size_t by) {
    const std::vector<Shortcut> of_no_lesson{{.key = key}};
    HeadAddress address = focused_view(state).options.at;
    address.layer = (address.layer + by) % std::max<std::size_t>(layers, 1);
    menu.add(id, label, "Shows the same head of another layer", command::SelectHead{address},
             is_in_lesson(state) ? std::vector<Shortcut>() : of_no_lesson,
             {.enabled = layers > 1 && why_idle(state, "layer").empty()});
  };
  add("previous_layer", "Previous layer", keys::kPageUp, std::max<std::size_t>(layers, 1) - 1);
  add("next_layer", "Next layer", keys::kPageDown, 1);
}

void add_samples(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Sample"};
  const std::size_t samples = shown_shape(state).samples;
  for (std::size_t sample = 0; sample < samples && samples > 1; ++sample) {
    HeadAddress address = focused_view(state).options.at;
    const bool shown = address.sample == sample;
    address.sample = sample;
    menu.add("sample/" + std::to_string(sample), "Sample " + std::to_string(sample + 1),
             "Shows this sample", command::SelectHead{address}, {}, {.checked = shown});
  }
}

void add_lesson(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Lesson"};
  if (state.document.lesson.empty()) return;
  const bool shown = is_in_lesson(state);
  const std::size_t step = state.lesson.step, last = state.document.lesson.size() - 1;
  menu.add("lesson_next", "Next step of the lesson", "Shows what the lesson says next",
           command::StepLesson{1}, {{.key = keys::kRight}, {.key = keys::kPageDown}},
           {.enabled = shown && step < last});
  menu.add("lesson_back", "Step before", "Goes back, also with the document",
           command::StepLesson{-1}, {{.key = keys::kLeft}, {.key = keys::kPageUp}},
           {.enabled = shown && step > 0});
  menu.add("lesson_reveal", "Reveal the answer", "Shows the cells that the lesson asks about",
           command::Reveal{}, {ctrl(keys::kEnter)},
           {.enabled = shown && !state.lesson.concealed.empty()});
  menu.add("lesson", "Lesson", "Shows the lesson in place of the tokens, or the tokens",
           command::EndLesson{!state.lesson.ended}, {}, {.checked = shown, .separated = true});
}

constexpr double kScales[] = {0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0};

// The next larger or smaller scale; unchanged at either end.
double next_scale(double scale, bool larger) {
  constexpr double kSame = 0.01;
  if (larger) {
    const auto* const next = std::ranges::upper_bound(kScales, scale + kSame);
    return next == std::end(kScales) ? std::min(scale, kLargestScale) : *next;
  }
  const auto* const same = std::ranges::lower_bound(kScales, scale - kSame);
  return same == std::begin(kScales) ? scale : *(same - 1);
}

void add_sides(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View"};
  const auto side = [&](const char* id, const char* label, const char* help, char key,
                        bool Sides::*folded) {
    Sides sides = state.preferences.sides;
    sides.*folded = !state.plot_alone && !(sides.*folded);
    menu.add(id, label, help, command::SetSides{sides}, {ctrl(key)},
             {.checked = sides.*folded, .separated = key == 'B'});
  };
  side("left_side", "Left side", "Shows or folds tokens and inputs", 'B', &Sides::left_folded);
  side("right_side", "Right side", "Shows or folds inspector and rules", 'J', &Sides::right_folded);
  Sides sides = state.preferences.sides;
  sides.more_rules = !sides.more_rules;
  menu.add("more_rules", "More rules", "Scoring, positions and all rules of masks beside the plot",
           command::SetSides{sides}, {}, {.checked = !sides.more_rules});
}

void add_layout(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View"};
  menu.add("reset_layout", "Reset layout",
           "Panes and both sides as of a document that was just opened, with what is selected",
           command::ResetLayout{});
  const bool alone = state.plot_alone;
  menu.add("pane_alone", "Show only the plot",
           "One plot on the whole screen in larger type, or back to the panels (Esc)",
           command::ShowPlotAlone{!alone}, {{.key = keys::kF1 + 10}}, {.checked = alone});
}

void add_scale_steps(Actions& actions) {
  const Menu menu{actions, "View/Interface scale"};
  const auto add = [&](const char* id, const char* label, const std::vector<Shortcut>& keys,
                       auto scale) {
    menu.add(id, label, "Size of text and controls",
             [scale](Ui& ui) {
               ui.send(command::SetPreference{"scale", plain_text(scale(ui))});
             },
             keys, {.separated = std::string_view(id) == "scale/larger"});
  };
  add("scale/larger", "Larger",
      {ctrl(keys::kEqual), ctrl_shift(keys::kEqual), ctrl(keys::kKeypadAdd)},
      [](const Ui& ui) { return next_scale(static_cast<double>(ui.scale), true); });
  add("scale/smaller", "Smaller", {ctrl(keys::kMinus), ctrl(keys::kKeypadSubtract)},
      [](const Ui& ui) { return next_scale(static_cast<double>(ui.scale), false); });
  add("scale/usual", "Automatic", {ctrl('0')}, [](const Ui& /*ui*/) { return 0.0; });
}

void add_comparison(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Difference"};
  const ViewOptions& options = focused_view(state).options;
  const bool shown = shown_plot_uses(state, Option::Show);
  menu.add("keep_reference", "Keep as reference",
           "Keeps this document as it is now; the difference plot shows what "
           "edits change",
           command::KeepReference{}, {}, {.enabled = state.result != nullptr});
  menu.add("compare_with", "Compare with…",
           "Uses another document as the reference of the difference plot",
           command::ShowDialog{DialogKind::Compare});
  for (const OpenDocument* open : open_documents(state)) {
    if (open->id == state.id) continue;
    menu.add("compare_with/" + std::to_string(open->id), "Compare with " + document_name(*open),
             "Uses this open document as the reference of the difference plot",
             command::KeepReference{open->id});
  }
  menu.add("forget_reference", "Forget the reference",
           "The difference plot compares matrices of this document again",
           command::ForgetReference{}, {},
           {.enabled = state.reference != nullptr || state.no_reference != nullptr});
  menu.add("flip", "Flip between A and B", "Shows side A in place of the difference, then side B",
           command::SetOption{"show", options.show == Compared::A ? "b" : "a"}, {typed('b')},
           {.enabled = shown, .checked = options.show != Compared::Difference, .separated = true});
  menu.add("show_difference", "Show the difference", "A − B instead of one side",
           command::SetOption{"show", "difference"}, {typed('d')},
           {.enabled = shown && options.show != Compared::Difference});
}

void add_pans(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Part in view"};
  const auto add = [&](const char* id, const char* label, const char* key, double down,
                       double right) {
    menu.add(id, label, "Moves by half of what is in view; arrow keys move by less",
             command::Pan{down, right}, {},
             {.field_shortcut = key, .enabled = focused_view(state).options.window.rows > 0.0});
  };
  add("pan_left", "Move left", "Left", 0.0, -0.5);
  add("pan_right", "Move right", "Right", 0.0, 0.5);
  add("pan_up", "Move up", "Up", -0.5, 0.0);
  add("pan_down", "Move down", "Down", 0.5, 0.0);
}

void add_part_steps(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Part in view"};
  const Trail& trail = trail_in_view(state);
  for (const bool back : {true, false}) {
    const bool possible = !(back ? trail.past : trail.future).empty();
    const char* help = back ? "The part of the matrix that was in view before"
                            : "The part that was in view before going back";
    const char* reason = back ? "No earlier view to return to" : "No later view to return to";
    menu.add(back ? "part_back" : "part_forward", back ? "View back" : "View forward",
             possible ? help : reason, command::StepPart{back ? -1 : 1},
             {{.key = keys::kBackspace, .shift = !back},
              {.key = back ? keys::kLeft : keys::kRight, .ctrl = true, .alt = true},
              {.mouse = back ? 3 : 4}},
             {.enabled = possible, .separated = back});
  }
}

void add_visions(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Simulate"};
  for (const ColorVisionInfo& info : all_color_visions()) {
    menu.add("simulate/" + std::string(info.name), info.label, info.help,
             command::SetPreference{"simulate", std::string(info.name)}, {},
             {.checked = state.preferences.vision == info.vision});
  }
}

void add_zooms(Actions& actions, const AppState& state) {
  Menu{actions, "View"}.add(
      "fit", "Fit", "Shows the whole matrix", command::SetWindow{}, {typed('f')},
      {.enabled = focused_view(state).options.window.rows > 0.0, .separated = true});
  for (const bool in : {true, false}) {
    Menu{actions, "View/Part in view"}.add(
        in ? "zoom_in" : "zoom_out", in ? "Zoom in" : "Zoom out",
        "Around the pinned cell, or the centre", command::Zoom{in ? 1.25 : 0.8},
        in ? std::vector{typed('+'), typed('=')} : std::vector{typed('-')},
        {.enabled = in || focused_view(state).options.window.rows > 0.0});
  }
  Menu{actions, "View/Part in view"}.add(
      "whole_pixels", "One cell, whole pixels",
      "Zooms to the next scale at which the side of a cell is a whole number of pixels",
      [](Ui& ui) { ui.request({"plot/whole_pixels"}); });
}

// An action for each choice of a field, which sends its name and the choice.
template <class Sent, class Options>
void add_choices(const Menu& menu, const std::string& prefix, const Field<Options>& field,
                 const Options& options, std::string_view help) {
  const std::vector<std::string> words = choice_words(field);
  const std::string chosen = field.get(options);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string choice(field.choices[i]);
    menu.add(prefix + choice, words[i], help, Sent{std::string(field.name), choice}, {},
             {.checked = choice == chosen});
  }
}

command::SetOption flipped(const AppState& state, std::string_view flag) {
  const bool on = plot_option_named(flag)->get(focused_view(state).options) == "true";
  return {std::string(flag), on ? "false" : "true"};
}

void add_display(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View"};
  menu.add("values", "Values in the cells", "Numbers in the cells, when they fit",
           flipped(state, "values"), {typed('v')}, {.checked = focused_view(state).options.values});
  menu.add("overview", "Overview in a corner",
           "Small map of the whole matrix while only a part is in view", flipped(state, "overview"),
           {typed('o')},
           {.enabled = shown_plot_uses(state, Option::Overview),
            .checked = focused_view(state).options.overview});
  menu.add("own_range", "Range of this head",
           "Colours of the weights from the smallest to the largest of this head",
           flipped(state, "own_range"), {typed('r')},
           {.enabled = focused_view(state).options.stage == Stage::Weights,
            .checked = focused_view(state).options.range == ColorSpan::Head});
  const bool has_pins = !state.pins.empty() || state.marked_token, alone = state.plot_alone;
  const command::DismissNotice dismissed{state.notices.empty() ? 0 : state.notices.back().id};
  const Command other = alone ? Command(command::ShowPlotAlone{false}) : Command(dismissed);
  menu.add("unpin", "Release pins and marks",
           "Clears pins and the token selection, then closes a message",
           has_pins ? Command(command::Unpin{}) : other, {{.key = keys::kEscape}},
           {.enabled = has_pins || alone || !state.notices.empty()});
}

void add_color_maps(Actions& actions, const AppState& state) {
  const Menu menu{actions, "View/Colour map"};
  menu.add("safe_colors", "Colours for colour-blind readers",
           "Cividis, and back to the previous colour map", command::ToggleSafeColors{},
           {typed('C')},
           {.enabled = shown_plot_uses(state, Option::Colormap),
            .checked = focused_view(state).options.colormap == kSafeColormap});
  add_choices<command::SetOption>(menu, "colormap/", *plot_option_named("colormap"),
                                  focused_view(state).options, "Colours of the heatmap");
}

void add_interface(Actions& actions, const AppState& state) {
  const Preferences& preferences = state.preferences;
  const Field<Preferences>& field = *preference_named("theme");
  add_choices<command::SetPreference>({actions, "View/Theme"}, "theme/", field, preferences,
                                      field.help);
  add_visions(actions, state);
  for (const auto& [label, scale] : {std::pair{"Automatic", 0.0},
                                     {"100 %", 1.0},
                                     {"125 %", 1.25},
                                     {"150 %", 1.5},
                                     {"200 %", 2.0}}) {
    Menu{actions, "View/Interface scale"}.add(
        "scale/" + std::to_string(static_cast<int>(scale * 100)), label,
        scale == 0.0 ? "Automatic" : "Size of text and controls",
        command::SetPreference{"scale", plain_text(scale)}, {},
        {.checked = preferences.scale == scale});
  }
}

// Options with actions elsewhere.
bool is_listed_elsewhere(std::string_view field) {
  constexpr std::string_view kElsewhere[] = {"stage", "attention", "layer",  "sample",
                                             "head",  "colormap",  "values", "step",
                                             "show",  "overview"};
  return std::ranges::find(kElsewhere, field) != std::end(kElsewhere);
}

// Actions that switch or choose the option, or for a number or text open its control.
void add_option(Actions& actions, const AppState& state, const Field<ViewOptions>& field) {
  const std::string name(field.name), id = "option/" + name;
  const std::string label = control_label(field.name, field.label);
  const ViewOptions& options = focused_view(state).options;
  const Menu menu{actions, is_of_a_file(field.name) ? "View/Exported figure" : "View/Options"};
  if (field.kind == FieldKind::Flag) {
    return menu.add(id, label, field.help, flipped(state, name), {},
                    {.checked = field.get(options) == "true"});
  }
  if (field.kind != FieldKind::Choice) {
    return menu.add(id, label + "…", field.help, command::ShowOption{name});
  }
  add_choices<command::SetOption>({actions, menu.path + "/" + label}, id + "/", field, options,
                                  field.help);
}

void add_options(Actions& actions, const AppState& state) {
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !shown_plot_uses(state, *option_named(field.name)) ||
        is_listed_elsewhere(field.name)) {
      continue;
    }
    add_option(actions, state, field);
  }
}

}  // namespace

void add_views(Actions& actions, const AppState& state) {
  add_plots(actions, state);
  add_panes(actions, state);
  add_stages(actions, state);
  add_attentions(actions, state);
  add_heads(actions, state);
  add_steps(actions, state);
  for (const bool forward : {false, true}) add_stage_step(actions, state, forward);
  add_layers(actions, state);
  add_samples(actions, state);
  add_lesson(actions, state);
  add_comparison(actions, state);
  add_zooms(actions, state);
  add_pans(actions, state);
  add_part_steps(actions, state);
  add_display(actions, state);
  add_color_maps(actions, state);
  add_options(actions, state);
  add_sides(actions, state);
  add_layout(actions, state);
  add_interface(actions, state);
  add_scale_steps(actions);
}

}  // namespace attn::gui
