// --gate, --pattern and --cut: against a document with zeros in W_O, in figures with their call,
// and refused values.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/json.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;

constexpr const char* kModel = "attnscope:stories-decoder";
constexpr const char* kTwoBlocks =
    R"({"tokens": ["a", "b", "c"], "blocks": 2, "heads": 2, "d_model": 4, "seed": 3})";

struct Gated {
  test::TemporaryFolder folder{};
  std::string file = folder.file("a.json");

  explicit Gated(const std::string& document) {
    EXPECT_TRUE(write_file_atomically(file, document, Overwrite::Replace).ok());
  }
};

ProcessResult weights_of(const std::string& file, const std::vector<std::string>& more) {
  std::vector<std::string> all{"compute", file,  "--stage", "weights,projected",
                               "--layer", "all", "--head",  "all"};
  all.insert(all.end(), more.begin(), more.end());
  return run_attnscope(all);
}

TEST(Gate, DoesWhatTheKeyDoes) {
  const Gated plain(kTwoBlocks);
  const Gated gated(std::string(kTwoBlocks)
                        .insert(1, R"("what_if": {"gates": [{"layer": 1, "head": 0, "factor": 0.5},
                                  {"layer": 0, "head": 1, "factor": 0}]}, )"));
  const ProcessResult by_flag = weights_of(plain.file, {"--gate", "1:0=0.5,0:1=0"});
  EXPECT_EQ(by_flag.exit_code, 0) << by_flag.err;
  EXPECT_EQ(by_flag.out, weights_of(gated.file, {}).out);
  EXPECT_NE(by_flag.out, weights_of(plain.file, {}).out);
  EXPECT_EQ(weights_of(gated.file, {"--gate", "*:*=1"}).out, weights_of(plain.file, {}).out);
}

TEST(Gate, IsNamedByEveryFigureAndInItsFacts) {
  const Gated blocks(kTwoBlocks);
  const std::string path = blocks.folder.file("figure.svg");
  for (const char* plot : {"heatmap", "heads", "measures", "token", "flow"}) {
    for (const char* title : {"A title", ""}) {
      const ProcessResult made = run_attnscope({"export", blocks.file, "-o", path, "--plot", plot,
                                                "--title", title, "--gate", "0:1=0.5", "--force"});
      ASSERT_EQ(made.exit_code, 0) << plot << made.err;
      std::string svg = *read_file(path, 10'000'000);
      svg.erase(0, svg.find("<text"));  // a description without a picture names them, too
      const std::size_t first = svg.find("Changed: L1 H2 × 0.5");
      EXPECT_NE(first, std::string::npos) << plot << " with the title '" << title << "'";
      EXPECT_EQ(svg.find("hanged: L1 H2", first + 2), std::string::npos) << plot << " repeats it";
    }
  }
  const std::string facts = run_attnscope({"info", path}).out;
  EXPECT_NE(facts.find("(still the same)"), std::string::npos) << facts;
  const Gated gated(
      std::string(kTwoBlocks).insert(1, R"("what_if": {"gates": [{"layer": 0, "head": 1,
                                  "factor": 0.5}]}, )"));
  const std::string of_document = run_attnscope({"info", gated.file}).out;
  EXPECT_NE(of_document.find("L1 H2 × 0.5"), std::string::npos) << of_document;
}

TEST(Gate, OfAllHeadsLeavesTheBiasAlone) {
  const Gated plain(kTwoBlocks);
  const ProcessResult none =
      run_attnscope({"compute", plain.file, "--gate", "0:*=0", "--stage", "projected", "--layer",
                     "0", "--format", "csv", "-o", "-"});
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_EQ(none.out.find_first_of("123456789", none.out.find('\n')), std::string::npos)
      << none.out;
}

// An unset variable of a script must not pass for no change.
TEST(Gate, IsNotEmpty) {
  for (const char* flag : {"--gate", "--pattern", "--cut", "--leave-out", "--stage"}) {
    const ProcessResult result = run_attnscope({"compute", kModel, flag, ""});
    EXPECT_EQ(result.exit_code, 2) << flag;
    EXPECT_NE(result.err.find(std::string(flag) + " is empty"), std::string::npos) << result.err;
  }
}

TEST(Gate, IsRefusedByNameWithWhatThereIs) {
  const Gated blocks(kTwoBlocks);
  for (const auto& [gate, words] : {std::pair("2:0=0", "layers 0 to 1"),
                                    {"0:5=0", "heads 0 to 1"},
                                    {"0:0=-1", "a factor from 0 to 2"},
                                    {"0:0=nan", "a factor from 0 to 2"},
                                    {"0:0", "LAYER:HEAD=FACTOR"},
                                    {"0:0:1=0", "more than a layer and a head"},
                                    {"self:0:0=0", "no attention that there is"},
                                    {"foo:0:0=0", "no attention that there is"}}) {
    const ProcessResult result = weights_of(blocks.file, {"--gate", gate});
    EXPECT_EQ(result.exit_code, 2) << gate;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  }
  const Gated given(R"({"q": [[1]], "k": [[1]], "v": [[1]]})");
  const ProcessResult none = weights_of(given.file, {"--gate", "0:0=0"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("output projection"), std::string::npos) << none.err;
}

TEST(Gate, ComparesADocumentWithItself) {
  const ProcessResult result =
      run_attnscope({"compare", kModel, "--gate", "0:0=0", "--stage", "weights", "--layer", "0"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("with gates 0:0=0"), std::string::npos) << result.out;
}

TEST(Gate, OfADocumentAloneIsComparedWithItsAbsence) {
  const Gated gated(
      std::string(kTwoBlocks)
          .insert(1, R"("what_if": {"gates": [{"layer": 0, "head": 1, "factor": 0}]}, )"));
  const Gated plain(kTwoBlocks);
  const auto numbers = [](std::vector<std::string> call) {
    const ProcessResult result = run_attnscope(std::move(call));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out.substr(result.out.find("\n\n"));
  };
  EXPECT_EQ(numbers({"compare", gated.file}), numbers({"compare", plain.file, gated.file}));
  EXPECT_EQ(run_attnscope({"compare", plain.file}).exit_code, 2);
}

// A is without all changes, of the document and of the call, as the figure of a difference is.
TEST(Gate, OfADocumentAndOfTheCallAreBothLeftOutOnTheOtherSide) {
  const Gated gated(
      std::string(kTwoBlocks)
          .insert(1, R"("what_if": {"gates": [{"layer": 0, "head": 1, "factor": 0}]}, )"));
  const ProcessResult result =
      run_attnscope({"compare", gated.file, "--gate", "0:0=0.5", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["changes"][0], "");
  EXPECT_EQ(json["changes"][1], "gates 0:0=0.5,0:1=0");
}

// A value that is wrong is not called absent, too.
TEST(Gate, OfADocumentHasOneProblemForOneFault) {
  const Gated bad(std::string(kTwoBlocks)
                      .insert(1, R"("what_if": {"gates": [{"layer": -1, "head": 0, "factor": 0},
                                                          {"layer": -1, "head": 1, "factor": 0}]}, )"));
  const ProcessResult result = run_attnscope({"validate", bad.file});
  const std::string all = result.out + result.err;
  EXPECT_EQ(all.find("lacks"), std::string::npos) << all;
  EXPECT_EQ(all.find("two gates"), std::string::npos) << all;
}

TEST(Gate, IsInTheCallOfAFigureAndComparesWithoutIt) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("next.svg");
  const ProcessResult result =
      run_attnscope({"export", kModel, "-o", path, "--plot", "next", "--gate", "1:*=0"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string svg = *read_file(path, 10'000'000);
  EXPECT_NE(svg.find("--gate"), std::string::npos);
  EXPECT_NE(svg.find("without gates"), std::string::npos);
}

TEST(Gate, IsInTheCallBesideTokensLeftOut) {
  const Gated plain(kTwoBlocks);
  const std::string path = plain.folder.file("map.svg");
  const ProcessResult result =
      run_attnscope({"export", plain.file, "-o", path, "--gate", "0:1=0", "--leave-out", "first"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(read_file(path, 10'000'000)->find("--gate 0:1=0 --leave-out first"), std::string::npos);
}

TEST(Gate, OfADocumentIsRefusedByItsPlace) {
  for (const auto& [gate, words] :
       {std::pair(R"({"layer": 2, "head": 0, "factor": 0})", "no layer for this gate"),
        {R"({"layer": 0, "head": 0, "factor": -1})", "a number from 0 to 2"},
        {R"({"layer": 0, "head": 0, "factor": "nan"})", "a number from 0 to 2"},
        {R"({"layer": 0, "factor": 1})", "no \"head\""},
        {R"({"layer": 0, "head": 0, "factor": null})", "factor"},
        {R"({"layer": 0, "head": 0, "factor": 0}, {"layer": 0, "head": 0, "factor": 1})",
         "two gates of one head"}}) {
    const Gated bad(std::string(kTwoBlocks)
                        .insert(1, R"("what_if": {"gates": [)" + std::string(gate) + "]}, "));
    const ProcessResult result = run_attnscope({"validate", bad.file});
    EXPECT_NE(result.exit_code, 0) << gate;
    const std::string all = result.out + result.err;
    EXPECT_NE(all.find(words), std::string::npos) << all;
    EXPECT_NE(all.find("what_if"), std::string::npos) << all;
  }
}

std::string numbers_of(const std::string& file, const std::string& layer, const std::string& head,
                       const std::vector<std::string>& more) {
  std::vector<std::string> all{"compute", file,     "--stage", "weights",  "--layer",
                               layer,     "--head", head,      "--format", "csv"};
  all.insert(all.end(), more.begin(), more.end());
  const ProcessResult result = run_attnscope(all);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

TEST(Pattern, GivesAHeadTheWeightsOfAnother) {
  const Gated plain(kTwoBlocks);
  const std::string from = numbers_of(plain.file, "0", "1", {});
  EXPECT_NE(from, numbers_of(plain.file, "1", "0", {}));
  EXPECT_EQ(from, numbers_of(plain.file, "1", "0", {"--pattern", "1:0=0:1"}));
  EXPECT_EQ(from, numbers_of(plain.file, "1", "1", {"--pattern", "1:*=0:1"}));
  EXPECT_NE(numbers_of(plain.file, "1", "0", {"--pattern", "0:0=equal"}),
            numbers_of(plain.file, "1", "0", {}))
      << "later layers follow";
  EXPECT_NE(numbers_of(plain.file, "0", "0", {"--pattern", "0:0=equal"}).find("0.333333"),
            std::string::npos);
}

TEST(Pattern, NamesTheAttentionsOfADecoder) {
  const auto self_weights = [](const char* head, const std::vector<std::string>& more) {
    std::vector<std::string> all{"compute",  "example:transformer-decoder",
                                 "--stage",  "self_weights",
                                 "--layer",  "0",
                                 "--head",   head,
                                 "--format", "csv"};
    all.insert(all.end(), more.begin(), more.end());
    const ProcessResult result = run_attnscope(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  EXPECT_NE(self_weights("0", {}), self_weights("1", {}));
  EXPECT_EQ(self_weights("0", {"--pattern", "self:0:0=self:0:1"}), self_weights("1", {}));
  EXPECT_EQ(self_weights("0", {"--pattern", "self:0:0=self:0:1:0"}), self_weights("1", {}));
}

TEST(Pattern, OfAnotherSampleIsNamedByAThirdNumber) {
  const Gated two(R"({"tokens": ["a", "b"], "q": [[[[1], [2]]], [[[3], [-1]]]],
                      "k": [[[[1], [0]]], [[[2], [1]]]], "v": [[[[1], [0]]], [[[2], [1]]]]})");
  const auto of_sample = [&](const char* sample, const std::vector<std::string>& more) {
    std::vector<std::string> all{"--sample", sample};
    all.insert(all.end(), more.begin(), more.end());
    return numbers_of(two.file, "0", "0", all);
  };
  EXPECT_NE(of_sample("0", {}), of_sample("1", {}));
  EXPECT_EQ(of_sample("0", {"--pattern", "0:0=0:0:1"}), of_sample("1", {}));
}

TEST(Pattern, IsRefusedByNameWithWhatThereIs) {
  const Gated blocks(kTwoBlocks);
  for (const auto& [pattern, words] : {std::pair("1:0=4:0", "layers 0 to 1"),
                                       {"1:0=0:*", "the weights of one head"},
                                       {"1:0=0:0:3", "a sample from 0 to 0"},
                                       {"1:0=0:0:x", "a sample from 0 to 0"},
                                       {"1:0=nothing", "LAYER:HEAD=equal"},
                                       {"1:0", "LAYER:HEAD=LAYER:HEAD"}}) {
    const ProcessResult result = weights_of(blocks.file, {"--pattern", pattern});
    EXPECT_EQ(result.exit_code, 2) << pattern;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  }
  const Gated given(R"({"attention": [[1, 0], [0.5, 0.5]]})");
  const ProcessResult none = weights_of(given.file, {"--pattern", "0:0=equal"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("these weights are given"), std::string::npos) << none.err;
}

TEST(Pattern, OfADocumentIsRefusedByItsPlace) {
  for (const auto& [pattern, words] :
       {std::pair(R"({"layer": 0, "head": 0, "weights": [[1, 0], [0, 1]]})",
                  "a weight for each query and key"),
        {R"({"layer": 0, "head": 7, "weights": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})",
         "no head for this pattern"},
        {R"({"layer": 0, "head": 0, "sample": 2, "weights": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})",
         "no sample for this pattern"},
        {R"({"layer": 0, "head": 0})", "a pattern lacks a key"}}) {
    const Gated bad(std::string(kTwoBlocks)
                        .insert(1, R"("what_if": {"patterns": [)" + std::string(pattern) + "]}, "));
    const ProcessResult result = run_attnscope({"validate", bad.file});
    EXPECT_NE(result.exit_code, 0) << pattern;
    const std::string all = result.out + result.err;
    EXPECT_NE(all.find(words), std::string::npos) << all;
    EXPECT_NE(all.find("what_if"), std::string::npos) << all;
  }
}

TEST(Pattern, IsInTheCallOfAFigure) {
  const Gated plain(kTwoBlocks);
  const std::string path = plain.folder.file("why.svg");
  const ProcessResult result = run_attnscope(
      {"export", plain.file, "-o", path, "--plot", "why", "--layer", "1", "--pattern", "1:0=0:1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string svg = *read_file(path, 10'000'000);
  EXPECT_NE(svg.find("--pattern 1:0=0:1"), std::string::npos);
  EXPECT_NE(svg.find("as it was given"), std::string::npos) << "the sum is of given weights";
}

constexpr const char* kPreBlocks =
    R"({"tokens": ["a", "b", "c"], "blocks": 2, "heads": 2, "d_model": 4, "seed": 3,
        "norms": {"order": "pre"}})";

TEST(Cut, DoesWhatTheKeyDoesAndIsInTheCall) {
  const Gated plain(kPreBlocks);
  const Gated cut(std::string(kPreBlocks).insert(1, R"("what_if": {"edges": [{"layer": 1,
      "head": 0, "input": "k", "from_layer": 0, "from_head": 1}]}, )"));
  const std::vector<std::string> flag{"--cut", "0:1=1:0:k"};
  EXPECT_EQ(numbers_of(plain.file, "1", "0", flag), numbers_of(cut.file, "1", "0", {}));
  EXPECT_NE(numbers_of(plain.file, "1", "0", flag), numbers_of(plain.file, "1", "0", {}));
  EXPECT_EQ(numbers_of(plain.file, "1", "1", flag), numbers_of(plain.file, "1", "1", {}));
  const std::string path = cut.folder.file("map.svg");
  ASSERT_EQ(run_attnscope({"export", cut.file, "-o", path, "--plot", "heads"}).exit_code, 0);
  const std::string svg = *read_file(path, 10'000'000);
  EXPECT_NE(svg.find("--cut 0:1=1:0:k"), std::string::npos);
  EXPECT_NE(svg.find("without cut edges"), std::string::npos) << "compares with it";
  // All heads stand for those that can be meant: earlier ones on the left, later ones on the right.
  EXPECT_EQ(numbers_of(plain.file, "1", "0", {"--cut", "*:1=*:0:k"}),
            numbers_of(cut.file, "1", "0", {}));
}

TEST(Cut, IsRefusedByNameWithWhatThereIs) {
  const Gated pre(kPreBlocks), post(kTwoBlocks);
  for (const auto& [edge, words] : {std::pair("1:0=0:0:k", "runs backwards"),
                                    {"0:0=0:1:q", "runs backwards"},
                                    {"0:0=1:5:q", "heads 0 to 1"},
                                    {"0:0=1:0", "q, k or v"},
                                    {"0:0=1:0:output", "q, k or v"},
                                    {"0:0", "LAYER:HEAD"}}) {
    const ProcessResult result = weights_of(pre.file, {"--cut", edge});
    EXPECT_NE(result.exit_code, 0) << edge;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  }
  const ProcessResult inexact = weights_of(post.file, {"--cut", "0:0=1:0:k"});
  EXPECT_NE(inexact.err.find("would not be exact"), std::string::npos) << inexact.err;
  const Gated shared(std::string(kPreBlocks).insert(1, R"("kv_heads": 1, )"));
  const ProcessResult of_keys = weights_of(shared.file, {"--cut", "0:0=1:0:k"});
  EXPECT_NE(of_keys.err.find("several heads share"), std::string::npos) << of_keys.err;
  EXPECT_EQ(weights_of(shared.file, {"--cut", "0:0=1:0:q"}).exit_code, 0);
}

TEST(Cut, OfADocumentIsRefusedByItsPlace) {
  for (const auto& [edge, words] :
       {std::pair(R"({"layer": 0, "head": 0, "input": "k", "from_layer": 1, "from_head": 0})",
                  "from_layer below layer"),
        {R"({"layer": 1, "head": 0, "input": "k", "from_layer": 0})", "no \"from_head\""},
        {R"({"layer": 1, "head": 0, "input": "x", "from_layer": 0, "from_head": 0})", "q"},
        {R"({"layer": 1, "head": 9, "input": "k", "from_layer": 0, "from_head": 0})",
         "no head for this edge"}}) {
    const Gated bad(std::string(kPreBlocks)
                        .insert(1, R"("what_if": {"edges": [)" + std::string(edge) + "]}, "));
    const ProcessResult result = run_attnscope({"validate", bad.file});
    EXPECT_NE(result.exit_code, 0) << edge;
    const std::string all = result.out + result.err;
    EXPECT_NE(all.find(words), std::string::npos) << all;
    EXPECT_NE(all.find("what_if"), std::string::npos) << all;
  }
}

}  // namespace
}  // namespace attn
