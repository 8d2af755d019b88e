// Form of all texts of the window: sentence case, no full stop after a few words, "…" where more
// input follows, typographic quotation marks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "app/shell/app_fixture.h"
#include "document/load/open.h"
#include "gui/platform/input_queue.h"
#include "gui/shell/actions/actions.h"
#include "gui/ui/widgets.h"
#include "plot/all_plots.h"
#include "session/preferences.h"
#include "support/sanitizers.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

// Names of people, programs, formats, languages, keys and panels, capitalised in the middle of a
// sentence.
constexpr std::string_view kProperNames[] = {
    "AttnScope", "Markdown", "NumPy", "LaTeX",  "Python",   "PyTorch", "Chinese", "Japanese",
    "Korean",    "Ctrl",     "Shift", "Alt",    "Esc",      "Enter",   "Tab",     "Backspace",
    "Page",      "Up",       "Down",  "Luong",  "Bahdanau", "File",    "View",    "RoPE",
    "Inputs",    "Scoring",  "ImGui", "Debian", "DejaVu",   "Serif",   "Noto",    "Sans",
};
// Units and libraries in their usual spelling.
constexpr std::string_view kLowerCase[] = {"mm",     "cm",       "in",           "px",
                                           "pt",     "libpng",   "libdeflate",   "zlib",
                                           "xxHash", "utf8proc", "nlohmann/json"};

std::size_t word_count(const std::string& text) {
  std::istringstream words(text);
  return static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(words), {}));
}

template <class List>
bool is_in(const List& list, const std::string& word) {
  return std::ranges::find(list, std::string_view(word)) != std::end(list);
}

// Matrices are named as in documents and papers: "v", "d_k", "cross W_Q".
bool is_name_of_tensor(const std::string& text) {
  static const std::regex kName(R"(((back|cross|dec|enc) )?[A-Za-z](_[A-Za-z]+)?)");
  return std::regex_match(text, kName);
}

// Titles and descriptions of examples are not the program's text.
bool is_of_example(const std::string& text) {
  return std::ranges::any_of(all_examples(), [&](const Example& example) {
    return text.find(example.title) != std::string::npos ||
           text.find(example.description) != std::string::npos;
  });
}

// `"recurrent": {}` is quoted from documents.
std::string without_json(const std::string& text) {
  static const std::regex kKey(R"("\w+": )");
  return std::regex_replace(text, kKey, "");
}

// Violation of the form by `text`; empty if there is none.
std::string fault(const std::string& text, Wording wording) {
  if (text.find("...") != std::string::npos) return "three dots";
  if (text.find("  ") != std::string::npos) return "two blanks";
  if (without_json(text).find('"') != std::string::npos) return "straight quotation marks";
  if (text.front() == ' ' || text.back() == ' ') return "a blank at an end";
  static const std::regex kPlain(R"((^|[^\w/])[A-Za-z]_[A-Za-z{]|(^|[ (\[:]|\de)-\d)");
  if (std::regex_search(typeset(text), kPlain)) return "an index or a minus sign that is not set";
  if (wording == Wording::Fragment) return "";
  const bool is_short = wording == Wording::Label || word_count(text) <= 4;
  if (is_short && text.back() == '.') return "a full stop after a few words";
  const bool formula = text.substr(0, text.find(' ')).find_first_of("_([") != std::string::npos;
  const bool small = std::islower(static_cast<unsigned char>(text.front())) != 0;
  if (small && !formula) return "no capital";
  static const std::regex kWithin(R"([a-z,;’'0-9)] \(?([A-Z][a-z]+[A-Za-z]*))");
  for (std::sregex_iterator at(text.begin(), text.end(), kWithin), end; at != end; ++at) {
    if (!is_in(kProperNames, (*at)[1])) return "a capital within: " + (*at)[1].str();
  }
  return "";
}

// True if the text has words other than names, keys, numbers and quotations.
bool has_words(const std::string& text) {
  const bool is_name = is_name_of_tensor(text) || is_in(kLowerCase, text);
  const bool is_key = key_press(text) && text != "Delete";
  if (text.empty() || is_name || is_key || is_of_example(text)) return false;
  if (text.starts_with('/') || text.starts_with("Ctrl+")) return false;
  static const std::regex kLeftOpen("“[^”]*”|[\\d.,]+ (ms|[KMG]iB|s)\\b"), kWord("[A-Za-z]{2}");
  return std::regex_search(std::regex_replace(text, kLeftOpen, ""), kWord);
}

constexpr const char* kDocuments[] = {
    "example:i-love-cats",        "example:four-heads",
    "example:transformer-blocks", "example:transformer-decoder",
    "example:encoder-decoder",    "example:cross-attention-fr-en",
    "example:attention-sinks",    "example:padding-batch",
    "example:long-window",        "example:rope",
    "example:learned-positions",  "example:additive-bahdanau",
};

class WordsTest : public test::AppTest {
 protected:
  // Lists the same files wherever the test runs.
  WordsTest() : before_(std::filesystem::current_path()) {
    std::ofstream(path("cats.attn.json")) << "{}";
    std::filesystem::current_path(folder);
  }
  ~WordsTest() override { std::filesystem::current_path(before_); }

  void show_panels(const std::string& document) {
    open(document);
    show_inspected();
    for (const char* tab : {"rules/Scoring", "rules/Positions", "rules/Blocks", "rules/Recurrent",
                            "rules/Masks", "inputs/more"}) {
      if (!ui.shows(tab)) continue;
      ui.click(tab);
      ui.frames(2);
    }
    if (is_long()) return;  // its plots add no texts and take long to compute
    for (const PlotEntry& plot : all_plots()) show_options_of(plot);
  }
  bool is_long() const { return shown_shape(state()).n_k > 1000; }
  void show_windows() {
    for (int i = 0; i <= static_cast<int>(Overlay::Sentence); ++i) {
      show_overlay(static_cast<Overlay>(i));
    }
    for (int i = 0; i <= static_cast<int>(DialogKind::Compare); ++i) {
      show_dialog(static_cast<DialogKind>(i));
    }
  }
  void expect_form(const std::string& text, Wording wording, const std::string& where) {
    // Regular expressions take most of the time where sanitizers watch them.
    if (!checked_.insert({text, wording}).second || !has_words(text)) return;
    ++phrases;
    const std::string wrong = fault(text, wording);
    EXPECT_EQ(wrong, "") << where << ": " << text;
  }

  bool asks_of_panel = false;  // the action that ran last leads to a field
  std::size_t phrases = 0;     // that differ, over everything visited

  void look_at_panels() {
    for (std::size_t i = 0; i < std::size(kDocuments); i += test::kEvery) {
      const char* const document = kDocuments[i];
      show_panels(document);
      const bool has_layers = shown_shape(state()).layers > 1;
      if (document == kDocuments[0] || has_layers || is_long()) show_windows();
    }
    for (const ColorVisionInfo& vision : all_color_visions()) {
      app.apply(command::SetPreference{"simulate", std::string(vision.name)});
      ui.frames(2);
    }
    app.apply(command::SetPreference{"simulate", "none"});
    app.apply(command::Notify{Notice::Level::Info, "Something was said", ""});
    show_questions();
    show_changes_of_structure();
    // Narrow windows have shorter texts.
    ImGui::GetIO().DisplaySize = ImVec2(760, 560);
    for (const char* document : {"example:four-heads", "example:cross-attention-fr-en"}) {
      show_panels(document);
    }
    show_windows();
    EXPECT_GT(ui.probe.texts().size(), 300U);
    for (const auto& [text, wording] : ui.probe.texts()) expect_form(text, wording, "in view");
  }
  void look_at_actions();
  void look_at_options();

  void run(const Action& action) {
    ui.frame([&](Ui& u) {
      u.requested.clear();
      action.run(u);
      asks_of_panel = !u.requested.empty() && u.requested.front() != "plot/whole_pixels";
    });
    app.wait_until_idle();
    show();
  }

 private:
  std::filesystem::path before_;
  std::set<std::pair<std::string, Wording>> checked_;

  void show_options_of(const PlotEntry& plot) {
    app.apply(command::SelectPlot{std::string(plot.name)});
    app.wait_until_idle();
    ui.frames(2);
    if (!ui.shows("plot/options")) return;
    ui.click("plot/options");
    ui.frames(2);
    ui.key("Esc");
  }
  // One cell of each stage, and two cells.
  void show_inspected() {
    for (const Stage stage :
         std::vector(state().result->stages(focused_view(state()).options.at))) {
      app.apply(command::SelectStage{stage});
      app.apply(command::Unpin{});
      show_pinned({{stage, {}}, 1, 0}, false);
      show_pinned({{stage, {}}, 0, 1}, false);
    }
    show_pinned({{focused_view(state()).options.stage, {}}, 1, 1}, true);
    app.apply(command::Unpin{});
  }
  void show_pinned(const CellHit& cell, bool second) {
    app.apply(command::Pin{cell, second});
    app.wait_until_idle();
    ui.frames(3);
  }
  void show_questions() {
    app.apply(command::SetTitle{"Edited"});
    app.apply(command::CloseTab{0});
    ui.frames(3);
    app.apply(command::AnswerQuestion{command::Answer::Cancel});
    app.apply(command::StepEdit{-1});
    app.apply(command::Exported{path("there.png"), Error{}, true});
    ui.frames(3);
    app.apply(command::AnswerQuestion{command::Answer::Cancel});
    UnsavedWork work;
    work.name = "cats.attn.json";
    app.apply(command::UnsavedFound{{}, {{work}}});
    app.apply(command::ShowUnsaved{true});
    ui.frames(3);
    app.apply(command::ShowUnsaved{false});
  }
  // Preview of the structure for each kind of model.
  void show_changes_of_structure() {
    app.apply(command::ShowOverlay{Overlay::Structure});
    ui.frames(3);
    for (const KindInfo* info : all_kinds()) {
      const std::string name = "structure/kind/" + std::string(info->name);
      if (ui.shows(name)) ui.click(name);
      ui.frames(2);
    }
    app.apply(command::ShowOverlay{});
    ui.frames(1);
  }
  void show_overlay(Overlay overlay) {
    app.apply(command::ShowOverlay{overlay});
    ui.frames(3);
    app.apply(command::ShowOverlay{});
    ui.frames(1);
  }
  void show_dialog(DialogKind kind) {
    app.apply(command::ShowDialog{kind});
    app.wait_until_idle();
    ui.frames(3);
    app.apply(command::ShowDialog{});
    ui.frames(1);
  }
};

TEST(WordsFault, IsFoundInEachOfItsForms) {
  EXPECT_EQ(fault("Save as…", Wording::Label), "");
  EXPECT_EQ(fault("Reads the file again; undo leads back.", Wording::Explanation), "");
  EXPECT_EQ(fault("Scale 1/√d_k = 4.2e-05, from -1 on", Wording::Label), "");
  for (const char* label : {"Save as...", "Save  as", "Save \"cats\"", "Save ", "Save.", "save",
                            "Save As", "Save (As)"}) {
    EXPECT_NE(fault(label, Wording::Label), "") << label;
  }
}

void WordsTest::look_at_actions() {
  for (const char* document : kDocuments) {
    open(document);
    for (const Action& action : all_actions(state())) {
      const bool is_of_document =
          action.id.starts_with("recent/") || action.id.starts_with("example/");
      if (!is_of_document) {
        expect_form(action.label, Wording::Label, action.id);
        expect_form(action.help, Wording::Explanation, action.id);
      }
      std::istringstream menus(action.menu);
      for (std::string menu; std::getline(menus, menu, '/');) {
        expect_form(menu, Wording::Label, action.id);
      }
    }
  }
}

void WordsTest::look_at_options() {
  const auto expect_forms = [&](const auto& field) {
    const std::string name(field.name);
    expect_form(control_label(field.name, field.label), Wording::Label, name);
    expect_form(std::string(field.help), Wording::Explanation, name);
    for (const std::string& word : choice_words(field)) expect_form(word, Wording::Label, name);
  };
  for (const auto& field : plot_option_fields()) expect_forms(field);
  for (const auto& field : preference_fields()) expect_forms(field);
}

TEST_F(WordsTest, HaveOneForm) {
  look_at_panels();
  look_at_actions();
  look_at_options();
  EXPECT_GT(phrases * test::kEvery, 1000U);
}

// True if an overlay or a dialog waits for an answer.
bool asks_for_more(const AppState& state) {
  constexpr Overlay kOnlyShown[] = {Overlay::Shortcuts, Overlay::About, Overlay::Messages,
                                    Overlay::Start, Overlay::Guide};
  if (state.dialog || state.recovery.is_open || state.find_is_open) return true;
  return state.overlay && std::ranges::find(kOnlyShown, *state.overlay) == std::end(kOnlyShown);
}

TEST_F(WordsTest, OfActionsEndWithDotsWhereMoreIsAsked) {
  open("example:i-love-cats");
  std::vector<std::string> ids;
  for (const Action& action : all_actions(state())) ids.push_back(action.id);
  for (std::size_t i = 0; i < ids.size(); i += test::kEvery) {
    const std::string& id = ids[i];
    const std::vector<Action> actions = all_actions(state());
    const auto action = std::ranges::find(actions, id, &Action::id);
    // Only the first save opens the dialog.
    const bool skipped = id == "quit" || id == "save";
    if (skipped || action == actions.end() || !action->enabled) continue;
    const std::string label = action->label;
    ui.sent.clear();
    run(*action);
    const bool opens_field = ui.count<command::ShowOption>() > 0 || asks_of_panel;
    EXPECT_EQ(label.ends_with("…"), asks_for_more(state()) || opens_field) << id << ": " << label;
    app.apply(command::ShowOverlay{});
    app.apply(command::ShowDialog{});
    app.apply(command::ShowFind{false});
    app.apply(command::ShowUnsaved{false});
  }
}

}  // namespace
}  // namespace attn::gui
