// Every action, as the state has it.
#include "gui/shell/actions.h"

#include <algorithm>
#include <utility>

#include "document/open.h"
#include "figure/colormap.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/panels/matrices.h"
#include "gui/panels/rules/masks.h"
#include "gui/panels/strip/selectors.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/action_lists.h"
#include "plot/all_plots.h"

namespace attn::gui {
namespace {

void add_new_and_open(Actions& actions) {
  actions.push_back({.id = "new",
                     .menu = "File",
                     .label = "New",
                     .help = "Starts a small document of generated numbers",
                     .shortcuts = {ctrl('N')},
                     .run = sends(command::NewDocument{})});
  actions.push_back({.id = "open",
                     .menu = "File",
                     .label = "Open…",
                     .help = "Opens a document from a file",
                     .shortcuts = {ctrl('O')},
                     .run = sends(command::ShowDialog{DialogKind::Open})});
}

void add_recent(Actions& actions, const AppState& state) {
  std::size_t index = 0;
  for (const std::string& path : state.preferences.recent_files) {
    actions.push_back({.id = "recent/" + std::to_string(index++),
                       .menu = "File/Open recent",
                       .label = path,
                       .help = "Opens this file again",
                       .run = sends(command::Open{path})});
  }
}

void add_examples(Actions& actions) {
  for (const Example& example : all_examples()) {
    actions.push_back(
        {.id = "example/" + std::string(example.name),
         .menu = "File/Examples",
         .label = example.title,
         .help = example.description,
         .run = sends(command::Open{std::string(kExamplePrefix) + std::string(example.name)})});
  }
}

void add_tabs(Actions& actions, const AppState& state) {
  const bool several = open_documents(state).size() > 1;
  actions.push_back({.id = "next_document",
                     .menu = "File",
                     .label = "Next document",
                     .help = "Shows the document in the next tab",
                     .shortcuts = {ctrl(keys::kTab)},
                     .enabled = several,
                     .separated = true,
                     .run = sends(command::StepTab{1})});
  actions.push_back({.id = "previous_document",
                     .menu = "File",
                     .label = "Previous document",
                     .help = "Shows the document in the tab before",
                     .shortcuts = {ctrl_shift(keys::kTab)},
                     .enabled = several,
                     .run = sends(command::StepTab{-1})});
  actions.push_back({.id = "close_document",
                     .menu = "File",
                     .label = "Close document",
                     .help = "Closes the tab; asks first when there are unsaved changes",
                     .shortcuts = {ctrl('W')},
                     .run = sends(command::CloseTab{0})});
  actions.push_back({.id = "reopen_document",
                     .menu = "File",
                     .label = "Reopen closed document",
                     .help = "Brings back what was closed last, with its history",
                     .shortcuts = {ctrl_shift('T')},
                     .enabled = !state.closed.empty(),
                     .run = sends(command::ReopenTab{})});
}

void add_save_and_quit(Actions& actions, const AppState& state) {
  actions.push_back({.id = "save",
                     .menu = "File",
                     .label = "Save",
                     .help = "Writes the document to its file",
                     .shortcuts = {ctrl('S')},
                     .enabled = state.path.empty() || has_unsaved_changes(state),
                     .separated = true,
                     .run = sends(command::Save{})});
  actions.push_back({.id = "save_as",
                     .menu = "File",
                     .label = "Save as…",
                     .help = "Writes the document to another file",
                     .shortcuts = {ctrl_shift('S')},
                     .run = sends(command::ShowDialog{DialogKind::SaveAs})});
  actions.push_back({.id = "export",
                     .menu = "File",
                     .label = "Export plot…",
                     .help = "Writes the plot as a picture, the same as on screen",
                     .shortcuts = {ctrl('E')},
                     .enabled = state.result != nullptr,
                     .run = sends(command::ShowDialog{DialogKind::Export})});
  actions.push_back({.id = "quit",
                     .menu = "File",
                     .label = "Quit",
                     .help = "Asks first when there are unsaved changes",
                     .shortcuts = {ctrl('Q')},
                     .separated = true,
                     .run = sends(command::Quit{})});
}

std::string with_label(const std::string& verb, const std::vector<Snapshot>& snapshots) {
  return snapshots.empty() ? verb : verb + " " + snapshots.back().label;
}

void add_history(Actions& actions, const AppState& state) {
  actions.push_back({.id = "undo",
                     .menu = "Edit",
                     .label = with_label("Undo", state.history.past),
                     .help = "Takes the last edit back",
                     .shortcuts = {ctrl('Z')},
                     .enabled = !state.history.past.empty(),
                     .run = sends(command::Undo{})});
  actions.push_back({.id = "redo",
                     .menu = "Edit",
                     .label = with_label("Redo", state.history.future),
                     .help = "Does again what was taken back",
                     .shortcuts = {ctrl('Y'), ctrl_shift('Z')},
                     .enabled = !state.history.future.empty(),
                     .run = sends(command::Redo{})});
}

void paste_cells(Ui& ui, const AppState& state) {
  const char* text = ImGui::GetClipboardText();
  ui.send(paste_at_selection(state, text == nullptr ? "" : text));
}

void copy_sentence(Ui& ui, const AppState& state) {
  const std::string sentence = inspected_sentence(state);
  ImGui::SetClipboardText(sentence.c_str());
  ui.send(command::Notify{Notice::Level::Info, "Copied: " + sentence, ""});
}

void add_clipboard(Actions& actions, const AppState& state) {
  actions.push_back(
      {.id = "copy_cells",
       .menu = "Edit",
       .label = "Copy cells",
       .help = "Copies the selected inputs as tab-separated text",
       .field_shortcut = "Ctrl+C",
       .separated = true,
       .run = [&state](Ui&) { ImGui::SetClipboardText(selected_block_text(state).c_str()); }});
  actions.push_back({.id = "paste_cells",
                     .menu = "Edit",
                     .label = "Paste cells",
                     .help = "Writes tab-separated numbers at the selected input cell",
                     .field_shortcut = "Ctrl+V",
                     .run = [&state](Ui& ui) { paste_cells(ui, state); }});
  actions.push_back({.id = "copy_sentence",
                     .menu = "Edit",
                     .label = "Copy sentence",
                     .help = "Copies what the inspector says about the cell",
                     .shortcuts = {ctrl_shift('C')},
                     .enabled = !inspected_cells(state).empty(),
                     .run = [&state](Ui& ui) { copy_sentence(ui, state); }});
}

void add_masks(Actions& actions, const AppState& state) {
  const bool painting = state.tool == Tool::PaintMask;
  actions.push_back({.id = "causal",
                     .menu = "Edit",
                     .label = "Causal mask",
                     .help = "Hides later keys from each query",
                     .shortcuts = {typed('c')},
                     .checked = shown_mask(state).causal,
                     .separated = true,
                     .run = sends(command::SetCausal{!shown_mask(state).causal})});
  actions.push_back({.id = "paint_mask",
                     .menu = "Edit",
                     .label = "Paint mask",
                     .help = "Click or drag over cells of the heatmap to hide or show them",
                     .shortcuts = {typed('m')},
                     .checked = painting,
                     .run = sends(command::SetTool{painting ? Tool::Inspect : Tool::PaintMask})});
  actions.push_back({.id = "clear_painted",
                     .menu = "Edit",
                     .label = "Clear painted",
                     .help = "Shows every cell that was hidden by hand, in all samples",
                     .enabled = !shown_mask(state).visible.empty(),
                     .run = sends(command::ClearPainted{})});
  actions.push_back({.id = "clear_mask",
                     .menu = "Edit",
                     .label = "Clear all masks",
                     .help = "Removes every rule and bias, in all samples",
                     .enabled = shown_mask(state) != Mask{},
                     .run = sends(command::ClearMask{})});
}

void add_plots(Actions& actions, const AppState& state) {
  for (const PlotEntry& plot : all_plots()) {
    actions.push_back({.id = "plot/" + std::string(plot.name),
                       .menu = "View",
                       .label = std::string(plot.label),
                       .help = std::string(plot.help),
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
  const bool shown = shown_plot_uses(state, "step") && info_of(state.document.model).has_steps;
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
  const bool joined =
      shown_plot_uses(state, "stage") && !stage_info(focused_view(state).options.stage).per_head;
  const std::size_t heads = shown_shape(state).heads;
  actions.push_back({.id = "previous_head",
                     .menu = "View/Head",
                     .label = "Previous head",
                     .help = "Shows the head before this one, across layers",
                     .shortcuts = {typed('[')},
                     .enabled = heads * shown_shape(state).layers > 1 && !joined,
                     .run = sends(command::StepHead{-1})});
  actions.push_back({.id = "next_head",
                     .menu = "View/Head",
                     .label = "Next head",
                     .help = "Shows the head after this one, across layers",
                     .shortcuts = {typed(']')},
                     .enabled = heads * shown_shape(state).layers > 1 && !joined,
                     .run = sends(command::StepHead{1})});
  for (std::size_t head = 0; head < std::min<std::size_t>(heads, 9); ++head) {
    HeadAddress address = focused_view(state).options.at;
    address.head = head;
    actions.push_back({.id = "head/" + std::to_string(head),
                       .menu = "View/Head",
                       .label = "Head " + std::to_string(head + 1),
                       .help = "Shows this head",
                       .shortcuts = {typed(static_cast<char>('1' + head))},
                       .enabled = !joined,
                       .checked = focused_view(state).options.at.head == head,
                       .separated = head == 0,
                       .run = sends(command::SelectHead{address})});
  }
}

void add_heatmap_view(Actions& actions, const AppState& state) {
  actions.push_back({.id = "fit",
                     .menu = "View",
                     .label = "Fit",
                     .help = "Shows the whole matrix",
                     .shortcuts = {typed('f')},
                     .enabled = focused_view(state).options.window.rows > 0.0,
                     .separated = true,
                     .run = sends(command::FitWindow{})});
  actions.push_back({.id = "values",
                     .menu = "View",
                     .label = "Values in the cells",
                     .help = "Numbers in the cells, when they fit",
                     .shortcuts = {typed('v')},
                     .checked = focused_view(state).options.values,
                     .run = sends(flipped(state, "values"))});
  actions.push_back({.id = "own_range",
                     .menu = "View",
                     .label = "Range of this head",
                     .help = "Colours of the weights from the smallest to the largest of this head",
                     .shortcuts = {typed('r')},
                     .enabled = focused_view(state).options.stage == Stage::Weights,
                     .checked = focused_view(state).options.range == ColorSpan::Head,
                     .run = sends(flipped(state, "own_range"))});
  actions.push_back({.id = "unpin",
                     .menu = "View",
                     .label = "Release pins",
                     .help = "Lets go of the pinned cells",
                     .shortcuts = {{.key = keys::kEscape}},
                     .enabled = !state.pins.empty(),
                     .run = sends(command::Unpin{})});
  for (const ColorMapChoice& choice : all_colormap_choices()) {
    actions.push_back({.id = "colormap/" + std::string(choice.name),
                       .menu = "View/Colour map",
                       .label = std::string(choice.label),
                       .help = "Colours of the heatmap",
                       .checked = focused_view(state).options.colormap == choice.name,
                       .run = sends(command::SetOption{"colormap", std::string(choice.name)})});
  }
}

void add_interface(Actions& actions, const AppState& state) {
  const Preferences& preferences = state.preferences;
  for (const auto& [id, label, theme] :
       {std::tuple{"dark", "Dark", ThemeKind::Dark}, {"light", "Light", ThemeKind::Light}}) {
    actions.push_back({.id = std::string("theme/") + id,
                       .menu = "View/Theme",
                       .label = label,
                       .help = "Colours of the window",
                       .checked = preferences.theme == theme,
                       .run = sends(command::SetTheme{theme})});
  }
  for (const auto& [label, scale] : {std::pair{"Automatic", 0.0},
                                     {"100 %", 1.0},
                                     {"125 %", 1.25},
                                     {"150 %", 1.5},
                                     {"200 %", 2.0}}) {
    actions.push_back({.id = "scale/" + std::to_string(static_cast<int>(scale * 100)),
                       .menu = "View/Interface scale",
                       .label = label,
                       .help = scale == 0.0 ? "As the display says" : "Size of texts and controls",
                       .checked = preferences.scale == scale,
                       .run = sends(command::SetInterfaceScale{scale})});
  }
}

void add_help(Actions& actions, const AppState& state) {
  actions.push_back({.id = "palette",
                     .menu = "Help",
                     .label = "Command palette…",
                     .help = "Finds any command by its name",
                     .shortcuts = {ctrl_shift('P')},
                     .run = sends(command::ShowPalette{!state.palette_open})});
  actions.push_back({.id = "shortcuts",
                     .menu = "Help",
                     .label = "Keyboard shortcuts",
                     .help = "Lists every shortcut",
                     .shortcuts = {{.key = keys::kF1}, typed('?')},
                     .run = sends(command::ShowShortcuts{!state.shortcuts_open})});
  actions.push_back({.id = "about",
                     .menu = "Help",
                     .label = "About AttnScope",
                     .help = "Version and what the program does",
                     .run = sends(command::ShowAbout{true})});
}

constexpr std::pair<int, std::string_view> kKeyNames[] = {
    {keys::kEscape, "Esc"},         {keys::kLeft, "Left"},
    {keys::kRight, "Right"},        {keys::kPageUp, "Page Up"},
    {keys::kPageDown, "Page Down"}, {keys::kEqual, "Plus"},
    {keys::kMinus, "Minus"},        {keys::kTab, "Tab"},
    {keys::kKeypadAdd, "Keypad +"}, {keys::kKeypadSubtract, "Keypad −"}};

std::string key_name(int key) {
  const auto known = std::ranges::find(kKeyNames, key, &std::pair<int, std::string_view>::first);
  if (known != std::end(kKeyNames)) return std::string(known->second);
  if (key >= keys::kF1 && key <= keys::kF12) return "F" + std::to_string(key - keys::kF1 + 1);
  return std::string(1, static_cast<char>(key));
}

// What a focused spreadsheet or list wants itself.
bool walks(const Shortcut& shortcut) {
  constexpr int kWalking[] = {keys::kLeft, keys::kRight,  keys::kUp,
                              keys::kDown, keys::kPageUp, keys::kPageDown};
  return !shortcut.ctrl && !shortcut.alt &&
         std::ranges::find(kWalking, shortcut.key) != std::end(kWalking);
}

bool typed_now(char character) {
  for (const ImWchar typed_character : ImGui::GetIO().InputQueueCharacters) {
    if (typed_character == static_cast<ImWchar>(character)) return true;
  }
  return false;
}

bool pressed_now(const Shortcut& shortcut, bool characters) {
  const ImGuiIO& io = ImGui::GetIO();
  if (shortcut.key == 0) {
    return characters && !io.KeyCtrl && !io.KeyAlt && typed_now(shortcut.character);
  }
  if (walks(shortcut) && !characters) return false;
  return io.KeyCtrl == shortcut.ctrl && io.KeyShift == shortcut.shift &&
         io.KeyAlt == shortcut.alt && key_pressed(shortcut.key);
}

constexpr std::string_view kMenus[] = {"File", "Edit", "View", "Help"};

}  // namespace

std::string shortcut_text(const Shortcut& shortcut) {
  if (shortcut.key == 0) {
    const bool letter = shortcut.character >= 'a' && shortcut.character <= 'z';
    return std::string(
        1, static_cast<char>(letter ? shortcut.character - 'a' + 'A' : shortcut.character));
  }
  std::string text;
  if (shortcut.ctrl) text += "Ctrl+";
  if (shortcut.shift) text += "Shift+";
  if (shortcut.alt) text += "Alt+";
  return text + key_name(shortcut.key);
}

std::vector<Action> all_actions(const AppState& state) {
  Actions actions;
  add_new_and_open(actions);
  add_recent(actions, state);
  add_examples(actions);
  add_tabs(actions, state);
  add_save_and_quit(actions, state);
  add_history(actions, state);
  add_clipboard(actions, state);
  add_masks(actions, state);
  add_rules(actions, state);
  add_plots(actions, state);
  add_panes(actions, state);
  add_stages(actions, state);
  add_attentions(actions, state);
  add_heads(actions, state);
  add_steps(actions, state);
  add_heatmap_view(actions, state);
  add_walks(actions, state);
  add_comparison(actions, state);
  add_sides(actions, state);
  add_pane_alone(actions, state);
  add_interface(actions, state);
  add_scale_steps(actions);
  add_help(actions, state);
  return actions;
}

std::span<const std::string_view> menu_names() { return kMenus; }

const Action* pressed_action(const Ui& ui, const std::vector<Action>& actions) {
  if (ImGui::GetIO().WantTextInput) return nullptr;
  const bool characters = !ui.plain_keys_taken();
  for (const Action& action : actions) {
    if (!action.enabled) continue;
    for (const Shortcut& shortcut : action.shortcuts) {
      if (pressed_now(shortcut, characters)) return &action;
    }
  }
  return nullptr;
}

}  // namespace attn::gui
