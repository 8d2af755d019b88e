// Subcommands info, validate, examples and schema.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "attention/cost.h"
#include "base/files.h"
#include "base/number_text.h"
#include "document/load/open.h"
#include "session/build_information.h"
#include "support/examples.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/sanitizers.h"
#include "support/shared_data.h"
#include "tests/core/document/folder/model_folder.h"

namespace attn {
namespace {

using ParsedJson = nlohmann::json;
using test::ProcessResult;
using test::run_attnscope;
using test::run_attnscope_on;
using test::TemporaryFolder;

constexpr const char* kLayer =
    R"({"tokens": ["a", "b", "c"], "heads": 2, "title": "A layer", "embeddings": [[1, 0, 2, 1], [0, 1, 1, 1], [1, 1, 0, 1]],
        "projections": {"w_o": [[1,0],[0,1],[1,0],[0,1]]}})";

TEST(Info, CountsShapesParametersCostAndMemory) {
  const ProcessResult result = run_attnscope_on(kLayer, {"info", "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const ParsedJson json = ParsedJson::parse(result.out);
  EXPECT_EQ(json["title"], "A layer");
  EXPECT_EQ(json["shape"]["heads"], 2);
  EXPECT_EQ(json["shape"]["n_q"], 3);
  EXPECT_EQ(json["shape"]["d_model"], 4);
  EXPECT_EQ(json["inputs"]["embeddings"], ParsedJson({1, 3, 4}));
  EXPECT_EQ(json["computed"]["weights"], ParsedJson({1, 2, 3, 3}));
  EXPECT_EQ(json["computed"]["projected"], ParsedJson({1, 3, 2}));
  std::size_t parameters = 0;
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"}) {
    parameters +=
        json["inputs"][name][0].get<std::size_t>() * json["inputs"][name][1].get<std::size_t>();
  }
  EXPECT_EQ(json["parameters"], parameters);
  EXPECT_GT(json["multiply_adds"], 0);
  EXPECT_GT(json["memory_bytes"], 0);
  EXPECT_FALSE(json["notes"].empty()) << "missing projections were generated";
}

// Writes a SmolLM 3 of four layers of width 4.
test::ModelFolder small_smollm3(const std::string& more) {
  test::Arrays arrays{{"model.embed_tokens.weight", test::numbers({5, 4})},
                      {"model.norm.weight", test::numbers({4})}};
  for (int layer = 0; layer < 4; ++layer) {
    const std::string place = "model.layers." + std::to_string(layer) + ".";
    for (const char* name : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
                             "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"}) {
      arrays[place + name + ".weight"] = test::numbers({4, 4});
    }
    for (const char* name : {"input_layernorm", "post_attention_layernorm"}) {
      arrays[place + name + ".weight"] = test::numbers({4});
    }
  }
  return {R"({"model_type": "smollm3", "hidden_size": 4, "num_hidden_layers": 4,
      "num_attention_heads": 1, "num_key_value_heads": 1, "intermediate_size": 4)" +
              more + "}",
          arrays};
}

TEST(Info, SaysWhatWasUnderstoodOfAModel) {
  const auto facts_of = [](const std::string& more) {
    const test::ModelFolder folder = small_smollm3(more);
    const ProcessResult result = run_attnscope({"info", "--json", folder.path(), "--ids", "1,2"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ParsedJson::parse(result.out)["model"];
  };
  const ParsedJson facts = facts_of(R"(, "rope_theta": 500, "sliding_window": 2, "layer_types": [
      "sliding_attention", "sliding_attention", "full_attention", "sliding_attention"],
      "rope_scaling": {"rope_type": "linear", "factor": 4})");
  EXPECT_EQ(facts["windows"], "2 tokens, in layers 0 to 1, 3");
  EXPECT_EQ(facts["not rotated"], "layers 3");
  EXPECT_NE(facts["position"].get<std::string>().find("base 500; Linear, factor 4"),
            std::string::npos);
  EXPECT_EQ(facts["head"], "the table of embeddings");
  EXPECT_EQ(facts["predicts"], "the next token");
  EXPECT_EQ(facts["norm"], "RMS norm, eps 1e-06, in front of parts");
  EXPECT_EQ(facts["embeddings"], "times 1");
  EXPECT_EQ(facts_of(R"(, "architectures": ["X"])")["predicts"],
            "no token, as the \"architectures\" of config.json have no head: [\"X\"]");
}

TEST(Info, CountsParametersOfScoresAndPositions) {
  const auto parameters = [](const std::string& layers) {
    const std::string text = R"({"embeddings": [[1, 0], [0, 1]], "heads": 1, "seed": 1,
        "scoring": {"function": "concat", "w": [[1, 2, 3, 4], [5, 6, 7, 8]], "v": [1, 2]},
        "mask": {"relative_buckets": {"table": [1, 2, 3, 4]}},
        "position": {"kind": "learned", "table": [[1, 2], [3, 4]]}, )";
    const ProcessResult result = run_attnscope_on(text + layers + "}", {"info", "--json", "-"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ParsedJson::parse(result.out)["parameters"].get<int>();
  };
  constexpr int kScores = 8 + 2 + 4, kPositions = 4, kProjections = 3 * 4;
  EXPECT_EQ(parameters(R"("projections": {"w_o": null})"), kScores + kPositions + kProjections);
  constexpr int kOutput = 4, kNetwork = 2 * 2 * 3;
  EXPECT_EQ(parameters(R"("blocks": [{"feed_forward": {"d_ff": 3}}])"),
            kScores + kPositions + kProjections + kOutput + kNetwork);
}

TEST(Info, CountsWhatEachScoreMultiplies) {
  const auto cost = [](const std::string& scoring) {
    const std::string text = R"({"q": [[1, 2], [3, 4]], "k": [[1, 2, 3]], "v": [[1]],
                                 "scoring": {"function": )" +
                             scoring + "}}";
    const ProcessResult result = run_attnscope_on(text, {"info", "--json", "-"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ParsedJson::parse(result.out)["multiply_adds"].get<int>();
  };
  constexpr int kOutput = 2 * 1 * 1;
  EXPECT_EQ(cost(R"("general")"), 2 * 2 * 3 + 2 * 1 * 3 + kOutput);
  EXPECT_EQ(cost(R"("location", "w": [[1, 2]])"), 2 * 1 * 2 + kOutput);
}

TEST(Info, AssumesNoWidthOfFinishedWeights) {
  constexpr const char* kWeights = R"({"attention": [[1, 0], [0.5, 0.5]]})";
  EXPECT_FALSE(
      ParsedJson::parse(run_attnscope_on(kWeights, {"info", "--json", "-"}).out).contains("cost"));
  const std::string text = run_attnscope_on(kWeights, {"info", "-"}).out;
  EXPECT_EQ(text.find("longest path"), std::string::npos);
  EXPECT_NE(text.find("the weights above the diagonal are all 0: read as causal"),
            std::string::npos);
}

TEST(Info, PutsTheCostBesideOtherKindsOfLayers) {
  const ParsedJson cost =
      ParsedJson::parse(run_attnscope_on(kLayer, {"info", "--json", "-"}).out)["cost"];
  const LayerSize size{.n = 3, .d = 4, .heads = 2, .kernel = 3, .neighbours = 3};
  EXPECT_EQ(cost["n"], 3);
  EXPECT_EQ(cost["d"], 4);
  for (const LayerKindInfo& info : all_layer_kinds()) {
    const LayerCost expected = info.cost(size);
    const ParsedJson& layer = cost["layers"][info.name];
    EXPECT_EQ(layer["operations"], expected.operations) << info.name;
    EXPECT_EQ(layer["steps"], expected.steps) << info.name;
    EXPECT_EQ(layer["path"], expected.path) << info.name;
    EXPECT_EQ(layer["memory"], expected.memory) << info.name;
  }
  EXPECT_EQ(cost["more_than_recurrence_above_n"], 2);
  EXPECT_EQ(cost["more_than_convolution_above_n"], 6);
  const std::string text = run_attnscope_on(kLayer, {"info", "-"}).out;
  EXPECT_NE(text.find("one layer, n = 3, d = 4, k = 3, r = 3"), std::string::npos) << text;
  EXPECT_NE(text.find("Convolution of width k      144 "), std::string::npos) << text;
}

TEST(Info, ReadsWellAsText) {
  const ProcessResult result = run_attnscope({"info", "example:i-love-cats"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("weights           (1, 1, 3, 3), computed"), std::string::npos);
  EXPECT_NE(result.out.find("multiply-adds"), std::string::npos);
  EXPECT_EQ(result.err, "");
}

TEST(Validate, SaysWhichReadingWasChosen) {
  const ProcessResult result = run_attnscope({"validate", "example:i-love-cats"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.out.starts_with("example:i-love-cats: good\n  reading: ")) << result.out;
}

TEST(Validate, ReadsTokensThatAreOnlyCounted) {
  const std::string text = R"({"query_tokens": 2, "key_tokens": 131072, "d_model": 2, "heads": 1})";
  const ProcessResult result = run_attnscope_on(text, {"validate", "-"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("2 query and 131,072 key tokens"), std::string::npos) << result.out;
  const ParsedJson info = ParsedJson::parse(run_attnscope_on(text, {"info", "--json", "-"}).out);
  EXPECT_EQ(info["shape"]["n_k"], 131072);
  const ProcessResult none = run_attnscope_on(R"({"tokens": 0})", {"validate", "-"});
  EXPECT_EQ(none.exit_code, 3);
  const ProcessResult many = run_attnscope_on(R"({"tokens": 2000000000000})", {"validate", "-"});
  EXPECT_EQ(many.exit_code, 4);
}

TEST(Validate, ShowsEveryProblemOfEveryFileWithItsPlace) {
  const TemporaryFolder folder;
  const std::string bad = folder.file("bad.json");
  ASSERT_TRUE(write_file_atomically(bad,
                                    "{\"tokens\": [\"a\", \"b\"],\n \"q\": [[1, 2], [3]],\n"
                                    " \"k\": [[1, 2], [3, 4]],\n \"v\": [[1], [\"x\"]]}\n",
                                    Overwrite::Refuse)
                  .ok());
  const ProcessResult text = run_attnscope({"validate", "example:i-love-cats", bad});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_NE(text.out.find("example:i-love-cats: good"), std::string::npos);
  EXPECT_NE(text.out.find(bad + ":2:"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("/q/1"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("/v/1"), std::string::npos) << text.out;
  EXPECT_EQ(text.err, "");

  const ProcessResult quiet = run_attnscope({"validate", "-q", "example:i-love-cats", bad});
  EXPECT_EQ(quiet.out.find("good"), std::string::npos);

  const ProcessResult programs = run_attnscope({"validate", "--json", "example:i-love-cats", bad});
  EXPECT_EQ(programs.exit_code, 3);
  const ParsedJson json = ParsedJson::parse(programs.out);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["valid"], true);
  EXPECT_FALSE(json[0]["reading"].get<std::string>().empty());
  EXPECT_EQ(json[1]["valid"], false);
  EXPECT_GE(json[1]["problems"].size(), 2U);
  EXPECT_EQ(json[1]["problems"][0]["kind"], "bad_input");
  EXPECT_EQ(json[1]["problems"][0]["line"], 2);
}

constexpr const char* kUneven = R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.3, 0.3]]})";

TEST(Validate, SaysWhatComputeSaysOfTheNumbers) {
  const ProcessResult text = run_attnscope_on(kUneven, {"validate", "-"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(text.out.starts_with("standard input: good")) << text.out;
  EXPECT_NE(text.out.find("\n  warning: "), std::string::npos) << text.out;
  const ParsedJson json =
      ParsedJson::parse(run_attnscope_on(kUneven, {"validate", "--json", "-"}).out);
  EXPECT_EQ(json[0]["valid"], true);
  ASSERT_EQ(json[0]["warnings"].size(), 1U);
  const ProcessResult computed = run_attnscope_on(kUneven, {"compute", "-"});
  EXPECT_NE(computed.err.find(json[0]["warnings"][0].get<std::string>()), std::string::npos);
}

// Two layers of one head on a b a b: equal weights, then the token before.
constexpr const char* kTwoLayers = R"({"tokens": ["a", "b", "a", "b"], "attention": [
  [[[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25],
    [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]],
  [[[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]]]})";

TEST(Info, MeasuresEveryHeadWhenAsked) {
  const ProcessResult result = run_attnscope_on(kTwoLayers, {"info", "--measures", "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const ParsedJson json = ParsedJson::parse(result.out);
  ASSERT_EQ(json["measures"].size(), 2U);
  const ParsedJson& first = json["measures"][0];
  EXPECT_NEAR(first["entropy"].get<double>(), std::log(4.0), 1e-6);
  EXPECT_NEAR(first["normalised_entropy"].get<double>(), 1.0, 1e-6);
  EXPECT_EQ(first["labels"], ParsedJson({"uniform"}));
  EXPECT_EQ(first["received"], ParsedJson({1.0, 1.0, 1.0, 1.0}));
  EXPECT_EQ(first["row_entropy"].size(), 4U);
  const ParsedJson& second = json["measures"][1];
  EXPECT_EQ(second["layer"], 1);
  EXPECT_EQ(second["previous_token"], 1.0);
  EXPECT_EQ(second["induction"], 1.0) << "the token before is what followed the same token";
  EXPECT_TRUE(json["labels"].contains("previous_token"));
  EXPECT_FALSE(ParsedJson::parse(run_attnscope_on(kTwoLayers, {"info", "--json", "-"}).out)
                   .contains("measures"));
}

TEST(Info, MeasuresReadWellAsText) {
  const ProcessResult result = run_attnscope_on(kTwoLayers, {"info", "--measures", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("Layer  Head"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("  uniform\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("  uniform: The entropy is at least 95 %"), std::string::npos);
}

TEST(Info, MeasuresThatAreNotDefinedAreNull) {
  const char* blind = R"({"q": [[1]], "k": [[1]], "v": [[1]], "mask": {"visible": [[false]]}})";
  const ParsedJson json =
      ParsedJson::parse(run_attnscope_on(blind, {"info", "--measures", "--json", "-"}).out);
  EXPECT_TRUE(json["measures"][0]["entropy"].is_null());
  EXPECT_EQ(json["measures"][0]["unseeing_rows"], 1);
  EXPECT_EQ(json["measures"][0]["row_entropy"], ParsedJson({"nan"}));
  const ProcessResult text = run_attnscope_on(blind, {"info", "--measures", "-"});
  EXPECT_NE(text.out.find("  left out: 1 row that sees no key\n"), std::string::npos) << text.out;
}

TEST(Info, MeasuresKeepWithinTheMemoryLimit) {
  const ProcessResult result =
      run_attnscope_on(R"({"tokens": ["a", "b"], "d_model": 8000})",
                       {"info", "--measures", "--memory-limit", "1MB", "-"});
  EXPECT_EQ(result.exit_code, 4);
}

TEST(Validate, SaysWhichQueriesSeeNoKey) {
  const char* blind = R"({"q": [[1]], "k": [[1]], "v": [[1]], "mask": {"visible": [[false]]}})";
  const ParsedJson json =
      ParsedJson::parse(run_attnscope_on(blind, {"validate", "--json", "-"}).out);
  EXPECT_EQ(json[0]["notes"].size() + json[0]["warnings"].size(), 1U) << json;
}

TEST(Info, WeighsFinishedAttentionAndWarnsOfIt) {
  const ParsedJson json = ParsedJson::parse(run_attnscope_on(kUneven, {"info", "--json", "-"}).out);
  EXPECT_EQ(json["memory_bytes"], 4 * sizeof(float));
  EXPECT_EQ(json["warnings"].size(), 1U);
  EXPECT_FALSE(json["shape"].contains("d_k"));
  EXPECT_EQ(json["shape"],
            ParsedJson::parse(run_attnscope_on(kUneven, {"compute", "-"}).out)["shape"]);
}

TEST(Info, LooksAtTheNumbersHoweverLongItTakes) {
  const char* text =
      R"({"query_tokens": 1024, "key_tokens": 1024, "d_model": 256, "mask": {"query_lengths": 1023}})";
  const ParsedJson json = ParsedJson::parse(run_attnscope_on(text, {"info", "--json", "-"}).out);
  EXPECT_GT(json["multiply_adds"], 200'000'000);
  EXPECT_NE(json["notes"].back().get<std::string>().find("see no key"), std::string::npos) << json;
}

TEST(Info, SaysThatDropoutIsNotApplied) {
  const char* text = R"({"tokens": ["a"], "blocks": 1, "dropout": 0.25})";
  const std::string note = "dropout 0.25 is only for training and is not applied";
  const std::string out = run_attnscope_on(text, {"info", "-"}).out;
  EXPECT_NE(out.find("note              " + note + "\n"), out.npos) << out;
  EXPECT_EQ(ParsedJson::parse(run_attnscope_on(text, {"info", "--json", "-"}).out)["notes"].back(),
            note);
}

TEST(Validate, ReadsStandardInput) {
  EXPECT_EQ(run_attnscope_on(R"(["a", "b"])", {"validate", "-"}).exit_code, 0);
  EXPECT_EQ(run_attnscope_on("{\"q\": [nan]}", {"validate", "-"}).exit_code, 3);
}

TEST(Examples, AreAllListedWithTheirTitles) {
  const ProcessResult result = run_attnscope({"examples"});
  EXPECT_EQ(result.exit_code, 0);
  const ParsedJson json = ParsedJson::parse(run_attnscope({"examples", "--json"}).out);
  ASSERT_EQ(json.size(), all_examples().size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    EXPECT_EQ(json[i]["name"], all_examples()[i].name);
    EXPECT_EQ(json[i]["group"], all_examples()[i].group);
    EXPECT_NE(result.out.find(std::string(all_examples()[i].name)), std::string::npos);
    EXPECT_NE(result.out.find(all_examples()[i].title), std::string::npos);
  }
}

TEST(Examples, EachCanBeWrittenAndComputed) {
  const TemporaryFolder folder;
  for (const Example& example : test::short_examples()) {
    const std::string name(example.name);
    const std::string path = folder.file(name + ".attn.json");
    ASSERT_EQ(run_attnscope({"examples", name, "-o", path}).exit_code, 0) << name;
    EXPECT_EQ(test::read_text(path), example.json);
    const ProcessResult computed = run_attnscope({"compute", "example:" + name});
    EXPECT_EQ(computed.exit_code, 0) << computed.err;
    if (&example != &all_examples().front()) continue;
    EXPECT_EQ(run_attnscope({"examples", "example:" + name}).out, example.json);
    EXPECT_EQ(run_attnscope({"compute", path}).out, computed.out);
  }
}

TEST(Schema, IsPrintedAndSaved) {
  const TemporaryFolder folder;
  const ProcessResult printed = run_attnscope({"schema"});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(ParsedJson::parse(printed.out)["$schema"], "http://json-schema.org/draft-07/schema#");
  ASSERT_EQ(run_attnscope({"schema", "-o", folder.file("s.json")}).exit_code, 0);
  EXPECT_EQ(test::read_text(folder.file("s.json")), printed.out);
}

TEST(Info, CountsAndMeasuresBothAttentionsOfADecoder) {
  const char* text = R"({"query_tokens": ["a", "b", "c"], "key_tokens": ["x", "y"], "d_model": 4,
      "heads": 2, "blocks": [{"feed_forward": {"d_ff": 5}}], "self_mask": {"causal": true,
      "relative_buckets": {"table": [1, 2, 3, 4]}}, "mask": {"visible": [[false], [true], [true]]}})";
  const ProcessResult result = run_attnscope_on(text, {"info", "--measures", "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const ParsedJson json = ParsedJson::parse(result.out);
  const ParsedJson& parts = json["parts"];
  EXPECT_EQ(parts["self-attention"]["parameters"], 4 * 16 + 4);
  EXPECT_EQ(parts["cross-attention"]["parameters"], 4 * 16);
  EXPECT_EQ(parts["feed-forward"]["parameters"], 2 * 20);
  // Scores and outputs of 3 × 3 and 3 × 2 cells, and four projections of rows and keys.
  EXPECT_EQ(parts["self-attention"]["multiply_adds"], 2 * 9 * 4 + 4 * 3 * 16);
  EXPECT_EQ(parts["cross-attention"]["multiply_adds"], 2 * 6 * 4 + 2 * 3 * 16 + 2 * 2 * 16);
  EXPECT_EQ(json["parameters"], 4 * 16 + 4 + 4 * 16 + 2 * 20);
  EXPECT_EQ(json["computed"]["self_weights"], ParsedJson({1, 2, 3, 3}));
  EXPECT_EQ(json["inputs"]["cross w_k"], ParsedJson({4, 4}));
  ASSERT_EQ(json["measures"].size(), 4U);
  EXPECT_EQ(json["measures"][0]["attention"], "self");
  EXPECT_EQ(json["measures"][2]["attention"], "cross");
  EXPECT_EQ(json["measures"][2]["unseeing_rows"], 1);
  const ProcessResult said = run_attnscope_on(text, {"info", "-"});
  EXPECT_NE(said.out.find("Cross-attention: 2 rows of 6 see no key"), std::string::npos)
      << said.out;
}

// Peak memory of a process so far.
std::uint64_t peak_of(pid_t process, std::uint64_t before) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024U;
  }
  return before;
}

// Peak memory of one run of the program. wait4 would include that of this process before exec.
std::uint64_t peak_bytes(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), test::program_path());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      ::dup2(::open("/dev/null", O_WRONLY), stream);
    }
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  std::uint64_t peak = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    peak = peak_of(child, peak);
    ::usleep(500);
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return peak;
}

TEST(Info, SaysTheMemoryThatComputingTakesWithinTenPercent) {
#ifdef ATTNSCOPE_SANITIZED_ALLOCATOR
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  const TemporaryFolder folder;
  const std::string file = folder.file("wide.json");
  // It ends within some milliseconds, so that a busy machine may miss its peak once.
  std::uint64_t nothing = 0;
  for (int i = 0; i < 5; ++i) {
    nothing = std::max(nothing, peak_bytes({"info", "example:i-love-cats"}));
  }
  for (const char* text : {R"({"tokens": 512, "d_model": 2048})", R"({"tokens": 64, "d_model": 1024,
           "blocks": [{"feed_forward": {"activation": "swiglu"}}]})"}) {
    std::ofstream(file) << text;
    const ParsedJson json = ParsedJson::parse(run_attnscope({"info", "--json", file}).out);
    const auto said = json["memory_bytes"].get<double>();
    EXPECT_GT(said, 64.0 * (1U << 20U));
    for (const std::vector<std::string>& use : std::vector<std::vector<std::string>>{
             {"compute", "--stages", file},
             {"compute", "--stages", file, "--force", "-o", folder.file("out")}}) {
      const auto taken = static_cast<double>(peak_bytes(use) - nothing);
      EXPECT_GT(taken, 0.9 * said) << text;
      EXPECT_LT(taken, 1.1 * said) << text;
    }
    // The refusal has the same number.
    const auto limit = std::to_string(json["memory_bytes"].get<std::uint64_t>() - 1);
    const test::ProcessResult refused = run_attnscope({"compute", file, "--memory-limit", limit});
    EXPECT_EQ(refused.exit_code, 4) << refused.err;
    EXPECT_NE(refused.err.find("found " + bytes_text(json["memory_bytes"])), std::string::npos)
        << refused.err;
  }
}

TEST(Versions, StandInWhatProgramsRead) {
  const std::string cats = "example:i-love-cats";
  const auto version_in = [](const std::vector<std::string>& call) {
    const ParsedJson json = ParsedJson::parse(run_attnscope(call).out);
    return (json.is_array() ? json.front() : json).value("version", ParsedJson());
  };
  const ParsedJson version = std::string(program_version());
  EXPECT_EQ(version_in({"info", "--json", cats}), version);
  EXPECT_EQ(version_in({"validate", "--json", cats}), version);
  EXPECT_EQ(version_in({"examples", "--json"}), version);
  EXPECT_EQ(version_in({"compute", cats}), version);
  EXPECT_EQ(version_in({"examples", "i-love-cats"}), ParsedJson()) << "documents are as they were";
}

TEST(LookingAtNumbers, EndsWhereItWouldTakeLongAndSaysSo) {
  for (const char* command : {"validate", "info"}) {
    const ProcessResult result = run_attnscope_on(R"({"tokens": 65536})", {command, "-"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("the numbers were not checked: it would take about "),
              std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("--numbers"), std::string::npos);
    const ProcessResult small = run_attnscope_on(R"({"tokens": 3})", {command, "--numbers", "-"});
    EXPECT_EQ(small.exit_code, 0) << small.err;
  }
}

}  // namespace
}  // namespace attn
