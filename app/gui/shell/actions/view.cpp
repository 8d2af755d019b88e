// What is looked at: plots, panes, stages, attentions, heads, steps.
#include <algorithm>

#include "gui/panels/strip/selectors.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"
#include "plot/all_plots.h"

namespace attn::gui {
namespace {

void add_plots(Actions& actions, const AppState& state) {
  for (const PlotEntry& plot : all_plots()) {
    const std::string nothing = state.result ? why_nothing(plot, shown_result(state)) : "";
    actions.push_back({.id = "plot/" + std::string(plot.name),
                       .menu = "View/Plot",
                       .label = std::string(plot.label),
                       .help = nothing.empty() ? std::string(plot.help) : nothing,
                       .enabled = nothing.empty(),
                       .checked = focused_view(state).plot == plot.name,
                       .run = sends(command::SelectPlot{std::string(plot.name)})});
  }
}

void add_panes(Actions& actions, const AppState& state) {
  const bool several = panes_of(state.layout).size() > 1;
  actions.push_back({.id = "split_right",
                     .menu = "View/Panes",
                     .label = "Split right",
                     .help = "Another pane beside this one",
                     .shortcuts = {ctrl(keys::kBackslash)},
                     .run = sends(command::SplitPane{0, SplitDirection::Right})});
  actions.push_back({.id = "split_down",
                     .menu = "View/Panes",
                     .label = "Split down",
                     .help = "Another pane below this one",
                     .shortcuts = {ctrl_shift(keys::kBackslash)},
                     .run = sends(command::SplitPane{0, SplitDirection::Down})});
  actions.push_back({.id = "next_pane",
                     .menu = "View/Panes",
                     .label = "Next pane",
                     .help = "The keys then mean the next pane",
                     .shortcuts = {{.key = keys::kF1 + 5, .ctrl = true}},
                     .enabled = several,
                     .run = sends(command::StepFocus{1})});
  actions.push_back({.id = "previous_pane",
                     .menu = "View/Panes",
                     .label = "Previous pane",
                     .help = "The keys then mean the pane before",
                     .shortcuts = {{.key = keys::kF1 + 5, .ctrl = true, .shift = true}},
                     .enabled = several,
                     .run = sends(command::StepFocus{-1})});
  actions.push_back({.id = "maximise_pane",
                     .menu = "View/Panes",
                     .label = "One pane alone",
                     .help = "Shows the pane alone, or all of them again",
                     .shortcuts = {ctrl_shift('M')},
                     .enabled = several,
                     .checked = state.maximised,
                     .run = sends(command::MaximisePane{!state.maximised})});
  actions.push_back({.id = "close_pane",
                     .menu = "View/Panes",
                     .label = "Close pane",
                     .help = "Gives its room to the others",
                     .shortcuts = {ctrl_shift('W')},
                     .enabled = several,
                     .run = sends(command::ClosePane{0})});
}

void add_stages(Actions& actions, const AppState& state) {
  if (!state.result) return;
  for (const Stage stage : shown_result(state).stages()) {
    const StageInfo& info = stage_info(stage);
    actions.push_back({.id = "stage/" + std::string(info.name),
                       .menu = "View/Stage",
                       .label = std::string(info.label),
                       .help = std::string(info.sentence),
                       .checked = focused_view(state).options.stage == stage,
                       .run = sends(command::SelectStage{stage})});
  }
}

// Which attention, where there are several.
void add_attentions(Actions& actions, const AppState& state) {
  const bool several = attentions_of(state.document).size() > 1;
  const AttentionPart shown = focused_view(state).options.attention;
  AttentionPart other = shown;
  for (const AttentionPartInfo& info : all_attention_parts()) {
    if (info.part != shown) other = info.part;
    actions.push_back({.id = "attention/" + std::string(info.name),
                       .menu = "View/Attention",
                       .label = std::string(info.label),
                       .help = "Shows this attention of a decoder's blocks",
                       .enabled = several,
                       .checked = several && shown == info.part,
                       .run = sends(command::SelectAttention{info.part})});
  }
  actions.push_back({.id = "other_attention",
                     .menu = "View/Attention",
                     .label = "The other attention",
                     .help = "From self-attention to cross-attention and back",
                     .shortcuts = {typed('x')},
                     .enabled = several,
                     .separated = true,
                     .run = sends(command::SelectAttention{other})});
}

// Of the decoder in the alignment plot.
void add_steps(Actions& actions, const AppState& state) {
  const bool shown =
      shown_plot_uses(state, Option::Step) && info_of(state.document.model).has_steps;
  actions.push_back({.id = "previous_step",
                     .menu = "View/Step",
                     .label = "Previous step",
                     .help = "Takes back one step of the decoder",
                     .shortcuts = {typed(',')},
                     .enabled = shown,
                     .run = sends(command::StepDecoder{-1})});
  actions.push_back({.id = "next_step",
                     .menu = "View/Step",
                     .label = "Next step",
                     .help = "Draws one more step of the decoder",
                     .shortcuts = {typed('.')},
                     .enabled = shown,
                     .run = sends(command::StepDecoder{1})});
  actions.push_back({.id = "all_steps",
                     .menu = "View/Step",
                     .label = "All steps",
                     .help = "Draws every step of the decoder",
                     .enabled = shown && focused_view(state).options.step != 0,
                     .run = sends(command::SetOption{"step", "0"})});
}

// Heads are counted from 1, as in sentences and titles: key 1 is the first.
void add_heads(Actions& actions, const AppState& state) {
  const bool idle = !why_idle(state, "head").empty();
  const std::size_t heads = shown_shape(state).heads;
  actions.push_back({.id = "previous_head",
                     .menu = "View/Head",
                     .label = "Previous head",
                     .help = "Shows the head before this one, across layers",
                     .shortcuts = {typed('[')},
                     .enabled = heads * shown_shape(state).layers > 1 && !idle,
                     .run = sends(command::StepHead{-1})});
  actions.push_back({.id = "next_head",
                     .menu = "View/Head",
                     .label = "Next head",
                     .help = "Shows the head after this one, across layers",
                     .shortcuts = {typed(']')},
                     .enabled = heads * shown_shape(state).layers > 1 && !idle,
                     .run = sends(command::StepHead{1})});
  for (std::size_t head = 0; head < std::min<std::size_t>(heads, 9); ++head) {
    HeadAddress address = focused_view(state).options.at;
    address.head = head;
    actions.push_back({.id = "head/" + std::to_string(head),
                       .menu = "View/Head",
                       .label = "Head " + std::to_string(head + 1),
                       .help = "Shows this head",
                       .shortcuts = {typed(static_cast<char>('1' + head))},
                       .enabled = !idle,
                       .checked = focused_view(state).options.at.head == head,
                       .separated = head == 0,
                       .run = sends(command::SelectHead{address})});
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
}

}  // namespace attn::gui
