// List of all actions, those of the menus File, Edit and Help; text of shortcuts, and the action
// pressed in a frame.
#include "gui/shell/actions/actions.h"

#include <algorithm>
#include <cctype>

#include "base/number_text.h"
#include "document/load/open.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/panels/matrices.h"
#include "gui/panels/rules/rules.h"
#include "gui/platform/input_queue.h"
#include "gui/ui/widgets.h"
#include "plot/all_plots.h"
#include "session/command.h"

namespace attn::gui {
namespace {

void add_new_and_open(Actions& actions) {
  const Menu menu{actions, "File"};
  menu.add("new", "New", "Starts a small document of generated numbers", command::NewDocument{},
           {ctrl('N')});
  menu.add("open", "Open…", "Opens a document from a file", command::ShowDialog{DialogKind::Open},
           {ctrl('O')});
  menu.add("paste_document", "Paste as new document",
           "Opens what was copied: a document, a table of numbers or a sentence",
           [](Ui& ui) { ui.send(command::PasteDocument{clipboard_text()}); }, {ctrl_shift('V')},
           {.repeats = false});
}

void add_recent(Actions& actions, const AppState& state) {
  const Menu menu{actions, "File/Open recent"};
  std::size_t index = 0;
  for (const std::string& path : state.preferences.recent_files) {
    const bool newest = index == 0;
    const bool gone = std::ranges::find(state.gone_files, path) != state.gone_files.end();
    menu.add("recent/" + std::to_string(index++), path,
             gone ? "The file is gone" : "Opens this file again", command::Open{path},
             newest ? std::vector{ctrl_shift('O')} : std::vector<Shortcut>(), {.enabled = !gone});
  }
  menu.add("forget_recent", "Clear this list",
           "Clears the list of recent files; the files are kept", command::SetRecent{}, {},
           {.enabled = index > 0, .separated = index > 0});
}

void add_examples(Actions& actions) {
  for (const Example& example : all_examples()) {
    Menu{actions, "File/Examples/" + std::string(example.group)}.add(
        "example/" + std::string(example.name), example.title, example.description,
        command::Open{example_path(example)});
  }
}

// Keeps tabs with unsaved changes open, as hidden tabs cannot show a question.
void close_others(Ui& ui, const AppState& state) {
  for (const OpenDocument* open : open_documents(state)) {
    const bool closes = open->id != state.id && !has_unsaved_changes(*open);
    if (closes) ui.send(command::CloseTab{open->id});
  }
  ui.send(command::SelectTab{state.id});
}

void add_tabs(Actions& actions, const AppState& state) {
  const Menu menu{actions, "File"};
  const bool several = open_documents(state).size() > 1;
  menu.add("next_document", "Next document", "Shows the document in the next tab",
           command::StepTab{1}, {ctrl(keys::kTab)}, {.enabled = several, .separated = true});
  menu.add("previous_document", "Previous document", "Shows the document in the previous tab",
           command::StepTab{-1}, {ctrl_shift(keys::kTab)}, {.enabled = several});
  menu.add("close_document", "Close document",
           "Closes the tab; asks first when there are unsaved changes", command::CloseTab{0},
           {ctrl('W')});
  menu.add("close_others", "Close other documents",
           "Closes all other tabs that have no unsaved changes",
           [&state](Ui& ui) { close_others(ui, state); }, {}, {.enabled = several});
  menu.add("copy_path", "Copy path", "Copies the path of the document's file",
           [path = state.path](Ui&) { ImGui::SetClipboardText(path.c_str()); }, {},
           {.enabled = !state.path.empty()});
  menu.add("reopen_document", "Reopen closed document",
           "Reopens the tab that was closed last, with its history", command::ReopenTab{},
           {ctrl_shift('T')}, {.enabled = !state.closed.empty()});
}

void add_save_and_quit(Actions& actions, const AppState& state) {
  const Menu menu{actions, "File"};
  menu.add("save", "Save", "Writes the document to its file", command::Save{}, {ctrl('S')},
           {.enabled = state.path.empty() || has_unsaved_changes(state), .separated = true});
  menu.add("save_as", "Save as…", "Writes the document to another file",
           command::ShowDialog{DialogKind::SaveAs}, {ctrl_shift('S')});
  menu.add("reload", "Reload", "Reads the file again; undo restores the current version",
           command::Reload{}, {{.key = keys::kF1 + 4}}, {.enabled = !state.path.empty()});
  menu.add(
      "arrays", "Read differently…",
      "Chooses which array of the file is what, and which axis is which; of a table, whether it "
      "is attention or embeddings",
      command::AskArrays{}, {}, {.enabled = state.arrays != nullptr || !state.other_words.empty()});
  menu.add("export", "Export plot…", "Saves the plot as a picture, the same as on screen",
           command::ShowDialog{DialogKind::Export}, {ctrl('E'), {.key = keys::kF12, .shift = true}},
           {.enabled = state.result != nullptr});
  menu.add("screenshot", "Picture of the window",
           "Writes the window as it is to your folder of pictures", command::TakeScreenshot{},
           {{.key = keys::kF12}}, {.repeats = false, .over_windows = true});
  menu.add("unsaved", "Restore unsaved work…",
           "Autosaved edits from a run that ended without saving", command::ShowUnsaved{true}, {},
           {.enabled = !state.recovery.found.empty()});
  menu.add("settings", "Settings…", "All settings of the program",
           command::ShowOverlay{Overlay::Settings}, {ctrl(keys::kComma)}, {.separated = true});
  menu.add("quit", "Quit", "Asks first when there are unsaved changes", command::Quit{},
           {ctrl('Q')}, {.separated = true, .over_windows = true});
}

std::string with_label(const std::string& verb, const std::vector<Snapshot>& snapshots) {
  return snapshots.empty() ? verb : verb + " " + snapshots.back().label;
}

void add_history(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit"};
  menu.add("undo", with_label("Undo", state.history.past), "Undoes the last edit",
           command::StepEdit{-1}, {ctrl('Z')}, {.enabled = !state.history.past.empty()});
  menu.add("redo", with_label("Redo", state.history.future), "Redoes the edit that was undone",
           command::StepEdit{1}, {ctrl('Y'), ctrl_shift('Z')},
           {.enabled = !state.history.future.empty()});
}

// Unfolds a side, on the right with all rules, and presses the controls of it or gives them the
// keyboard.
std::function<void(Ui&)> asking(const AppState& state, bool Sides::*folded,
                                const std::vector<std::string>& controls) {
  return [&state, folded, controls](Ui& ui) {
    Sides sides = state.preferences.sides;
    sides.*folded = false;
    sides.more_rules = sides.more_rules || folded == &Sides::right_folded;
    if (sides != state.preferences.sides) ui.send(command::SetSides{sides});
    ui.request(controls);
  };
}

// True if tokens of this side can be padding, as for the toggles of the list.
bool can_pad(const AppState& state, const TokenHit& token, Side side) {
  const HeadAddress& at = focused_view(state).options.at;
  if (keys_are_queries(state)) return listed_side(state.document, at, side) == token.side;
  return token.side == side;
}

void add_marked_token(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Token"};
  const TokenHit token = state.marked_token.value_or(TokenHit{});
  const std::size_t count = tokens_of(state.document, token.side, token.sample).size();
  const auto add = [&](const char* id, const char* label, const char* help, bool possible,
                       Command command) {
    menu.add(id, label, help, std::move(command), {}, {.enabled = state.marked_token && possible});
  };
  const std::size_t at = token.index;
  const std::string list = !state.document.cross       ? "tokens/"
                           : token.side == Side::Query ? "tokens/query/"
                                                       : "tokens/key/";
  menu.add("add_token", "Add a token…", "Gives the keyboard to the field for a new token",
           asking(state, &Sides::left_folded, {list + "new"}));
  menu.add("rename_token", "Rename token…", "Edits the text of the marked token in its list",
           asking(state, &Sides::left_folded, {list + "edit"}), {},
           {.field_shortcut = "F2", .enabled = state.marked_token.has_value()});
  for (const Side side : {Side::Key, Side::Query}) {
    const bool key = side == Side::Key;
    const bool real = is_real(shown_mask(state), {side, token.sample, at});
    menu.add(key ? "pad_key" : "pad_query", key ? "Padding as a key" : "Padding as a query",
             key ? "Hides the marked token from every query, or shows it again"
                 : "Lets the marked token attend to nothing, or to the keys again",
             command::SetPadding{side, token.sample, at, !real}, {},
             {.enabled = state.marked_token && can_pad(state, token, side), .checked = !real});
  }
  add("delete_token", "Delete token", "Deletes the marked token with its numbers", count > 1,
      command::DeleteToken{token.side, at});
  add("move_token_up", "Move token up", "Moves the marked token before the one above it", at > 0,
      command::MoveToken{token.side, at, at - 1});
  add("move_token_down", "Move token down", "Moves the marked token after the one below it",
      at + 1 < count, command::MoveToken{token.side, at, at + 1});
}

void add_what_if(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/What if"};
  const HeadAddress at = focused_view(state).options.at;
  const HeadAddress head = at.moved_to(at.layer, 0, at.head);
  const bool is_out = gate_of(state.document.what_if, head) == 0.0F,
             can = joins_heads(state.document);
  const char* no_gates = "No output projection joins the heads of this document";
  menu.add("gate_head", is_out ? "Put this head back" : "Take this head out",
           can ? "Sets the factor of the shown head's output to 0, or back to 1" : no_gates,
           can ? Command(command::SetGates{{{head, is_out ? 1.0F : 0.0F}}})
               : Command(command::Notify{Notice::Level::Warning, no_gates, ""}),
           {typed('g')});
  const bool is_given = pattern_of(state.document.what_if, at) != nullptr;
  const std::string no_patterns = is_given ? ""
                                  : state.result == nullptr
                                      ? "weights are not known yet"
                                      : why_no_patterns(state.result->problem());
  menu.add("keep_weights",
           is_given ? "Give this head its own weights back" : "Keep this head's weights",
           !no_patterns.empty() ? "Not here: " + no_patterns
           : is_given           ? "Weights follow from the scores again"
                      : "Weights stay as they are now, as numbers among the inputs, where they can "
                        "be edited",
           command::SetPattern{at, is_given ? std::nullopt : std::optional(at)}, {},
           {.enabled = no_patterns.empty()});
  menu.add("reset_gates", "All heads back to 1", "Removes all gates", reset_gates(state.document),
           {}, {.enabled = !state.document.what_if.gates.empty()});
}

void add_places(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit"};
  menu.add("history", "All edits…", "Lists all edits; go back to any of them",
           command::ShowOverlay{Overlay::History}, {},
           {.enabled = !state.history.past.empty() || !state.history.future.empty()});
  menu.add("find", "Find a token…", "Marks tokens by their text", command::ShowFind{true},
           {ctrl('F')}, {.separated = true});
  for (const int by : {1, -1}) {
    menu.add(by > 0 ? "find_next" : "find_previous", by > 0 ? "Find next" : "Find previous",
             "Marks another token with the text that was searched",
             command::Find{state.find_text, by}, {{.key = keys::kF1 + 2, .shift = by < 0}},
             {.enabled = !state.find_text.empty()});
  }
  menu.add("go_to", "Go to…", "A row, column, cell, head, layer or sample by its number",
           command::ShowOverlay{Overlay::GoTo}, {ctrl('G')});
}

void add_clipboard(Actions& actions, const AppState& state, bool inspects) {
  const Menu menu{actions, "Edit"};
  menu.add("copy_cells", "Copy cells", "Copies the selected inputs as tab-separated text",
           [&state](Ui&) { ImGui::SetClipboardText(selected_block_text(state).c_str()); }, {},
           {.field_shortcut = "Ctrl+C", .separated = true});
  menu.add("paste_cells", "Paste cells", "Writes tab-separated numbers at the selected input cell",
           [&state](Ui& ui) { ui.send(paste_at_selection(state, clipboard_text())); }, {},
           {.field_shortcut = "Ctrl+V"});
  for (const bool down : {true, false}) {
    menu.add(down ? "fill_down" : "fill_right", down ? "Fill down" : "Fill right",
             down ? "The first row of the selected inputs in all of their rows"
                  : "The first column of the selected inputs in all columns",
             [&state, down](Ui& ui) { ui.send(fill_selection(state, down)); },
             {ctrl(down ? 'D' : 'R')}, {.enabled = can_fill(state, down)});
  }
  menu.add("copy_sentence", "Copy sentence", "Copies the inspector's sentence about the cell",
           [&state](Ui& ui) {
             const std::string sentence = inspected_sentence(state);
             copy_and_notify(ui, sentence, "Copied: " + sentence);
           },
           {ctrl_shift('C')}, {.enabled = inspects});
}

void copy_numbers(Ui& ui, const AppState& state, const CopiedPartInfo& part,
                  const NumberFormat& format) {
  const Result<NumberTable> numbers = copied_numbers(state, part.part);
  if (!numbers) return ui.send(command::notice_of(Notice::Level::Warning, numbers.error()));
  copy_and_notify(ui, format.write(*numbers),
                  "Copied " + counted(numbers->rows * numbers->cols, "number") + " as " +
                      std::string(format.label));
}

void add_numbers(Actions& actions, const AppState& state, bool inspects) {
  for (const CopiedPartInfo& part : all_copied_parts()) {
    for (const NumberFormat& format : all_number_formats()) {
      Menu{actions, "Edit/Copy numbers/" + std::string(part.label)}.add(
          "copy_numbers/" + std::string(part.name) + "/" + std::string(format.name),
          std::string(part.label) + " as " + std::string(format.label), format.help,
          [&state, &part, &format](Ui& ui) { copy_numbers(ui, state, part, format); }, {},
          {.enabled = state.result != nullptr && (inspects || !part.needs_cell)});
    }
  }
}

void add_picture_and_windows(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit"};
  const bool possible = !state.picture_helper.empty();
  menu.add("copy_figure", "Copy the figure",
           possible ? "As a picture, the same as an export"
                    : "Copying pictures needs xclip or wl-copy; neither is installed",
           command::CopyFigure{}, {}, {.enabled = possible && state.result != nullptr});
  menu.add("sentence", "Type a sentence…", "Replaces the tokens with those of a text",
           command::ShowOverlay{Overlay::Sentence}, {ctrl_shift('E')}, {.separated = true});
  menu.add("structure", "Structure…",
           "The kind of model, heads, widths, layers, samples, sequences",
           command::ShowOverlay{Overlay::Structure}, {ctrl_shift('D')});
}

bool shows_one_cell(const AppState& state) {
  const PlotEntry* plot = plot_named(focused_view(state).plot);
  return plot != nullptr && plot->of_one_cell && state.result != nullptr;
}

// Words about a cell to be copied in each format.
struct CopiedWords {
  const char *what, *help, *without;
  std::string (*text)(const AppState& state, const SumFormat& format);
};
constexpr CopiedWords kSum{"sum", "Copies the sum behind the number of the cell",
                           "This cell is not a sum", inspected_sum_text};
constexpr CopiedWords kEquation{"equation",
                                "Copies the weight of the cell as an equation with its numbers",
                                "This cell is not one of queries and keys", inspected_equation};

void copy_words(Ui& ui, const CopiedWords& words, const std::string& text,
                std::string_view format) {
  if (text.empty()) return ui.send(command::Notify{Notice::Level::Warning, words.without, ""});
  copy_and_notify(ui, text, std::string("Copied the ") + words.what + " as " + std::string(format));
}

void add_copied_words(Actions& actions, const AppState& state, const CopiedWords& words,
                      bool possible) {
  const std::string what = words.what;
  const Menu menu{actions, "Edit/Copy the " + what};
  for (const SumFormat& format : all_sum_formats()) {
    menu.add("copy_" + what + "/" + std::string(format.name), "As " + std::string(format.label),
             words.help,
             [&state, &words, &format](Ui& ui) {
               copy_words(ui, words, words.text(state, format), format.label);
             },
             {}, {.enabled = possible});
  }
}

void add_masks(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit"};
  const bool painting = state.tool == Tool::PaintMask;
  menu.add("causal", "Causal mask", "Hides later keys from each query",
           command::SetCausal{!shown_mask(state).causal}, {typed('c')},
           {.checked = shown_mask(state).causal, .separated = true});
  menu.add("paint_mask", "Paint mask",
           "Click or drag over cells of the heatmap to hide or show them, with Shift in this head "
           "alone",
           command::SetTool{painting ? Tool::Inspect : Tool::PaintMask}, {typed('m')},
           {.checked = painting});
  menu.add("clear_painted", "Clear painted",
           "Shows every cell that was hidden by hand, in all samples", command::ClearMask{true}, {},
           {.enabled = !shown_mask(state).visible.empty()});
  menu.add("clear_mask", "Clear all masks", "Removes all masks and biases, in all samples",
           command::ClearMask{}, {}, {.enabled = shown_mask(state) != Mask{}});
}

void add_mask_rules(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Mask"};
  const Mask& mask = shown_mask(state);
  const bool scored = has_scores(state.document.model);
  const auto add = [&](const char* id, const char* label, const char* help, bool on, bool enabled,
                       Mask (*changed)(const AppState&, bool)) {
    menu.add(id, label, help,
             [&state, changed, on](Ui& ui) {
               ui.send(command::SetMask{changed(state, !on)});  // copied late: a mask may be large
             },
             {}, {.enabled = enabled, .checked = on});
  };
  add("mask/window", "Sliding window", "A query sees only keys near its own position",
      mask.window.has_value(), true, &with_window);
  add("mask/alibi", "ALiBi", "Subtracts slope · distance from each score", mask.alibi.has_value(),
      scored, &with_alibi);
  add("mask/relative", "Relative buckets",
      "Adds a number to each score by distance, in T5's buckets", mask.relative.has_value(), scored,
      &with_relative_buckets);
  menu.add("mask/segments", "Segments…", "A query sees only keys of its own segment",
           asking(state, &Sides::right_folded, {"rules/Masks", "masks/segments/value"}), {},
           {.enabled = keys_are_queries(state)});
}

void add_scoring(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Scoring"};
  const Scoring& scoring = state.document.scoring;
  const bool scored = has_scores(state.document.model);
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    Scoring changed = scoring;
    changed.function = info.function;
    menu.add("scoring/" + std::string(info.name), info.label, info.sentence,
             command::SetScoring{std::move(changed)}, {},
             {.enabled = scored, .checked = scoring.function == info.function});
  }
  for (const NormaliserInfo& info : all_normalisers()) {
    menu.add("normaliser/" + std::string(info.name), info.label, info.sentence,
             command::SetScoring{with_normaliser(scoring, info.normaliser)}, {},
             {.enabled = scored,
              .checked = scoring.normaliser == info.normaliser,
              .separated = &info == &all_normalisers().front()});
  }
}

void add_positions(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Positions"};
  const KindInfo& kind = info_of(state.document.model);
  const bool chosen = kind.has_scores && kind.no_positions.empty();
  for (const PositionKindInfo& info : all_position_kinds()) {
    menu.add("position/" + std::string(info.name), info.label, info.sentence,
             command::SetPosition{usual_position(info.kind)}, {},
             {.enabled = chosen, .checked = state.document.position.kind == info.kind});
  }
}

void add_inputs(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Inputs"};
  const MatrixRef& shown = state.grid.matrix;
  const TensorList tensors =
      editable_tensors(state.document, block_of_path(shown.tensor).value_or(shown.at.layer));
  for (const TensorInfo& info : tensors) {
    menu.add("inputs/" + info.label, info.label, "Shows this matrix among the inputs",
             command::SelectMatrix{{info.path, shown.at}}, {},
             {.checked = shown.tensor == info.path});
  }
  const auto fill = [&](const char* id, const char* label, const char* help, Fill kind) {
    menu.add(id, label, help, command::FillMatrix{shown, kind}, {},
             {.enabled = !tensors.empty(), .separated = kind == Fill::RandomNormal});
  };
  menu.add("name_column", "Name the column…",
           "Names the feature of the selected cell's column wherever it occurs; an empty name "
           "removes it",
           asking(state, &Sides::left_folded, {"inputs/column_name"}), {},
           {.enabled = can_name_columns(state), .separated = true});
  menu.add("scale_inputs", "Scale…", "Multiplies every number of the matrix that is shown",
           asking(state, &Sides::left_folded, {"inputs/scale"}), {}, {.enabled = !tensors.empty()});
  fill("fill/random", "Fill at random", "Normally distributed numbers in the matrix that is shown",
       Fill::RandomNormal);
  fill("fill/zeros", "Fill with zeros", "Zeros in the matrix that is shown", Fill::Zeros);
  fill("fill/identity", "Fill with the identity", "Ones on the diagonal, zeros elsewhere",
       Fill::Identity);
}

void add_help(Actions& actions) {
  const Menu menu{actions, "Help"};
  menu.add("start_page", "Start page", "Recent files, and all examples with what they show",
           command::ShowOverlay{Overlay::Start});
  menu.add("first_steps", "First steps", "Three things to do with a small example",
           command::BeginFirstSteps{});
  menu.add("guide", "Guide", "Keys of documents, stages and measures explained",
           command::ShowOverlay{Overlay::Guide});
  menu.add("palette", "Command palette…", "Finds any command by its name",
           command::ShowOverlay{Overlay::Palette}, {ctrl_shift('P'), ctrl('K')},
           {.separated = true});
  menu.add("shortcuts", "Keyboard shortcuts", "Lists every shortcut",
           command::ShowOverlay{Overlay::Shortcuts}, {{.key = keys::kF1}, typed('?')});
  menu.add("messages", "Messages", "All messages so far", command::ShowOverlay{Overlay::Messages});
  menu.add("about", "About AttnScope",
           "Version, libraries and their licences, and what draws the window",
           command::ShowOverlay{Overlay::About});
}

constexpr std::pair<std::string_view, std::string_view> kMenus[] = {
    {"File", "New, open, save, export, tabs and settings"},
    {"Edit", "Undo, the clipboard, tokens, inputs, masks and scoring"},
    {"View", "Plots, stages, heads, panes, themes and the sides"},
    {"Help", "Guide, shortcuts, messages and about the program"}};

// Keys used by a focused spreadsheet or list. The pages of a presenter are those of the lesson.
bool walks(const Action& action, const Shortcut& shortcut) {
  const bool pages = shortcut.key == keys::kPageUp || shortcut.key == keys::kPageDown;
  if (pages && action.menu == "View/Lesson") return false;
  constexpr int kWalking[] = {keys::kLeft,   keys::kRight,    keys::kUp,        keys::kDown,
                              keys::kPageUp, keys::kPageDown, keys::kBackspace, keys::kSpace};
  return !shortcut.ctrl && !shortcut.alt &&
         std::ranges::find(kWalking, shortcut.key) != std::end(kWalking);
}

bool pressed_now(const Action& action, const Shortcut& shortcut, bool characters) {
  const ImGuiIO& io = ImGui::GetIO();
  if (shortcut.mouse != 0) return ImGui::IsMouseClicked(shortcut.mouse);
  if (shortcut.key == 0) {
    const auto& typed = io.InputQueueCharacters;
    return characters && !io.KeyCtrl && !io.KeyAlt &&
           std::find(typed.begin(), typed.end(), static_cast<ImWchar>(shortcut.character)) !=
               typed.end();
  }
  if (walks(action, shortcut) && !characters) return false;
  return io.KeyCtrl == shortcut.ctrl && io.KeyShift == shortcut.shift &&
         io.KeyAlt == shortcut.alt && key_pressed(shortcut.key, action.repeats);
}

// A field without typed text has nothing to undo itself: Ctrl+Z after a token was added by Enter
// undoes the token.
bool leaves_to_field(const Ui& ui, const Action& action) {
  if (!ImGui::GetIO().WantTextInput || action.over_windows) return false;
  if (action.id == "undo") return !ui.text_edit.undone_to.empty();
  if (action.id == "redo") return !ui.text_edit.redone_to.empty();
  return action.menu != "File" || !ui.types_live();
}

}  // namespace

void Menu::add(std::string_view id, std::string_view label, std::string_view help,
               std::function<void(Ui&)> run, std::vector<Shortcut> shortcuts, Action look) const {
  look.id = id;
  look.menu = path;
  look.label = label;
  look.help = help;
  look.shortcuts = std::move(shortcuts);
  look.run = std::move(run);
  actions.push_back(std::move(look));
}

void Menu::add(std::string_view id, std::string_view label, std::string_view help, Command sent,
               std::vector<Shortcut> shortcuts, Action look) const {
  const auto run = [sent = std::move(sent)](Ui& ui) { ui.send(sent); };
  add(id, label, help, run, std::move(shortcuts), std::move(look));
}

std::vector<Action> all_actions(const AppState& state) {
  Actions actions;
  add_new_and_open(actions);
  add_recent(actions, state);
  add_examples(actions);
  add_tabs(actions, state);
  add_save_and_quit(actions, state);
  add_history(actions, state);
  add_marked_token(actions, state);
  add_places(actions, state);
  add_what_if(actions, state);
  const bool inspects = !inspected_cells(state).empty();
  add_clipboard(actions, state, inspects);
  add_numbers(actions, state, inspects);
  add_copied_words(actions, state, kSum, inspects);
  add_copied_words(actions, state, kEquation, inspects || shows_one_cell(state));
  add_picture_and_windows(actions, state);
  add_masks(actions, state);
  add_mask_rules(actions, state);
  add_scoring(actions, state);
  add_positions(actions, state);
  add_inputs(actions, state);
  add_views(actions, state);
  add_help(actions);
  return actions;
}

std::span<const std::pair<std::string_view, std::string_view>> all_menus() { return kMenus; }

std::string shortcut_text(const Shortcut& shortcut) {
  if (shortcut.mouse != 0) return "Mouse " + std::to_string(shortcut.mouse + 1);
  if (shortcut.key == 0) {
    const auto character = static_cast<unsigned char>(shortcut.character);
    return (std::isupper(character) != 0 ? "Shift+" : "") +
           std::string(1, static_cast<char>(std::toupper(character)));
  }
  std::string text;
  if (shortcut.ctrl) text += "Ctrl+";
  if (shortcut.shift) text += "Shift+";
  if (shortcut.alt) text += "Alt+";
  return text + key_name(shortcut.key);
}

const Action* pressed_action(const Ui& ui, const std::vector<Action>& actions) {
  const bool characters = !ui.plain_keys_taken();
  const std::string focused = ui.focus.focused();
  const bool presses = !focused.empty();  // Space presses that control
  const auto moves_bar = [&](const Action& action, const Shortcut& shortcut) {
    const bool is_arrow = shortcut.key == keys::kLeft || shortcut.key == keys::kRight;
    return is_arrow && action.menu == "View/Lesson" && focused.starts_with("lesson/guess/");
  };
  const Action* refused = nullptr;
  for (const Action& action : actions) {
    if (leaves_to_field(ui, action)) continue;
    if (presses && action.id == "play") continue;
    if (!characters && action.id == "unpin") continue;  // Esc leaves the spreadsheet
    for (const Shortcut& shortcut : action.shortcuts) {
      if (moves_bar(action, shortcut) || !pressed_now(action, shortcut, characters)) continue;
      if (action.enabled) return &action;
      if (shortcut.mouse == 0) refused = &action;
    }
  }
  return refused;
}

}  // namespace attn::gui
