// The call shown in the dialog of exports writes the bytes that the window writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/random.h"
#include "document/load/open.h"
#include "kinds/parts/logits.h"
#include "plot/all_plots.h"
#include "session/figure_file.h"
#include "support/other_options.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/shared_data.h"
#include "tests/core/session/session_driver.h"
#include "view/fields.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::TemporaryFolder;

SessionDriver opened(const std::string& source) {
  SessionDriver session;
  session.open(open_document(source).value().document, source);
  return session;
}

// Compares the window's file with that of the call.
void expect_same_bytes(SessionDriver& session, const std::string& ending) {
  const TemporaryFolder folder;
  const std::string from_window = folder.file("window." + ending);
  const std::string from_call = folder.file("it's a “call”." + ending);
  session.send(command::Export{from_window});
  session.settle();
  ASSERT_TRUE(std::filesystem::exists(from_window)) << session.last_notice();
  const std::string call = export_call(session.state, from_call);
  test::ProcessOptions options;
  options.set["PROGRAM"] = test::program_path();
  const test::ProcessResult result =
      test::run_process({"sh", "-c", "attnscope() { \"$PROGRAM\" \"$@\"; }; " + call}, options);
  ASSERT_EQ(result.exit_code, 0) << call << "\n" << result.err;
  const std::string window = test::read_text(from_window), file = test::read_text(from_call);
  const auto [at, there] = std::ranges::mismatch(window, file);
  EXPECT_TRUE(window == file) << call << "\n"
                              << std::string(at, window.end()).substr(0, 200) << "\n"
                              << std::string(there, file.end()).substr(0, 200);
}

std::string example_of(const PlotEntry& plot) {
  if (plot.name == "atlas") return "example:transformer-blocks";
  if (uses(plot, Option::Step)) return "example:encoder-decoder";
  if (plot.nothing == nothing_predicted) {
    return test::source_folder() + "/assets/models/pronoun-encoder";
  }
  if (plot.name == "difference") return "example:four-heads";
  return plot.name == "positions" ? "example:rope" : "example:four-heads";
}

std::string value_to_try(const Field<ViewOptions>& field) {
  if (field.name == "layers") return "0";  // there is no other
  return field.name == "range_high" || field.name == "axis_to" ? "0.75"
                                                               : test::another_value(field);
}

TEST(ExportCall, WritesTheWindowsBytesOfEveryPlot) {
  for (const PlotEntry& plot : all_plots()) {
    SessionDriver session = opened(example_of(plot));
    session.send(command::SelectPlot{std::string(plot.name)});
    session.settle();
    expect_same_bytes(session, "svg");
  }
}

TEST(ExportCall, WritesTheWindowsBytesWhateverIsSet) {
  for (const char* name : {"heatmap", "links", "heads", "distribution", "distances"}) {
    const PlotEntry& plot = *plot_named(name);
    SessionDriver session = opened("example:four-heads");
    session.send(command::SelectPlot{name});
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      if (field.alias || !uses(plot, field.name)) continue;
      if (is_of_the_strip(field.name) && field.name != "head") continue;
      // `least` replaces the share that is set; `page` does not exist.
      if (field.name == "least" || field.name == "page") continue;
      session.send(command::SetOption{std::string(field.name), value_to_try(field)});
      session.settle();
    }
    expect_same_bytes(session, "svg");
  }
}

TEST(ExportCall, WritesTheWindowsPagesOfPlotsAndOfLessons) {
  SessionDriver plots = opened("example:four-heads");
  plots.send(command::SetPreference{"export_dpi", "96"});
  plots.settle();
  expect_same_bytes(plots, "html");
  SessionDriver lesson =
      opened(test::source_folder() + "/assets/lessons/lesson-masks-and-minus-infinity.attn.json");
  ASSERT_TRUE(is_in_lesson(lesson.state));
  lesson.send(command::StepLesson{3});
  lesson.settle();
  expect_same_bytes(lesson, "html");
}

TEST(ExportCall, NamesLayersByTheNumbersTheyHave) {
  const TemporaryFolder folder;
  const std::string file = folder.file("hybrid.json");
  ASSERT_TRUE(write_file_atomically(file, R"({"tokens": ["a", "b"], "layer_numbers": [7, 0, 3],
      "axes": ["layer", "query", "key"],
      "attention": [[[1, 0], [0, 1]], [[1, 0], [1, 0]], [[1, 0], [0.5, 0.5]]]})",
                                    Overwrite::Replace)
                  .ok());
  for (const char* plot : {"heatmap", "difference"}) {
    SessionDriver session = opened(file);
    session.send(command::SelectPlot{plot});
    session.send(command::SelectHead{{2, 0, 0}});
    if (plot == std::string("difference")) session.send(command::SetOption{"minus_layer", "1"});
    session.settle();
    const std::string command = export_call(session.state, "a.png");
    EXPECT_NE(command.find("--layer 3"), std::string::npos) << command;
    expect_same_bytes(session, "svg");
  }
}

TEST(ExportCall, NamesThePartInViewThePinsAndThePaper) {
  SessionDriver session = opened("example:four-heads");
  session.send(command::SetWindow{{1.25, 2.0, 5.5, 4.125}});
  const MatrixId weights = matrix_in_view(session.state);
  session.send(command::Pin{{weights, 3, 4}});
  session.send(command::Pin{{weights, 5, 3}, true});
  session.send(command::SetPreference{"export_dpi", "96"});
  session.send(command::SetPreference{"export_transparent", "true"});
  session.send(command::SetPreference{"export_outlines", "true"});
  session.send(command::SetOption{"title", "What it's about; $HOME"});
  session.settle();
  const std::string command = export_call(session.state, "a.png");
  EXPECT_NE(command.find("--part 1.25,2,5.5,4.125"), std::string::npos) << command;
  EXPECT_NE(command.find("--pin 3,4 --pin 5,3"), std::string::npos) << command;
  EXPECT_NE(command.find("--dpi 96 --transparent --svg-text outlines"), std::string::npos)
      << command;
  for (const char* ending : {"png", "svg", "pdf"}) expect_same_bytes(session, ending);
}

TEST(ExportCall, NamesThePartsOfTheFigureThatAreSwitchedOff) {
  for (const char* plot : {"heatmap", "compare"}) {
    SessionDriver session = opened("example:four-heads");
    session.send(command::SelectPlot{plot});
    session.send(command::SetOption{"axes", "false"});
    session.send(command::SetOption{"color_bar", "false"});
    session.send(command::SetOption{"title", "none"});
    session.settle();
    const std::string command = export_call(session.state, "a.png");
    EXPECT_NE(command.find("--no-axes --no-color-bar --title none"), std::string::npos) << command;
    for (const char* ending : {"png", "svg", "pdf"}) expect_same_bytes(session, ending);
  }
}

TEST(ExportCall, LeavesOutWhatTheDocumentSaysItself) {
  SessionDriver session = opened("example:i-love-cats");
  EXPECT_EQ(export_call(session.state, "a.png"), "attnscope export example:i-love-cats -o a.png");
  EXPECT_EQ(export_remark(session.state), "");
}

// The right pane has the focus when the file is written, the left one when the figure is.
TEST(ExportCall, StartsFromTheViewThatTheFileHas) {
  const TemporaryFolder folder;
  SessionDriver session = opened("example:four-heads");
  session.send(command::SplitPane{0, SplitDirection::Right});
  session.send(command::SelectPlot{"difference"});
  session.settle();
  session.send(command::SaveAs{folder.file("saved.attn.json")});
  session.settle();
  session.send(command::StepFocus{1});
  session.settle();
  const std::string command = export_call(session.state, "a.svg");
  EXPECT_NE(command.find("--plot heatmap"), std::string::npos) << command;
  expect_same_bytes(session, "svg");
}

// Walks over panes and focus, and writes and reads the file at random times.
TEST(ExportCall, WritesTheWindowsBytesAfterAnyWalkOverPanesAndSaves) {
  const TemporaryFolder folder;
  Random random(41);
  const auto below = [&random](std::uint64_t n) { return random.next() % n; };
  for (int walk = 0; walk < 5; ++walk) {
    SessionDriver session = opened("example:four-heads");
    const auto send = [&session](const Command& command) {
      session.send(command);
      session.settle();
    };
    for (const char* file : {"a.attn.json", "b.attn.json"}) {
      const std::string path = folder.file(std::to_string(walk) + file);
      for (int step = 0; step < 8; ++step) {
        const char* plots[] = {"heatmap", "difference", "links", "heads", "distances"};
        if (below(3) == 0) send(command::SplitPane{0, SplitDirection::Down});
        if (below(2) == 0) send(command::SelectPlot{plots[below(5)]});
        if (below(2) == 0) {
          send(command::StepHead{1});
          send(command::Unpin{});  // links of another head keep its pins, which no call states
        }
        if (below(2) == 0) send(command::SetOption{"color_bar", below(2) == 0 ? "true" : "false"});
        if (below(3) == 0) send(command::SetWindow{{1.0, 1.0, 4.0 + step, 5.0}});
        if (below(3) == 0) send(command::SetWindow{});
        if (below(2) == 0) {
          send(command::Pin{{matrix_in_view(session.state), below(8), below(8)}, below(2) == 0});
        }
        if (below(3) == 0)
          send(command::SetPreference{"export_panes", below(2) == 0 ? "true" : "false"});
        if (below(3) == 0) send(command::CompareWith{"example:four-heads"});
        send(command::StepFocus{static_cast<int>(below(3))});
        if (step == 3 || step == 6) send(command::SaveAs{path, true});
      }
      if (below(2) == 0) send(command::Reload{});
      ASSERT_EQ(export_remark(session.state), "");
      expect_same_bytes(session, "svg");
    }
  }
}

TEST(ExportCall, NamesAReferenceUnlessTheFileDoes) {
  const TemporaryFolder folder;
  SessionDriver session = opened("example:i-love-cats");
  const std::string path = folder.file("cats.attn.json");
  const auto compare_and_save = [&](const char* reference) {
    session.send(command::CompareWith{reference});
    session.settle();
    session.send(command::SelectPlot{"difference"});
    session.settle();
    session.send(command::SaveAs{path, true});
    session.settle();
  };
  compare_and_save("example:why-sqrt-dk");
  compare_and_save("example:i-love-cats");
  session.send(command::CompareWith{"example:why-sqrt-dk"});
  session.settle();
  const std::string command = export_call(session.state, "a.svg");
  EXPECT_NE(command.find("--reference example:why-sqrt-dk"), std::string::npos) << command;
}

TEST(ExportCall, SaysWhatItNeedsFirst) {
  SessionDriver unsaved;
  unsaved.send(command::NewDocument{});
  EXPECT_EQ(export_remark(unsaved.state), "The document has no file yet: save it first");
  SessionDriver edited = opened("example:i-love-cats");
  edited.send(command::SetCausal{true});
  EXPECT_EQ(export_remark(edited.state),
            "The command uses the saved file; save to include your changes");
}

TEST(ExportCall, WordsAreReadBackByAShell) {
  for (const char* word :
       {"plain", "", "it's", "a b", "$HOME", "`ls`", "\"", "\\", "猫", "*", "-x"}) {
    const test::ProcessResult result =
        test::run_process({"sh", "-c", "printf %s " + shell_word(word)});
    EXPECT_EQ(result.out, word);
  }
}

}  // namespace
}  // namespace attn
