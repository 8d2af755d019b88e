// Figures from the command line equal the window's; errors come before drawing.
#include "export/export.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "cli/cli.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "kinds/parts/logits.h"
#include "plot/all_plots.h"
#include "support/other_options.h"
#include "support/process.h"
#include "support/shared_data.h"
#include "tests/core/session/session_driver.h"
#include "view/fields.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;
using test::run_attnscope_on;
using test::TemporaryFolder;

// An example for which the plot is not empty.
std::string example_for(const PlotEntry& plot) {
  const bool needs_model = plot.nothing == nothing_predicted || plot.name == "atlas";
  if (needs_model) return "attnscope:pronoun-encoder";
  if (uses(plot, Option::Step)) return "example:encoder-decoder";
  if (plot.name == "difference") return "example:four-heads";
  return plot.name == "positions" ? "example:rope" : "example:i-love-cats";
}

TEST(Export, EveryPlotInEveryFormat) {
  const TemporaryFolder folder;
  for (const PlotEntry& plot : all_plots()) {
    for (const Exporter& exporter : all_exporters()) {
      const std::string path =
          folder.file(std::string(plot.name) + "." + std::string(exporter.extension));
      const ProcessResult result = run_attnscope({"export", example_for(plot), "-o", path, "--plot",
                                                  std::string(plot.name), "--width", "250"});
      EXPECT_EQ(result.exit_code, 0) << result.err;
      EXPECT_GT(test::read_text(path).size(), 500U) << path;
    }
  }
  EXPECT_TRUE(test::read_text(folder.file("heatmap.png")).starts_with("\x89PNG"));
  EXPECT_NE(test::read_text(folder.file("heatmap.svg")).find("<svg"), std::string::npos);
}

TEST(Export, WritesTheEquationOfACellAsText) {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& ending, const std::string& plot) {
    const std::string path = folder.file("why." + ending);
    const ProcessResult result = run_attnscope(
        {"export", "example:i-love-cats", "-o", path, "-f", "--plot", plot, "--pin", "1,2"});
    return result.exit_code == 0 ? test::read_text(path) : result.err;
  };
  const std::string text = written("txt", "why");
  EXPECT_TRUE(text.starts_with("weights[\"love\", \"cats\"] = exp(")) << text;
  EXPECT_TRUE(written("tex", "why").starts_with("\\[\n\\mathrm{weights}[\\text{love}"));
  EXPECT_TRUE(written("md", "why").starts_with("$\\mathrm{weights}"));
  EXPECT_NE(written("md", "heatmap").find("no equation"), std::string::npos);
}

TEST(Export, SaysWhyCellsHaveNoNumbers) {
  const TemporaryFolder folder;
  const auto said = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"export", "example:four-heads", "-o", folder.file("a.svg"),
                                   "-f"};
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult result = run_attnscope(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  };
  EXPECT_EQ(said({}).find("numbers"), std::string::npos);
  EXPECT_NE(said({"--decimals", "9"}).find("the cells have no numbers: in letters of 6 points"),
            std::string::npos);
  EXPECT_EQ(said({"--decimals", "9", "--no-values"}).find("numbers"), std::string::npos);
  const auto of_many = [&](const char* values) {
    return test::run_attnscope_on(R"({"tokens": 90})",
                                  {"export", "-", "-o", folder.file("a.svg"), "-f", values})
        .err;
  };
  EXPECT_NE(of_many("--values").find("numbers"), std::string::npos);
  EXPECT_EQ(of_many("--overview").find("numbers"), std::string::npos) << "they were not requested";
  EXPECT_NE(said({"--plot", "cost", "--height", "300"}).find("% of their size"), std::string::npos);
}

TEST(Export, TextOfSvgIsLiveOrOutlines) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.svg");
  const auto drawn = [&](const char* text) {
    return run_attnscope({"export", "example:i-love-cats", "-o", path, "-f", "--svg-text", text});
  };
  EXPECT_EQ(drawn("live").exit_code, 0);
  EXPECT_NE(test::read_text(path).find("<text"), std::string::npos);
  EXPECT_EQ(drawn("outlines").exit_code, 0);
  EXPECT_EQ(test::read_text(path).find("<text"), std::string::npos);
  const ProcessResult idle = run_attnscope(
      {"export", "example:i-love-cats", "-o", folder.file("a.png"), "--svg-text", "outlines"});
  EXPECT_EQ(idle.exit_code, 0);
  EXPECT_NE(idle.err.find("--svg-text outlines has no effect"), std::string::npos) << idle.err;
  const ProcessResult refused = drawn("outline");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("did you mean outlines?"), std::string::npos) << refused.err;
}

TEST(Export, DerivedMatricesObeyTheMemoryLimit) {
  std::string tokens = "\"t\"";
  for (int i = 1; i < 100; ++i) tokens += ", \"t\"";
  const std::string text = R"({"seed": 1, "d_model": 2, "tokens": [)" + tokens + "]}";
  for (const char* plot : {"derived", "compare"}) {
    const auto drawn = [&](const char* limit) {
      return test::run_attnscope_on(text, {"export", "-", "-o", "-", "--format", "svg", "--plot",
                                           plot, "--memory-limit", limit});
    };
    const ProcessResult refused = drawn("400KiB");  // the stages take 319 KiB
    EXPECT_EQ(refused.exit_code, 4) << plot << refused.err;
    EXPECT_TRUE(refused.out.empty());
    EXPECT_NE(refused.err.find("400 KiB"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("raise the memory limit"), std::string::npos) << refused.err;
    EXPECT_EQ(drawn("20MiB").exit_code, 0) << plot;
  }
}

TEST(Export, AStageThatTheDocumentsViewNamesAndLacksIsSaid) {
  const std::string text = R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.25, 0.75]],
                               "view": {"stage": "scores"}})";
  const ProcessResult moved =
      test::run_attnscope_on(text, {"export", "-", "-o", "-", "--format", "svg"});
  EXPECT_EQ(moved.exit_code, 0) << moved.err;
  EXPECT_NE(moved.err.find("There is no stage “Scores” here"), std::string::npos) << moved.err;
}

TEST(Export, EqualsTheWindowsExportByteForByte) {
  const TemporaryFolder folder;
  test::SessionDriver session;
  session.open(test::two_heads());
  session.send(command::SelectHead{{0, 0, 1}});
  session.send(command::SelectStage{Stage::Scores});
  session.send(command::SetOption{"colormap", "magma"});
  session.send(command::SaveAs{folder.file("doc.attn.json")});
  session.settle();
  for (const char* extension : {"png", "svg"}) {
    const std::string window = folder.file(std::string("window.") + extension);
    const std::string line = folder.file(std::string("line.") + extension);
    session.send(command::Export{window});
    session.settle();
    const ProcessResult result =
        run_attnscope({"export", folder.file("doc.attn.json"), "-o", line});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(test::read_text(window), test::read_text(line)) << extension;
    const std::string flags = folder.file(std::string("flags.") + extension);
    run_attnscope({"export", folder.file("doc.attn.json"), "-o", flags, "--head", "1", "--stage",
                   "scores", "--colormap", "magma"});
    EXPECT_EQ(test::read_text(window), test::read_text(flags)) << extension;
  }
}

// A value that is valid for all documents.
std::string value_to_set(const Field<ViewOptions>& field) {
  if (field.name == "stage") return "scores";
  if (field.name == "range_high") return "0.75";
  return test::another_value(field);
}

bool is_tied_to_the_document(std::string_view field) {
  return field == "attention" || field == "layer" || field == "sample" || field == "step";
}

TEST(Export, EveryOptionSetInTheWindowInADocumentAndByAFlagGivesTheSameFigure) {
  const TemporaryFolder folder;
  // Two files of one name, which the figure records, in two folders, which it does not.
  const std::string plain = folder.file("plain.json"), set = folder.file("set/plain.json");
  std::filesystem::create_directory(folder.file("set"));
  ASSERT_TRUE(write_file_atomically(plain, write_document(test::two_heads()), Overwrite::Refuse));
  for (const char* name : {"heatmap", "derived", "cost", "compare"}) {
    const PlotEntry& plot = *plot_named(name);
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      if (!uses(plot, field.name) || is_tied_to_the_document(field.name)) continue;
      if (!why_idle(plot, ViewOptions{}, field.name).empty()) continue;
      test::SessionDriver session;
      session.send(command::Open{plain});
      session.settle();
      session.send(command::SelectPlot{name});
      session.send(command::SetOption{std::string(field.name), value_to_set(field)});
      ViewOptions wanted;
      ASSERT_TRUE(field.set(wanted, value_to_set(field), Spelling::Field));
      EXPECT_EQ(field.get(focused_view(session.state).options), field.get(wanted)) << field.name;
      session.send(command::Export{folder.file("window.svg"), true});
      session.settle();
      session.send(command::SaveAs{set, true});
      session.settle();
      std::string flag = spelt(field.name, Spelling::Flag) + "=" + value_to_set(field);
      if (field.kind == FieldKind::Flag) {
        flag = (value_to_set(field) == "true" ? "--" : "--no-") +
               spelt(field.name, Spelling::Flag).substr(2);
      }
      const std::vector<std::string> by_flag = {
          "export", plain, "-q", "-f", "-o", folder.file("flag.svg"), "--plot", name, flag};
      ASSERT_EQ(cli::run(by_flag, {}), 0) << flag;
      ASSERT_EQ(cli::run({"export", set, "-q", "-f", "-o", folder.file("document.svg")}, {}), 0)
          << flag;
      const std::string window = test::read_text(folder.file("window.svg"));
      EXPECT_EQ(window, test::read_text(folder.file("flag.svg"))) << name << " " << flag;
      EXPECT_EQ(window, test::read_text(folder.file("document.svg"))) << name << " " << flag;
    }
  }
}

TEST(Export, EveryOptionOfAPlotIsAFlagThatIsUnderstood) {
  const std::string help = run_attnscope({"export", "--help", "--all"}).out;
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    std::string flag = spelt(field.name, Spelling::Flag);
    const bool negatable = field.kind == FieldKind::Flag;
    if (negatable) flag.insert(2, "[no-]");
    EXPECT_NE(help.find("  " + flag), std::string::npos) << flag;
  }
}

// The option as typed: "--values", "--head=0". The value does not matter.
std::string typed(const Field<ViewOptions>& field) {
  const std::string flag = spelt(field.name, Spelling::Flag);
  return field.kind == FieldKind::Flag ? flag : flag + "=0";
}

TEST(Export, AnOptionThatThePlotHasNoUseForIsRefused) {
  const TemporaryFolder folder;
  for (const PlotEntry& plot : all_plots()) {
    const std::string name(plot.name);
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      if (uses(plot, field.name) || uses(plot, std::string(field.name) + "s")) continue;
      // Runs in this process, since starting the program for each would take too long.
      testing::internal::CaptureStderr();
      const int exit_code = attn::cli::run({"export", "example:i-love-cats", "-o",
                                            folder.file("x.svg"), "--plot", name, typed(field)},
                                           {});
      const std::string said = testing::internal::GetCapturedStderr();
      EXPECT_EQ(exit_code, 2) << typed(field);
      const std::string flag = spelt(field.name, Spelling::Flag);
      EXPECT_NE(said.find("the " + name + " plot has no option " + flag), std::string::npos)
          << said;
      for (const PlotEntry& other : all_plots()) {
        const std::string listed = " " + std::string(other.name);
        if (!uses(other, field.name)) continue;
        EXPECT_NE(said.find(listed, said.find("it is an option of")), std::string::npos) << said;
      }
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Export, APlotThatHasNothingToShowLeavesNoFile) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> calls = {
      {{"example:i-love-cats", "--plot", "alignment"}, "no recurrent encoder–decoder"},
      {{"example:i-love-cats", "--plot", "positions"}, "no positions to show"},
      {{"example:translation-alignment", "--plot", "compare"}, "computed elsewhere"},
      {{"example:cross-attention-fr-en", "--plot", "derived"}, "within one sequence"}};
  for (const auto& [call, reason] : calls) {
    std::vector<std::string> arguments = {"export"};
    arguments.insert(arguments.end(), call.begin(), call.end());
    arguments.insert(arguments.end(), {"-o", folder.file("none.png")});
    const ProcessResult result = run_attnscope(arguments);
    EXPECT_EQ(result.exit_code, 2) << call.back();
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder.file("none.png"))) << call.back();
  }
}

TEST(Export, TheRefusalNamesThePlotThatHasTheOption) {
  const ProcessResult result =
      run_attnscope({"export", "example:i-love-cats", "-o", "-", "--format", "svg", "--plot",
                     "dimensions", "--no-values"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("dimensions plot has no option --no-values"), std::string::npos);
  EXPECT_NE(result.err.find("it is an option of --plot heatmap"), std::string::npos) << result.err;
}

// A document's view may have options of another plot: only given options are refused.
TEST(Export, TheDocumentsPlotDecidesUnlessOneIsNamed) {
  const std::string document =
      R"({"tokens": ["a", "b"], "view": {"plot": "dimensions", "colormap": "magma"}})";
  const auto drawn = [&](std::vector<std::string> more) {
    std::vector<std::string> call = {"export", "-", "-o", "-", "--format", "svg", "-q"};
    call.insert(call.end(), more.begin(), more.end());
    return test::run_attnscope_on(document, call).exit_code;
  };
  EXPECT_EQ(drawn({}), 0);
  EXPECT_EQ(drawn({"--colormap", "magma"}), 2);
  EXPECT_EQ(drawn({"--colormap", "magma", "--plot", "heatmap"}), 0);
}

TEST(Export, SaysWhichNamesOfTheViewAreNotThere) {
  const std::string document =
      R"({"tokens": ["a", "b"], "view": {"plot": "heatmp", "colormap": "zzz"}})";
  const ProcessResult drawn =
      test::run_attnscope_on(document, {"export", "-", "-o", "-", "--format", "svg"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_NE(
      drawn.err.find(
          "a plot that does not exist, \"heatmp\", perhaps for \"heatmap\"; heatmap is shown"),
      std::string::npos)
      << drawn.err;
  const std::string notes = test::run_attnscope_on(document, {"validate", "-"}).out;
  EXPECT_NE(notes.find("a colour map that does not exist, \"zzz\"; auto is shown"),
            std::string::npos)
      << notes;
}

TEST(Export, OptionsChangeThePicture) {
  const auto svg = [](std::vector<std::string> more) {
    std::vector<std::string> call = {"export", "example:i-love-cats", "-o", "-", "--format", "svg"};
    call.insert(call.end(), more.begin(), more.end());
    const ProcessResult result = run_attnscope(call);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string plain = svg({});
  EXPECT_EQ(svg({}), plain) << "the same input gives the same bytes";
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--colormap", "ylorrd"},
                                                  {"--stage", "scores"},
                                                  {"--theme", "dark"},
                                                  {"--width", "400"},
                                                  {"--title", "Mine"},
                                                  {"--no-values"},
                                                  {"--transparent"}}) {
    EXPECT_NE(svg(options), plain) << options.front();
  }
}

TEST(Export, StandardOutputNeedsAFormat) {
  const ProcessResult without = run_attnscope({"export", "example:i-love-cats", "-o", "-"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_NE(without.err.find("--format"), std::string::npos);
  const ProcessResult with =
      run_attnscope({"export", "example:i-love-cats", "-o", "-", "--format", "png"});
  EXPECT_EQ(with.exit_code, 0);
  EXPECT_TRUE(with.out.starts_with("\x89PNG"));
  EXPECT_EQ(with.err, "");
}

TEST(Export, TakesLengthsWithTheirUnits) {
  const TemporaryFolder folder;
  const std::string out = folder.file("x.svg");
  const auto width = [&](std::vector<std::string> options) {
    std::vector<std::string> call = {"export", "example:i-love-cats", "-o", out, "--force"};
    call.insert(call.end(), options.begin(), options.end());
    EXPECT_EQ(run_attnscope(call).exit_code, 0) << options.back();
    const std::string svg = test::read_text(out);
    const std::size_t at = svg.find("width=\"") + 7;
    return std::stod(svg.substr(at));
  };
  EXPECT_NEAR(width({"--width", "127mm"}), 360.0, 0.01);
  EXPECT_NEAR(width({"--width", "12.7 cm"}), 360.0, 0.01);
  EXPECT_NEAR(width({"--width", "5in"}), 360.0, 0.01);
  EXPECT_NEAR(width({"--width", "360pt"}), 360.0, 0.01);
  EXPECT_NEAR(width({"--width", "360"}), 360.0, 0.01);
  EXPECT_NEAR(width({"--width", "1500px"}), 360.0, 0.01) << "dots at 300 per inch";
  EXPECT_NEAR(width({"--width", "500px", "--dpi", "100"}), 360.0, 0.01) << "dots of the file";
}

TEST(Export, WhatIsNotThereIsRefusedWithWhatIs) {
  const TemporaryFolder folder;
  const std::string out = folder.file("x.png");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--head", "9"}, "0, the only one"},
      {{"--layer", "1"}, "0, the only one"},
      {{"--stage", "softcapped"}, "weights"},
      {{"--plot", "heatmpa"}, "did you mean heatmap?"},
      {{"--colormap", "virids"}, "viridis"},
      {{"--colormap", "infreno_r"}, "did you mean inferno_r?"},
      {{"--width", "85km"}, "which may be in mm, cm, in, pt or px, such as 85mm"},
      {{"--height", "2inches"}, "which may be in mm, cm, in, pt or px, such as 85mm"},
      {{"--font", "No Such Family"}, "fc-list"},
      {{"--plot", "dimensions", "--no-notes"}, "it is an option of --plot heatmap"},
      {{"--dpi", "nan"}, "--dpi"},
      {{"--dpi", "1e9"}, "--dpi"},
      {{"--width", "100"}, "--width must be at least 200, 20 times the --font-size"},
      {{"--font-size", "72"}, "--width must be at least 1440"},
      {{"--height", "20"}, "use a smaller --font-size, now 10, or --height 0"},
      {{"--pixel-budget", "1"}, "--pixel-budget cannot have this value"},
      {{"--range-low", "0.5", "--range-high", "0.5"}, "--range-low must be below --range-high"},
      {{"--range-high", "-1"}, "--range-high must be above 0"},
      {{"--format", "doc"}, "png"}};
  for (const auto& [options, said] : cases) {
    std::vector<std::string> call = {"export", "example:i-love-cats", "-o", out};
    call.insert(call.end(), options.begin(), options.end());
    const ProcessResult result = run_attnscope(call);
    EXPECT_EQ(result.exit_code, 2) << options.front() << result.err;
    EXPECT_NE(result.err.find(said), std::string::npos) << result.err;
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      const bool differs = field.name.find('_') != std::string_view::npos;
      EXPECT_FALSE(differs && result.err.find(field.name) != std::string::npos) << result.err;
    }
  }
  EXPECT_EQ(run_attnscope({"export", "example:i-love-cats", "-o", folder.file("x.doc")}).exit_code,
            2);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Export, OfAllHeadsThoseThatAreNamedAreDrawn) {
  const auto drawn = [](std::vector<std::string> options) {
    std::vector<std::string> call = {
        "export", "example:four-heads", "-o", "-", "--format", "svg", "--quiet", "--plot", "heads"};
    call.insert(call.end(), options.begin(), options.end());
    return run_attnscope(call);
  };
  const ProcessResult one = drawn({"--head", "2"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_NE(one.out.find("1 head, 1 layer, head 3 of 4"), std::string::npos);
  EXPECT_EQ(one.out, drawn({"--heads", "2"}).out);
  EXPECT_NE(one.out, drawn({"--layer", "0"}).out);
  for (const auto& [flag, text] : {std::pair("--heads", "0,4"), std::pair("--heads", "2-7")}) {
    const ProcessResult refused = drawn({flag, text});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("There is no head 4"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("heads from 0 to 3"), std::string::npos) << refused.err;
  }
  EXPECT_EQ(drawn({"--layers", "1"}).exit_code, 2);
}

TEST(Export, WhatWouldChangeNothingIsRefused) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--plot", "difference", "--stage", "hidden", "--minus-head", "1"}, "--minus-head"},
      {{"--plot", "difference", "--stage", "hidden", "--head", "0"}, "--head"},
      {{"--stage", "concat", "--head", "1"}, "--head"},
      {{"--stage", "scores", "--range", "unit"}, "--range"},
      {{"--stage", "scores", "--log"}, "--log"},
      {{"--plot", "derived", "--head", "1"}, "--head"},
      {{"--plot", "derived", "--layer", "1"}, "--layer"},
      {{"--plot", "derived", "--matrix", "head_mean", "--residual", "0.2"}, "--residual"},
      {{"--plot", "derived", "--matrix", "head_mean", "--without-first"}, "--without-first"},
      {{"--plot", "derived", "--matrix", "head_mean", "--head", "1"}, "--head"}};
  for (const auto& [options, flag] : cases) {
    std::vector<std::string> call = {"export", "example:todays-block", "-o", folder.file("x.png")};
    call.insert(call.end(), options.begin(), options.end());
    const ProcessResult refused = run_attnscope(call);
    EXPECT_EQ(refused.exit_code, 2) << options.back();
    EXPECT_NE(refused.err.find(flag + " would change nothing: "), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("leave out " + flag), std::string::npos) << refused.err;
  }
  const ProcessResult part =
      run_attnscope({"export", "example:todays-block", "-o", folder.file("x.png"), "--plot", "cost",
                     "--part", "0,0,2,2"});
  EXPECT_EQ(part.exit_code, 2);
  EXPECT_NE(part.err.find("leave out --part"), std::string::npos) << part.err;
}

TEST(Export, AnExistingPictureNeedsForce) {
  const TemporaryFolder folder;
  const std::string path = folder.file("there.png");
  ASSERT_TRUE(write_file_atomically(path, "precious", Overwrite::Refuse).ok());
  EXPECT_EQ(run_attnscope({"export", "example:i-love-cats", "-o", path}).exit_code, 5);
  EXPECT_EQ(test::read_text(path), "precious");
  EXPECT_EQ(run_attnscope({"export", "example:i-love-cats", "-o", path, "-f"}).exit_code, 0);
}

TEST(Export, EitherAttentionOfADecoderIsDrawn) {
  const auto drawn = [](const std::string& part) {
    return run_attnscope({"export", "example:transformer-decoder", "-o", "-", "--format", "svg",
                          "--quiet", "--attention", part});
  };
  EXPECT_EQ(drawn("self").exit_code, 0);
  EXPECT_NE(drawn("self").out, drawn("cross").out);
  EXPECT_EQ(drawn("both").exit_code, 2);
  const TemporaryFolder folder;
  const ProcessResult refused = run_attnscope(
      {"export", "example:i-love-cats", "-o", folder.file("x.png"), "--attention", "self"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("one attention only"), std::string::npos) << refused.err;
}

TEST(Export, RefusesAFlowOfMoreThanAnHourBeforeItComputes) {
  const TemporaryFolder folder;
  const ProcessResult result = run_attnscope_on(
      R"({"tokens": 6000, "d_model": 2, "heads": 1, "blocks": 6, "seed": 1})",
      {"export", "-", "-o", folder.file("flow.png"), "--plot", "derived", "--matrix", "flow"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(result.err.find("flow would take about "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--long"), std::string::npos) << result.err;
}

TEST(Export, OfAPartDiffersFromTheWholeOrIsRefused) {
  const auto drawn = [](const std::string& plot, const std::string& example,
                        const std::vector<std::string>& flags) {
    std::vector<std::string> call{"export", example, "-o", "-", "--format", "svg", "--plot", plot};
    call.insert(call.end(), flags.begin(), flags.end());
    return run_attnscope(call);
  };
  std::size_t shown = 0;
  for (const PlotEntry& plot : all_plots()) {
    const std::string name(plot.name);
    for (const std::string example : {"example:four-heads", "attnscope:stories-decoder"}) {
      const ProcessResult whole = drawn(name, example, {});
      if (whole.exit_code != 0) continue;
      const ProcessResult part = drawn(name, example, {"--part", "1,1,2,2"});
      EXPECT_EQ(part.exit_code == 0, shows_part(plot)) << name << part.err;
      const std::size_t metadata = part.out.find("</metadata>");  // names the call
      EXPECT_TRUE(part.exit_code != 0 ||
                  whole.out.find(part.out.substr(metadata)) == whole.out.npos)
          << name;
      shown += shows_part(plot) ? 1 : 0;
    }
  }
  EXPECT_GT(shown, 5U);
}

TEST(Export, SaysWhatSuitsNoPage) {
  const auto said = [](const std::string& example, const std::vector<std::string>& flags) {
    std::vector<std::string> call{"export", example, "-o", "-", "--format", "svg"};
    call.insert(call.end(), flags.begin(), flags.end());
    return run_attnscope(call).err;
  };
  const std::vector<std::string> narrow{"--plot", "dimensions", "--width", "241"};
  EXPECT_EQ(said("example:four-heads", {}).find("page"), std::string::npos);
  EXPECT_EQ(said("example:four-heads", {}).find("letters"), std::string::npos);
  EXPECT_EQ(said("example:four-heads", narrow).find("page"), std::string::npos);
  EXPECT_NE(said("example:transformer-decoder", narrow).find("in high, more than a page"),
            std::string::npos);
  const ProcessResult small =
      run_attnscope({"export", "example:encoder-decoder", "-o", "-", "--format", "svg", "--plot",
                     "alignment", "--height", "260"});
  EXPECT_NE(small.err.find("points, hard to read on paper"), std::string::npos) << small.err;
}

}  // namespace
}  // namespace attn
