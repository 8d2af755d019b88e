// Files of numbers hold the numbers that the figures of the same view and flags draw, or are
// refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "base/files.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "document/token_ids.h"
#include "engine/compute.h"
#include "engine/matrix/derived.h"
#include "engine/measures.h"
#include "kinds/parts/logits.h"
#include "plot/all_plots.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;
using Floats = std::vector<float>;
using Words = std::vector<std::string>;

constexpr std::string_view kFormats[] = {"csv", "tsv", "json", "npy", "npz", "safetensors"};

// Documents that take a view; "@" is its place.
const std::string kBlocks = R"({"tokens": ["a", "b", "c", "d"], "heads": 2, "blocks": 2,
    "mask": {"causal": true}, "view": @})";
const std::string kLayersGiven = R"({"tokens": [["a", "b"], ["c", "d"]], "layer_numbers": [3, 7],
    "axes": ["layer", "sample", "head", "query", "key"], "attention":
    [[[[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [0.125, 0.875]]],
      [[[0.1, 0.9], [0.2, 0.8]], [[0.3, 0.7], [0.4, 0.6]]]],
     [[[[0.6, 0.4], [0.7, 0.3]], [[0.8, 0.2], [0.9, 0.1]]],
      [[[0.15, 0.85], [0.35, 0.65]], [[0.45, 0.55], [0.95, 0.05]]]]], "view": @})";
const std::string kRecurrent = R"({"query_tokens": ["x", "y", "z"], "key_tokens": ["a", "b"],
    "recurrent": {}, "view": @})";

std::string with_view(std::string document, const std::string& view) {
  return document.replace(document.find('@'), 1, view);
}

Document document_of(const std::string& text) {
  Result<Reading> reading = read_document(text, "test");
  EXPECT_TRUE(reading) << text << (reading ? "" : describe_in_full(reading.error()));
  return reading ? std::move(reading->document) : Document();
}

ResultPtr result_of(const std::string& text) {
  return compute(make_problem(document_of(text))).value();
}

// Some rows and columns; none: all.
Floats cells_of(const Matrix& matrix, CellRange range = {}) {
  if (range.rows == 0) range = every_row(matrix.extents(), 1);
  Floats cells(range.rows * range.cols);
  matrix.read(range, cells.data());
  return cells;
}

Floats stage(const ResultPtr& from, Stage stage, const HeadAddress& at,
             const CellRange& range = {}) {
  return cells_of(*stage_matrix(from, {stage, at}), range);
}

Floats weights(const ResultPtr& from, const std::vector<HeadAddress>& heads,
               const CellRange& range = {}) {
  Floats all;
  for (const HeadAddress& at : heads) {
    const Floats cells = stage(from, Stage::Weights, at, range);
    all.insert(all.end(), cells.begin(), cells.end());
  }
  return all;
}

Floats derived(const ResultPtr& from, const made::FromWeights& how, const HeadAddress& at) {
  return cells_of(*derive(from, how, at).value());
}

// Numbers of options are read as floats.
double as_read(float option) { return static_cast<double>(option); }

Floats minus(Floats a, const Floats& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

Floats measures(const ResultPtr& from, const std::vector<HeadAddress>& heads) {
  Floats all;
  const Document document = document_of(with_view(kBlocks, "{}"));
  for (const HeadAddress& at : heads) {
    const HeadMeasures measured = measure_head(*from, at, token_ids(document, at));
    for (const MeasureInfo& info : all_measures()) {
      const std::optional<double> value = info.value(measured);
      all.push_back(value ? static_cast<float>(*value) : std::nanf(""));
    }
  }
  return all;
}

struct Shown {
  std::string document, view;
  Words flags;
  std::size_t cols;
  std::function<Floats(const ResultPtr&)> numbers;
};

const std::vector<Shown>& all_shown() {
  using R = const ResultPtr&;
  static const std::vector<Shown> kShown = {
      {kBlocks,
       R"({"plot": "heatmap", "stage": "scores", "layer": 1, "head": 1})",
       {},
       4,
       [](R r) {
         return stage(r, Stage::Scores, {1, 0, 1});
       }},
      {kBlocks,
       R"({"head": 1})",
       {},
       4,
       [](R r) {
         return weights(r, {{0, 0, 1}});
       }},
      {kBlocks,
       R"({"head": 1})",
       {"--layer", "all", "--head", "0-1"},
       4,
       [](R r) {
         return weights(r, {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}});
       }},
      {kBlocks,
       R"({"stage": "q", "head": 1})",
       {"--layer", "1"},
       8,
       [](R r) {
         return stage(r, Stage::Query, {1, 0, 1});
       }},
      {kBlocks,
       R"({"head": 1})",
       {"--part", "1,0,2,3"},
       3,
       [](R r) {
         return weights(r, {{0, 0, 1}}, {1, 0, 2, 3});
       }},
      {kLayersGiven,
       R"({"layer": 1, "sample": 1, "head": 0})",
       {},
       2,
       [](R r) {
         return weights(r, {{1, 1, 0}});
       }},
      {kLayersGiven,
       R"({"sample": 1})",
       {"--layer", "7"},
       2,
       [](R r) {
         return weights(r, {{1, 1, 0}});
       }},
      {kLayersGiven,
       R"({"plot": "heads", "layers": "7", "sample": 1, "head": 1})",
       {},
       2,
       [](R r) {
         return weights(r, {{1, 1, 0}, {1, 1, 1}});
       }},
      {kLayersGiven,
       R"({"plot": "heads", "heads": "1", "all_samples": true})",
       {},
       2,
       [](R r) {
         return weights(r, {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}});
       }},
      {kLayersGiven,
       R"({"plot": "links", "heads": "1", "layer": 1})",
       {},
       2,
       [](R r) {
         return weights(r, {{1, 0, 1}});
       }},
      {kLayersGiven,
       R"({"plot": "heatmap"})",
       {"--plot", "links", "--heads", "0"},
       2,
       [](R r) {
         return weights(r, {{0, 0, 0}});
       }},
      {kLayersGiven,
       R"({"plot": "links", "token": "key 1", "least": 0.3})",
       {},
       1,
       [](R r) {
         return weights(r, {{0, 0, 0}, {0, 0, 1}}, {0, 1, 2, 1});
       }},
      {kLayersGiven,
       R"({"plot": "token", "token": "query 0", "layers": "7"})",
       {},
       2,
       [](R r) {
         return weights(r, {{1, 0, 0}, {1, 0, 1}}, {0, 0, 1, 2});
       }},
      {kLayersGiven,
       R"({"plot": "token"})",
       {"--token", "key 0", "--sample", "1"},
       1,
       [](R r) {
         return weights(r, {{0, 1, 0}, {0, 1, 1}, {1, 1, 0}, {1, 1, 1}}, {0, 0, 2, 1});
       }},
      {kBlocks,
       R"({"plot": "measures", "layer": 1})",
       {},
       all_measures().size(),
       [](R r) {
         return measures(r, {{1, 0, 0}, {1, 0, 1}});
       }},
      {kBlocks,
       R"({"plot": "derived", "residual": 0.1, "without_first": true})",
       {},
       4,
       [](R r) {
         return derived(r, {Derived::Rollout, as_read(0.1F), true}, {});
       }},
      {kBlocks,
       R"({"plot": "derived", "residual": 0.1})",
       {"--residual", "0.3"},
       4,
       [](R r) {
         return derived(r, {Derived::Rollout, as_read(0.3F), false}, {});
       }},
      {kBlocks,
       R"({"plot": "derived", "matrix": "flow", "residual": 0.2})",
       {},
       4,
       [](R r) {
         return derived(r, {Derived::Flow, as_read(0.2F), false}, {});
       }},
      {kBlocks,
       R"({"plot": "derived", "matrix": "value_norm", "layer": 1, "head": 1})",
       {},
       4,
       [](R r) {
         return derived(r, {Derived::ValueNorm, 0.5, false}, {1, 0, 1});
       }},
      {kLayersGiven,
       R"({"plot": "derived", "matrix": "head_mean", "layer": 1, "sample": 1})",
       {},
       2,
       [](R r) {
         return derived(r, {Derived::HeadMean, 0.5, false}, {1, 1, 0});
       }},
      {kBlocks,
       R"({"plot": "difference", "head": 1, "minus_head": 0})",
       {},
       4,
       [](R r) {
         return minus(weights(r, {{0, 0, 1}}), weights(r, {{0, 0, 0}}));
       }},
      {kBlocks,
       R"({"plot": "difference", "layer": 1})",
       {},
       4,
       [](R r) {
         return minus(weights(r, {{1, 0, 0}}), weights(r, {{1, 0, 1}}));
       }},
      {kBlocks,
       R"({"plot": "difference", "stage": "scores", "minus_stage": "scaled"})",
       {},
       4,
       [](R r) { return minus(stage(r, Stage::Scores, {}), stage(r, Stage::Scaled, {})); }},
      {kBlocks,
       R"({"plot": "difference", "minus_layer": 1})",
       {"--head", "all"},
       4,
       [](R r) {
         return minus(weights(r, {{0, 0, 0}, {0, 0, 1}}), weights(r, {{1, 0, 0}, {1, 0, 1}}));
       }},
      {kBlocks,
       R"({"plot": "difference", "head": 1, "minus_head": 0, "show": "a"})",
       {},
       4,
       [](R r) {
         return weights(r, {{0, 0, 1}});
       }},
      {kRecurrent,
       R"({"plot": "alignment", "step": 2})",
       {},
       2,
       [](R r) {
         return weights(r, {{}}, {0, 0, 2, 2});
       }},
      {kRecurrent, R"({"plot": "alignment"})", {}, 2, [](R r) { return weights(r, {{}}); }},
      {kBlocks,
       R"({"plot": "distances", "head": 1, "layer": 1})",
       {},
       7,
       [](R r) {
         const DistanceProfile profile = distance_profile(*r, {1, 0, 1});
         Floats means;
         for (std::size_t i = 0; i < profile.weight.size(); ++i) {
           const auto count = static_cast<double>(profile.cells[i]);
           means.push_back(count > 0.0 ? static_cast<float>(profile.weight[i] / count)
                                       : std::nanf(""));
         }
         return means;
       }},
  };
  return kShown;
}

bool same(const Floats& a, const Floats& b) {
  const auto alike = [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return std::ranges::equal(a, b, alike);
}

// The last `cols` cells of every row but the first.
Floats in_table(const std::string& text, char separator, std::size_t cols) {
  Floats numbers;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    Words cells;
    std::istringstream of_line(line);
    for (std::string cell; std::getline(of_line, cell, separator);) cells.push_back(cell);
    for (std::size_t i = cells.size() - cols; i < cells.size(); ++i) {
      numbers.push_back(std::stof(cells[i]));
    }
  }
  return numbers;
}

void flatten(const nlohmann::json& json, Floats& numbers) {
  for (const auto& item : json) {
    if (item.is_array()) flatten(item, numbers);
    if (item.is_number()) numbers.push_back(item.get<float>());
    if (item.is_string()) numbers.push_back(std::stof(item.get<std::string>()));
  }
}

// The numbers in a text.
Floats numbers_in(const std::string& text, std::string_view format, std::size_t cols) {
  if (format != "json") return in_table(text, format == "csv" ? ',' : '\t', cols);
  Floats numbers;
  const auto json = nlohmann::json::parse(text);
  for (const auto& [name, value] : json.items()) {
    if (value.is_array() && json["axes"].contains(name)) flatten(value, numbers);
  }
  return numbers;
}

// True if the bytes of these numbers are in a file of arrays, which compresses none.
bool has_numbers(const std::string& bytes, const Floats& expected) {
  const std::size_t size = expected.size() * sizeof(float);
  for (std::size_t at = 0; at + size <= bytes.size(); ++at) {
    Floats numbers(expected.size());
    std::memcpy(numbers.data(), bytes.data() + at, size);
    if (same(numbers, expected)) return true;
  }
  return false;
}

void expect_numbers(const std::string& bytes, std::string_view format, const Floats& expected,
                    std::size_t cols) {
  const bool is_text = format == "csv" || format == "tsv" || format == "json";
  if (is_text) {
    EXPECT_TRUE(same(numbers_in(bytes, format, cols), expected)) << bytes;
  } else {
    EXPECT_TRUE(has_numbers(bytes, expected));
  }
}

class ExportNumbers : public ::testing::Test {
 protected:
  TemporaryFolder folder;

  std::string put(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_file_atomically(folder.file(name), text, Overwrite::Replace));
    return folder.file(name);
  }
  ProcessResult exported(const std::string& document, const std::string& out, Words flags) {
    flags.insert(flags.begin(), {"export", document, "-o", out, "--force"});
    return run_attnscope(std::move(flags));
  }
};

TEST_F(ExportNumbers, AreThoseBehindTheFigureOfTheViewAndTheFlags) {
  for (const Shown& shown : all_shown()) {
    const std::string text = with_view(shown.document, shown.view);
    const std::string document = put("doc.json", text);
    const Floats expected = shown.numbers(result_of(text));
    for (const std::string_view format : kFormats) {
      SCOPED_TRACE(shown.view + " " +
                   std::accumulate(shown.flags.begin(), shown.flags.end(), std::string(format)));
      const std::string out = folder.file("out." + std::string(format));
      const ProcessResult made = exported(document, out, shown.flags);
      ASSERT_EQ(made.exit_code, 0) << made.err;
      expect_numbers(test::read_text(out), format, expected, shown.cols);
    }
  }
}

TEST_F(ExportNumbers, EveryPlotHasThemOrIsRefusedWithAReason) {
  for (const PlotEntry& plot : all_plots()) {
    const std::string name(plot.name);
    if (plot.nothing == nothing_predicted || name == "atlas") continue;  // see below
    const bool has = std::ranges::any_of(all_shown(), [&](const Shown& shown) {
      return shown.view.find("\"" + name + "\"") != std::string::npos;
    });
    if (has) continue;
    const std::string viewed =
        put("viewed.json", with_view(kBlocks, R"({"plot": ")" + name + "\"}"));
    const std::string plain = put("plain.json", with_view(kBlocks, "{}"));
    for (const std::string_view format : kFormats) {
      const std::string out = folder.file("out." + std::string(format));
      const ProcessResult by_view = exported(viewed, out, {});
      const ProcessResult by_flag = exported(plain, out, {"--plot", name});
      for (const ProcessResult& made : {by_view, by_flag}) {
        EXPECT_EQ(made.exit_code, 2) << name;
        EXPECT_NE(made.err.find("the plot " + name + " has no matrices"), std::string::npos)
            << made.err;
      }
      EXPECT_FALSE(std::filesystem::exists(out)) << name;
    }
  }
}

TEST_F(ExportNumbers, OfTheNextTokenAreTheLogitsOfTheVocabulary) {
  const std::string model = test::source_folder() + "/assets/models/pronoun-encoder";
  const std::string text = "the dog was [MASK]";
  ReadOptions options;
  options.input.text = text;
  const ResultPtr result = compute(make_problem(open_document(model, options)->document)).value();
  const PredictedRows rows = last_rows(result->problem(), 0, 4, 1);  // [MASK] behind [CLS]
  const Floats expected = logits_of(*result, rows, nullptr)->logits;
  for (const std::string_view format : kFormats) {
    const std::string out = folder.file("out." + std::string(format));
    const ProcessResult made = exported(model, out, {"--text", text, "--plot", "next"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    expect_numbers(test::read_text(out), format, expected, expected.size());
  }
  // The place of the mask, as in the figure, unless a token is chosen.
  const auto atlas_of_token = [&](const std::string& token) {
    Words more{"--force", "--text", text, "--plot", "atlas"};
    if (!token.empty()) more.insert(more.end(), {"--token", token});
    const ProcessResult made = exported(model, folder.file("atlas.csv"), more);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return test::read_text(folder.file("atlas.csv"));
  };
  EXPECT_TRUE(atlas_of_token("").starts_with("head,\"0:0\",\"0:1\""));
  EXPECT_EQ(atlas_of_token(""), atlas_of_token("4"));
  EXPECT_NE(atlas_of_token(""), atlas_of_token("1"));
  const ProcessResult lens =
      exported(model, folder.file("out.csv"), {"--force", "--text", text, "--plot", "lens"});
  EXPECT_EQ(lens.exit_code, 2);
  EXPECT_NE(lens.err.find("the plot lens has no matrices"), std::string::npos) << lens.err;
}

TEST_F(ExportNumbers, OfOtherDocumentsAreSubtracted) {
  const std::string first = with_view(kLayersGiven, R"({"plot": "difference", "head": 1})");
  std::string second = with_view(kLayersGiven, "{}");
  second.replace(second.find("0.875"), 5, "0.375");
  const std::string a = put("a.json", first), b = put("b.json", second);
  const std::string out = folder.file("out.csv");
  const ProcessResult made = exported(a, out, {"--reference", b});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  expect_numbers(
      test::read_text(out), "csv",
      minus(weights(result_of(first), {{0, 0, 1}}), weights(result_of(second), {{0, 0, 1}})), 2);
}

TEST_F(ExportNumbers, RefuseWhatAFigureRefusesAndWhatChangesNoNumber) {
  const std::string plain = put("plain.json", with_view(kBlocks, "{}"));
  const std::string out = folder.file("out.npy");
  const std::pair<Words, std::string> kCalls[] = {
      {{"--layer", "2"}, "there is no layer 2"},
      {{"--head", "0-7"}, "--head names heads that do not exist"},
      {{"--plot", "derived", "--head", "1"}, "--head"},
      {{"--plot", "derived", "--matrix", "head_mean", "--residual", "0.1"}, "--residual"},
      {{"--plot", "links", "--least", "0.1"}, "--least changes a picture"},
      {{"--colormap", "gray"}, "--colormap changes a picture"},
      {{"--pin", "0,0"}, "--pin changes a picture"},
      {{"--layout", "heatmap | links"}, "--layout changes a picture"},
      {{"--plot", "heatmap,links"}, "the plot heatmap,links has no matrices"},
      {{"--plot", "measures", "--stage", "scores"}, "the measures plot has no option --stage"},
      {{"--plot", "difference", "--show", "b"}, "B alone"},
      {{"--plot", "alignment"}, "There are no steps to follow"},
  };
  for (const auto& [flags, words] : kCalls) {
    const ProcessResult made = exported(plain, out, flags);
    EXPECT_EQ(made.exit_code, 2) << words << made.err;
    EXPECT_NE(made.err.find(words), std::string::npos) << made.err;
    EXPECT_FALSE(std::filesystem::exists(out)) << words;
  }
}

TEST_F(ExportNumbers, OfSeveralDocumentsBecomeOneTable) {
  Words calls{"export"};
  for (const char* name : {"a.json", "b.json", "c.json"}) {
    calls.push_back(put(name, with_view(kBlocks, R"({"plot": "measures", "layer": 1})")));
  }
  const std::string all = folder.file("all.csv");
  calls.insert(calls.end(), {"-o", all});
  const ProcessResult made = run_attnscope(calls);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string table = test::read_text(all);
  EXPECT_TRUE(table.starts_with("file,sample,layer,head,entropy,")) << table;
  const ResultPtr result = result_of(with_view(kBlocks, "{}"));
  const Floats of_one = measures(result, {{1, 0, 0}, {1, 0, 1}});
  Floats of_three;
  for (int i = 0; i < 3; ++i) of_three.insert(of_three.end(), of_one.begin(), of_one.end());
  EXPECT_TRUE(same(in_table(table, ',', all_measures().size()), of_three)) << table;
  EXPECT_NE(table.find("\n\"" + folder.file("b.json") + "\",0,1,1,"), std::string::npos) << table;

  calls.front() = "compute";
  calls.insert(calls.end(), {"--stage", "measures", "--force"});
  ASSERT_EQ(run_attnscope(calls).exit_code, 0);
  EXPECT_EQ(std::ranges::count(test::read_text(all), '\n'), 1 + 3 * 4) << "all layers and heads";
}

TEST_F(ExportNumbers, OneTableIsRefusedWhereColumnsDiffer) {
  const std::string a = put("a.json", with_view(kBlocks, "{}"));
  const std::string b = put("b.json", with_view(kLayersGiven, "{}"));
  const std::string all = folder.file("all.csv");
  const ProcessResult made = run_attnscope({"export", a, b, "-o", all});
  EXPECT_EQ(made.exit_code, 2) << made.err;
  EXPECT_NE(made.err.find("b.json has other columns than the table"), std::string::npos);
  EXPECT_NE(made.err.find("b.json"), std::string::npos) << made.err;
  EXPECT_FALSE(std::filesystem::exists(all));
  EXPECT_EQ(run_attnscope({"export", a, b, "-o", folder.file("{name}.csv")}).exit_code, 0);
  const ProcessResult arrays = run_attnscope({"export", a, b, "-o", folder.file("all.npy")});
  EXPECT_EQ(arrays.exit_code, 2);
  EXPECT_NE(arrays.err.find("lacks {name}"), std::string::npos) << arrays.err;
}

TEST_F(ExportNumbers, ATableHasWhatCouldBeReadWhenADocumentFails) {
  const std::string a = put("a.json", with_view(kBlocks, R"({"plot": "measures"})"));
  const std::string bad = put("b.json", "{");
  const std::string c = put("c.json", with_view(kBlocks, R"({"plot": "measures"})"));
  const std::string all = folder.file("all.tsv");
  const ProcessResult made = run_attnscope({"export", a, bad, c, "-o", all});
  EXPECT_EQ(made.exit_code, 3) << made.err;
  EXPECT_NE(made.err.find("1 of 3 documents failed: "), std::string::npos) << made.err;
  EXPECT_EQ(std::ranges::count(test::read_text(all), '\n'), 1 + 2 * 2);
}

}  // namespace
}  // namespace attn
