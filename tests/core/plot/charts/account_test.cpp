// All texts about each weight of each delivered document do not change: the sum of the inspector,
// the equation, the words of the flow, and the texts of why; as they are, and with a weight, a
// score or a value of the row concealed. The golden has a line for each document.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>

#include "base/files.h"
#include "base/number_text.h"
#include "lesson/concealed.h"
#include "plot/account/equation.h"
#include "plot/charts/charts.h"
#include "plot/charts/story.h"
#include "plot/kit/names.h"
#include "support/fake_result.h"
#include "support/figure_items.h"
#include "support/golden.h"
#include "support/paths.h"
#include "support/sanitizers.h"
#include "tests/core/plot/computed_case.h"

namespace attn {
namespace {

constexpr std::size_t kMostTokensOfAccounts = 1024;

// 64 bits of FNV-1a over texts, and how many there were.
struct TextHash {
  std::uint64_t bits = 0xcbf29ce484222325U;
  std::size_t texts = 0;

  void add(const std::string& text) {
    for (const char c : text + "\n") {
      bits = (bits ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    ++texts;
  }
};

void add_sums(TextHash& hash, const PlotInput& input, const CellHit& cell) {
  const std::vector<SumLine> lines = sum_of(input.result, cell);
  for (const SumLine& line : lines) hash.add(line.name + line.value);
  for (const SumFormat& format : all_sum_formats()) {
    hash.add(format.write(cell_sentence(input, cell), lines));
  }
}

// The equation, and the titles and sentences of the flow.
void add_words(TextHash& hash, const FittedView& view, const CellHit& cell) {
  const Account account = account_of(view.result, cell);
  hash.add(equation_of(view, account, EquationFormat::Text));
  hash.add(equation_of(view, account, EquationFormat::Latex));
  for (const AccountStep step : steps_of(view.result.problem(), cell.matrix.head)) {
    const StepWords words = words_of(view, account, step);
    hash.add(words.title);
    hash.add(words.sentence);
  }
}

void add_figure(TextHash& hash, const Result<Figure>& figure) {
  if (!figure) return hash.add(describe(figure.error()));
  hash.add(figure->alt_text);
  for (const std::string& equation : figure->equation) hash.add(equation);
  for (const TextItem& item : test::items_of<TextItem>(*figure)) hash.add(item.text);
}

void add_cell(TextHash& hash, const PlotInput& input, const CellHit& cell, bool with_figure) {
  PlotOptions options;
  options.at = cell.matrix.head;
  options.pins = {cell};
  add_sums(hash, input, cell);
  add_words(hash, FittedView(input, options), cell);
  if (with_figure) add_figure(hash, why_plot(Drawing(input, options, test::FixedMetrics())));
}

// The whole row, then with each of these concealed its cell and the next one.
void add_row(TextHash& hash, const test::ComputedCase& of, const HeadAddress& at, std::size_t row) {
  const std::size_t keys = of.result->stage_shape(Stage::Weights, at).cols;
  const std::size_t own = (3 * row + 1) % keys;  // another column in the next row
  for (std::size_t key = 0; key < keys; ++key) {
    add_cell(hash, of.input(), {{Stage::Weights, at}, row, key}, key == own);
  }
  for (const NamedCells& cells : {NamedCells{Stage::Weights, at, {row, own, 1, 1}},
                                  NamedCells{Stage::Scores, at, {row, own, 1, 1}},
                                  NamedCells{Stage::Value, at, {own, 0, 1, 1}}}) {
    if (!of.result->has(cells.stage, at)) continue;
    const ResultPtr concealed_result = concealed(of.result, {cells});
    for (const std::size_t key : {own, (own + 1) % keys}) {
      add_cell(hash, {of.document, *concealed_result}, {{Stage::Weights, at}, row, key},
               key == own);
    }
  }
}

void each_head(const AttentionResult& result, const std::function<void(const HeadAddress&)>& each) {
  for (const AttentionInfo& info : attentions_of(result.problem())) {
    const AttentionShape shape = result.shape(info.at());
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      for (std::size_t sample = 0; sample < shape.samples; ++sample) {
        for (std::size_t head = 0; head < shape.heads; ++head) {
          each(info.at().moved_to(layer, sample, head));
        }
      }
    }
  }
}

// The texts of a number of the output and of one of each product of a row and a matrix.
void add_linear_sums(TextHash& hash, const PlotInput& input, const HeadAddress& at) {
  for (const Stage stage : input.result.stages(at)) {
    const StageShape shape = input.result.stage_shape(stage, at);
    if (stage_info(stage).token_by_token() || shape.rows * shape.cols == 0) continue;
    add_sums(hash, input, {{stage, at}, shape.rows - 1, shape.cols / 2});
  }
}

std::string hash_line(const std::string& name, const TextHash& hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += kDigits[(hash.bits >> shift) & 15U];
  return name + " " + std::to_string(hash.texts) + " " + digits + "\n";
}

std::vector<std::string> delivered_documents() {
  std::vector<std::string> paths;
  for (const char* folder : {"examples", "lessons"}) {
    for (const auto& file :
         std::filesystem::directory_iterator(test::source_folder() + "/assets/" + folder)) {
      paths.push_back(file.path().string());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

std::string line_of_document(const std::string& path) {
  const Result<Reading> reading = open_document(path);
  if (!reading) return describe(reading.error());
  if (tokens_of(reading->document, Side::Query).size() > kMostTokensOfAccounts) return "";
  const test::ComputedCase of = test::computed_case(reading->document);
  TextHash hash;
  each_head(*of.result, [&](const HeadAddress& at) {
    add_linear_sums(hash, of.input(), at);
    if (!of.result->has(Stage::Weights, at)) return;
    for (std::size_t row = 0; row < of.result->stage_shape(Stage::Weights, at).rows; ++row) {
      add_row(hash, of, at, row);
    }
  });
  return hash_line(std::filesystem::path(path).filename().string(), hash);
}

TEST(Account, TextsOfEveryWeightAreThoseOfTheGolden) {
  const std::vector<std::string> paths = delivered_documents();
  std::string lines;
  for (std::size_t i = 0; i < paths.size(); i += test::kEvery) lines += line_of_document(paths[i]);
  constexpr const char* kGolden = "core/plot/golden/account.txt";
  if (test::kEvery == 1) {
    EXPECT_TRUE(test::matches_golden(lines, kGolden));
    return;
  }
  const std::string golden =
      read_file(test::source_folder() + "/tests/" + kGolden, std::size_t{1} << 20U).value();
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    EXPECT_NE(golden.find(line + "\n"), std::string::npos) << line;
  }
}

// The test reads every row of the tables, so that a new row is explained like the others.
TEST(Account, TextsNameTheTemperatureAndTheNumbersOfEveryFunctionAndNormaliser) {
  for (const ScoringFunctionInfo& function : all_scoring_functions()) {
    for (const NormaliserInfo& normaliser : all_normalisers()) {
      const std::string scoring = R"({"function": ")" + std::string(function.name) +
                                  R"(", "normaliser": ")" + std::string(normaliser.name) +
                                  R"(", "temperature": 0.37})";
      const test::ComputedCase of = test::computed_json(
          R"({"tokens": ["a", "b", "c"], "d_model": 4, "heads": 1, "scoring": )" + scoring + "}");
      CellHit cell{{Stage::Weights, {}}, 2, 0};
      while (!(of.result->value(Stage::Weights, {}, 2, cell.col) > 0.0F)) ++cell.col;
      const Account account = account_of(*of.result, cell);
      double score = 0.0;
      for (const ScoreTerm& term : account.terms) score += term.product();
      EXPECT_NEAR(score, account.steps.front().value, 1e-5) << scoring;
      const auto says = [&](const std::string& text, const std::string& words) {
        EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text << scoring;
      };
      const std::string sum = all_sum_formats()[1].write("", sum_of(*of.result, cell));
      says(sum, "x / 0.37");
      says(sum, Notation{.latex = true}.number(short_text(account.weight)));
      says(equation_of(of.input(), account, EquationFormat::Text), " / 0.37");
      std::string flow;
      for (const AccountStep step : steps_of(of.result->problem(), {})) {
        const StepWords words = words_of(FittedView(of.input(), {}), account, step);
        flow += words.title + " " + words.sentence + " ";
      }
      says(flow, "T = 0.37");
      says(flow, "x / T");
      says(flow, story_number(account.weight, 2));
    }
  }
}

}  // namespace
}  // namespace attn
