// Several plots on one page, and the records in pictures of how they were made.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "document/load/open.h"
#include "export/provenance.h"
#include "session/figure_file.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/shared_data.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

void write_page(const std::string& path, const std::string& text) {
  ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
}

ProcessResult exported(const std::string& out, const std::vector<std::string>& more) {
  std::vector<std::string> call{"export", "example:four-heads", "-o", out, "-f"};
  call.insert(call.end(), more.begin(), more.end());
  return run_attnscope(call);
}

TEST(Layout, RefusesNonsenseWithWhatIsMeant) {
  const TemporaryFolder folder;
  std::string many = "heatmap";
  for (int i = 0; i < 16; ++i) many += " / heatmap";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"heatmpa | links", "did you mean heatmap?"},
      {"heatmap | ", "an empty part"},
      {"| heatmap", "an empty part"},
      {"heatmap / / links", "an empty part"},
      {"heatmap haed=2", "did you mean head?"},
      {"heatmap head", "NAME=VALUE"},
      {"heatmap head=9", "there is no head 9"},
      {"heatmap head=x", "there is no head x"},
      {"heatmap decimals=x", "--decimals cannot have this value"},
      {"heatmap width=100", "--width"},
      {"heatmap token=1", "it is an option of --plot links"},
      {"(heatmap | links", "( without its )"},
      {"heatmap) | links", ") without its ("},
      {"heatmap (links)", "lacks a | or / before"},
      {"links part=0,0,1,1", "no part of a matrix to show"},
      {"heatmap pin=0,99", "there is no cell 0,99"},
      {"heatmap pin=0,0 pin=1,1 pin=2,2", "--pin can be given twice"},
      {"cost pin=0,0", "no cells to mark"},
      {"heatmap part=0,0,1", "--part cannot have this value"},
      {"heatmap | heatmap | heatmap | heatmap", "4 plots next to each other do not fit"},
      {many, "has more than 16 plots"}};
  for (const auto& [layout, said] : cases) {
    const ProcessResult result = exported(folder.file("x.svg"), {"--layout", layout});
    EXPECT_EQ(result.exit_code, 2) << layout << "\n" << result.err;
    EXPECT_NE(result.err.find(said), std::string::npos) << layout << "\n" << result.err;
  }
  const std::vector<std::pair<std::vector<std::string>, std::string>> calls = {
      {{"--layout", "heatmap | links", "--plot", "heads"}, "give one"},
      {{"--layout", "heatmap | links", "--pin", "1,1"}, "--pin"},
      {{"--layout", "heatmap | links", "--kernel", "5"}, "no plot of --layout has the option"},
      {{"--no-letters"}, "has no option --no-letters"}};
  for (const auto& [options, said] : calls) {
    const ProcessResult result = exported(folder.file("x.svg"), options);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(said), std::string::npos) << result.err;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

std::size_t count_of_text(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++count;
  return count;
}

TEST(Layout, HasOneTitleLettersAndTitlesOfCells) {
  const TemporaryFolder folder;
  const std::string out = folder.file("x.svg");
  const auto drawn = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--layout", "heatmap head=1 | heatmap head=2 / links"});
    const ProcessResult result = exported(out, more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return test::read_text(out);
  };
  const std::string svg = drawn({});
  for (const char* letter : {">a</text>", ">b</text>", ">c</text>"}) {
    EXPECT_EQ(count_of_text(svg, letter), 1U) << letter;
  }
  EXPECT_EQ(count_of_text(svg, ">Four heads, four habits</text>"), 1U);
  EXPECT_GT(count_of_text(svg, "<title>"), 200U) << "cells keep their titles";
  const std::string bare = drawn({"--no-letters", "--title", "none"});
  EXPECT_EQ(count_of_text(bare, ">a</text>"), 0U);
  EXPECT_EQ(count_of_text(bare, "habits</text>"), 0U);
  EXPECT_EQ(drawn({}), svg) << "the same bytes again";
}

// Options of each, and words that continue them; rows in parentheses within a row.
TEST(Layout, TheRecordHasItsPlotsWithTheirOptions) {
  const TemporaryFolder folder;
  const std::string out = folder.file("x.svg");
  const std::string layout =
      "heatmap head=2 range-low=0.5|(links token=query 2 head=1/cost)|distances";
  ASSERT_EQ(exported(out, {"--layout", layout, "--width", "20cm", "--font-size", "7"}).exit_code,
            0);
  const std::string call = provenance_in(test::read_text(out)).value().call;
  EXPECT_NE(call.find("--layout 'heatmap head=2 range-low=0.5 | (links head=1 token=query 2 / "
                      "cost) | distances'"),
            call.npos)
      << call;
}

// Counts colour bars by their labels: there are as many panels with one as there are ranges.
TEST(Layout, NeighboursOfOneRangeShareAColourBar) {
  const TemporaryFolder folder;
  const std::string out = folder.file("x.svg");
  const auto bars = [&](const std::string& layout) {
    const ProcessResult result = exported(out, {"--layout", layout, "--no-values"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return count_of_text(test::read_text(out), ">1.0</text>");
  };
  const std::size_t one = bars("heatmap range=unit head=1");
  ASSERT_GT(one, 0U);
  EXPECT_EQ(bars("heatmap range=unit head=1 | heatmap range=unit head=2"), one);
  EXPECT_EQ(bars("heatmap range=unit head=1 / heatmap range=unit head=2"), 2 * one);
}

TEST(Layout, AllPanesOfAWindowAreTheSamePageAsTheCall) {
  const TemporaryFolder folder;
  test::SessionDriver session;
  session.open(open_document("example:four-heads").value().document, "example:four-heads");
  session.send(command::Pin{{{Stage::Weights, {0, 0, 0}}, 3, 4}});
  session.send(command::SplitPane{0, SplitDirection::Right});
  session.send(command::SelectPlot{"links"});
  session.send(command::SplitPane{0, SplitDirection::Down});
  session.send(command::SelectPlot{"distances"});
  session.send(command::SetOption{"font_size", "8"});
  session.send(command::SetPreference{"export_panes", "true"});
  session.settle();
  const std::string call = export_call(session.state, folder.file("call.svg"));
  EXPECT_NE(call.find("--layout 'heatmap pin=3,4 | (links pin=3,4 / distances)' --font-size 8"),
            call.npos)
      << call;
  session.send(command::Export{folder.file("window.svg")});
  session.settle();
  test::ProcessOptions options;
  options.set["PROGRAM"] = test::program_path();
  const ProcessResult result =
      test::run_process({"sh", "-c", "attnscope() { \"$PROGRAM\" \"$@\"; }; " + call}, options);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(test::read_text(folder.file("window.svg")), test::read_text(folder.file("call.svg")));
  const std::string svg = test::read_text(folder.file("call.svg"));
  EXPECT_EQ(count_of_text(svg, ">1</text>"), 2U) << "the pin, and the end of the colour bar";
}

// --- records in pictures

TEST(PictureInfo, TellsTheCallThatMakesTheSameBytes) {
  const TemporaryFolder folder;
  const std::string document = folder.file("my cats.json");
  write_page(document, test::run_attnscope({"examples", "i-love-cats"}).out);
  for (const char* ending : {"png", "svg", "pdf"}) {
    const std::string out = folder.file(std::string("figure.") + ending);
    ASSERT_EQ(run_attnscope({"export", document, "-o", out, "--colormap", "#FFF, #08306b", "--part",
                             "0,0,2,2", "--title", "It's"})
                  .exit_code,
              0);
    const std::string bytes = test::read_text(out);
    EXPECT_EQ(bytes.find(folder.path()), bytes.npos) << "no folders";
    const ProcessResult info = run_attnscope({"info", out});
    ASSERT_EQ(info.exit_code, 0) << info.err;
    EXPECT_NE(info.out.find("my cats.json (still the same)"), std::string::npos) << info.out;
    test::ProcessOptions options;
    options.set["PROGRAM"] = test::program_path();
    const std::size_t at = info.out.find("attnscope export");
    const std::string call = info.out.substr(at, info.out.find('\n', at) - at);
    const ProcessResult again = test::run_process(
        {"sh", "-c",
         "cd \"" + folder.path() + "\" && attnscope() { \"$PROGRAM\" \"$@\"; }; " + call + " -f"},
        options);
    EXPECT_EQ(again.exit_code, 0) << call << again.err;
    EXPECT_EQ(test::read_text(out), bytes) << call;
  }
}

TEST(PictureInfo, ComparesAModelWithTheTextThatItRead) {
  const TemporaryFolder folder;
  const std::string out = folder.file("figure.png");
  const std::pair<std::string, std::string> read[] = {
      {"--text", "it's the dog's day"}, {"--text", "dog"}, {"--ids", "2,9,10,3"}};
  for (const auto& [option, value] : read) {
    const std::vector<std::string> call = {
        "export", "attnscope:pronoun-encoder", option, value, "-o", out, "--force"};
    ASSERT_EQ(run_attnscope(call).exit_code, 0);
    EXPECT_NE(run_attnscope({"info", out}).out.find("(still the same)"), std::string::npos)
        << value;
  }
}

TEST(PictureInfo, ComparesTheDocumentAndSpeaksJson) {
  const TemporaryFolder folder;
  const std::string out = folder.file("figure.png"), other = folder.file("other.json");
  ASSERT_EQ(run_attnscope({"export", "example:i-love-cats", "-o", out}).exit_code, 0);
  write_page(other, R"({"tokens": ["a", "b"]})");
  const auto said = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"info", out});
    return run_attnscope(more).out;
  };
  EXPECT_NE(said({}).find("example:i-love-cats (still the same)"), std::string::npos);
  EXPECT_NE(said({"--document", other}).find("another, or changed since"), std::string::npos);
  EXPECT_NE(said({"--json"}).find(R"("document_matches": true)"), std::string::npos);
  EXPECT_NE(said({"--json"}).find(R"("call": "attnscope export example:i-love-cats")"),
            std::string::npos);
  EXPECT_NE(said({"--document", other, "--json"}).find(R"("document_matches": false)"),
            std::string::npos);
}

TEST(PictureInfo, SaysWhatIsNotOurs) {
  const TemporaryFolder folder;
  const std::string svg = folder.file("a.svg"), out = folder.file("figure.svg");
  write_page(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
  const ProcessResult result = run_attnscope({"info", svg});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.err.find("carries no record of how it was made"), std::string::npos)
      << result.err;
  EXPECT_EQ(run_attnscope({"info", "example:i-love-cats", "--document", svg}).exit_code, 2);
  ASSERT_EQ(test::run_attnscope_on(R"({"tokens": ["a"]})", {"export", "-", "-o", out}).exit_code,
            0);
  EXPECT_NE(run_attnscope({"info", out}).out.find("--document"), std::string::npos)
      << "it came from standard input";
}

}  // namespace
}  // namespace attn
