// Numbers on the command line equal the engine's bit for bit.
#include "engine/compute.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files.h"
#include "cli/console.h"
#include "cli/load.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using ParsedJson = nlohmann::json;
using test::ProcessResult;
using test::run_attnscope;
using test::run_attnscope_on;
using test::TemporaryFolder;

ParsedJson computed(std::vector<std::string> arguments, const std::string& input = {}) {
  arguments.insert(arguments.begin(), "compute");
  const ProcessResult result = test::run_attnscope_on(input, std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return ParsedJson::parse(result.out, nullptr, false);
}

float number(const ParsedJson& json) {
  if (json.is_number()) return json.get<float>();
  if (json == "-inf") return -std::numeric_limits<float>::infinity();
  if (json == "inf") return std::numeric_limits<float>::infinity();
  EXPECT_EQ(json, "nan");
  return std::numeric_limits<float>::quiet_NaN();
}

bool same_bits(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

void expect_matrix(const ParsedJson& json, const AttentionResult& result, Stage stage,
                   const HeadAddress& head) {
  const StageShape extent = result.stage_shape(stage, head);
  ASSERT_EQ(json.size(), extent.rows) << stage_info(stage).name;
  for (std::size_t row = 0; row < extent.rows; ++row) {
    ASSERT_EQ(json[row].size(), extent.cols);
    for (std::size_t col = 0; col < extent.cols; ++col) {
      EXPECT_TRUE(same_bits(number(json[row][col]), result.value(stage, head, row, col)))
          << stage_info(stage).name << " " << row << " " << col;
    }
  }
}

// Compares every stage in `json` with the engine; returns their number.
std::size_t expect_stages(const ParsedJson& json, const AttentionResult& result,
                          std::size_t attention = kLastAttention) {
  const AttentionShape& shape = result.shape();
  std::size_t found = 0;
  for (const StageInfo& info : all_stages()) {
    const std::string name(info.name);
    if (!json.contains(name)) continue;
    ++found;
    for (std::size_t sample = 0; sample < shape.samples; ++sample) {
      for (std::size_t layer = 0; layer < layers_of(shape, info.stage); ++layer) {
        const ParsedJson& matrix = json[name].at(sample).at(layer);
        if (!info.per_head) {
          expect_matrix(matrix, result, info.stage, {layer, sample, 0, attention});
          continue;
        }
        const bool of_keys = info.stage == Stage::Key || info.stage == Stage::Value;
        const std::size_t heads = of_keys ? shape.kv_heads : shape.heads;
        EXPECT_EQ(matrix.size(), heads);
        for (std::size_t head = 0; head < heads; ++head) {
          const std::size_t reader = head * (shape.heads / heads);
          expect_matrix(matrix.at(head), result, info.stage, {layer, sample, reader, attention});
        }
      }
    }
  }
  return found;
}

ResultPtr engine_result(const std::string& text) {
  return compute(make_problem(read_document(text, "test").value().document)).value();
}

constexpr const char* kMasked =
    R"({"tokens": ["a", "b", "c"], "q": [[1, 0], [0.1, 1], [1, 1]], "k": [[1, 0], [0, 1], [0.5, 0.3]],
        "v": [[1, 0, 2], [0, 1, 3], [0.5, 0.5, 4]], "mask": {"causal": true}})";
constexpr const char* kProjected =
    R"({"tokens": [["a", "b"], ["c", "d"]], "heads": 2,
        "embeddings": [[[1, 0], [0, 1]], [[0.3, 2], [2, 0]]]})";
constexpr const char* kLayers =
    R"({"tokens": ["a", "b"], "axes": ["layer", "head", "query", "key"],
        "attention": [[[[1, 0], [0.5, 0.5]]], [[[0.25, 0.75], [0.125, 0.875]]]]})";

constexpr const char* kLayersOfQkv =
    R"({"tokens": ["a", "b"], "axes": ["layer", "head", "token", "feature"],
        "q": [[[[1, 0], [0, 1]], [[2, 1], [1, 2]]], [[[0, 3], [3, 0]], [[1, 1], [0, 1]]]],
        "k": [[[[1, 2], [2, 1]]], [[[0, 1], [1, 3]]]], "v": [[[[1], [2]]], [[[3], [5]]]]})";

constexpr const char* kGrouped =
    R"({"tokens": ["a", "b"], "heads": 4, "embeddings": [[1, 0, 2, 1], [0, 1, 1, 3]],
        "projections": {"w_q": [[1,0,0,0], [0,1,0,0], [0,0,1,0], [0,0,0,1]],
                        "w_k": [[1, 0], [0, 1], [1, 1], [2, 0]]}})";

TEST(Compute, QueriesKeysAndValuesWrittenAsArraysAreReadBack) {
  const TemporaryFolder folder;
  const ParsedJson whole = computed({"-"}, kLayersOfQkv);
  for (const char* name : {"run.npz", "run.safetensors"}) {
    const std::string file = folder.file(name);
    const ProcessResult written =
        run_attnscope_on(kLayersOfQkv, {"compute", "-", "--stage", "q,k,v", "-o", file});
    ASSERT_EQ(written.exit_code, 0) << written.err;
    const ParsedJson read = computed({file});
    EXPECT_EQ(read["weights"], whole["weights"]);
    EXPECT_EQ(read["output"], whole["output"]);
  }
}

TEST(Compute, PrintsTheWorkedExample) {
  const ParsedJson json = computed({"example:i-love-cats"});
  EXPECT_EQ(json["attnscope_result"], 1);
  EXPECT_EQ(json["tokens"], ParsedJson({"I", "love", "cats"}));
  const ParsedJson row = json["weights"][0][0][0][0];
  EXPECT_NEAR(row[0].get<double>(), 0.4555, 5e-5);
  EXPECT_NEAR(row[1].get<double>(), 0.2246, 5e-5);
  EXPECT_NEAR(row[2].get<double>(), 0.3199, 5e-5);
  EXPECT_FALSE(json.contains("scores"));
}

TEST(Compute, EveryNumberIsTheEnginesToTheLastBit) {
  for (const char* text : {kMasked, kProjected, kLayers, kLayersOfQkv, kGrouped}) {
    const ResultPtr result = engine_result(text);
    const ParsedJson plain = computed({"-"}, text);
    const ParsedJson full = computed({"-", "--stages"}, text);
    const bool given = !has_scores(result->problem());
    EXPECT_EQ(expect_stages(plain, *result), given ? 1U : 2U);
    EXPECT_EQ(full["shape"]["samples"], result->shape().samples);
    EXPECT_EQ(full["shape"]["layers"], result->shape().layers);
    EXPECT_EQ(full["shape"]["heads"], result->shape().heads);
    EXPECT_EQ(full["shape"]["n_q"], result->shape().n_q);
    EXPECT_EQ(full["shape"]["n_k"], result->shape().n_k);
    EXPECT_EQ(full["shape"]["kv_heads"], result->shape().kv_heads);
    EXPECT_EQ(full["shape"].value("d_k", std::size_t{0}), result->shape().d_k);
    EXPECT_EQ(full["shape"].value("d_v", std::size_t{0}), result->shape().d_v);
    EXPECT_EQ(full["shape"].contains("d_k"), !given);
    expect_stages(full, *result);
  }
}

TEST(Compute, StagesAreThoseThatTheDocumentHas) {
  const auto names = [](const ParsedJson& json) {
    std::vector<std::string> found;
    for (const StageInfo& info : all_stages()) {
      if (json.contains(std::string(info.name))) found.emplace_back(info.name);
    }
    return found;
  };
  const std::vector<std::string> direct = {"scores", "scaled", "masked", "weights", "output"};
  EXPECT_EQ(names(computed({"-", "--stages"}, kMasked)), direct);
  const std::vector<std::string> projected = names(computed({"-", "--stages"}, kProjected));
  for (const char* name : {"q", "k", "v", "scores", "weights", "output", "concat", "projected"}) {
    EXPECT_NE(std::find(projected.begin(), projected.end(), name), projected.end()) << name;
  }
  EXPECT_EQ(names(computed({"-", "--stages"}, kLayers)), std::vector<std::string>{"weights"});
}

TEST(Compute, TheFinalNormIsThereOnce) {
  const ParsedJson json =
      computed({"-", "--stages"}, R"({"tokens": ["a", "b"], "blocks": 3, "d_model": 4,
                                                    "norms": {"final": true}})");
  EXPECT_EQ(json["block_output"].at(0).size(), 3U);
  EXPECT_EQ(json["final_norm"].at(0).size(), 1U);
}

TEST(Compute, HiddenCellsAreMinusInfinityBeforeTheSoftmaxAndZeroAfter) {
  const ParsedJson json = computed({"-", "--stages"}, kMasked);
  EXPECT_EQ(json["masked"][0][0][0][0][1], "-inf");
  EXPECT_EQ(json["weights"][0][0][0][0], ParsedJson({1, 0, 0}));
}

TEST(Compute, SamplesHaveTheirOwnTokensAndCrossAttentionBothSides) {
  EXPECT_EQ(computed({"-"}, kProjected)["tokens"],
            ParsedJson::parse(R"([["a", "b"], ["c", "d"]])"));
  const ParsedJson cross = computed(
      {"-"},
      R"({"query_tokens": ["我"], "key_tokens": ["I", "\"x\""], "attention": [[0.5, 0.5]]})");
  EXPECT_EQ(cross["query_tokens"], ParsedJson({"我"}));
  EXPECT_EQ(cross["key_tokens"], ParsedJson({"I", "\"x\""}));
  EXPECT_FALSE(cross.contains("tokens"));
}

TEST(Compute, AgreesWithATrainedModel) {
  const auto document = test::shared_file("data/stories260k_layer1.attn.json");
  const auto expected = test::shared_file("data/stories260k_layer1.expected.json");
  ATTNSCOPE_SKIP_WITHOUT(document && expected);
  const ParsedJson ours = computed({*document});
  EXPECT_EQ(ours["shape"]["heads"], 8);
  EXPECT_EQ(ours["shape"]["n_q"], 28);
  const ResultPtr result = compute(make_problem(open_document(*document).value().document)).value();
  EXPECT_EQ(expect_stages(ours, *result), 2U);
}

TEST(Compute, AFileIsWrittenWholeAndOnlyReplacedWhenForced) {
  const TemporaryFolder folder;
  const std::string path = folder.file("result.json");
  const ProcessResult first = run_attnscope({"compute", "example:i-love-cats", "-o", path});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(first.out, "");
  EXPECT_EQ(first.err, "attnscope: wrote " + path + "\n");
  const std::string bytes = test::read_text(path);
  EXPECT_EQ(bytes, run_attnscope({"compute", "example:i-love-cats"}).out);

  const ProcessResult again =
      run_attnscope({"compute", "example:i-love-cats", "-o", path, "--stages"});
  EXPECT_EQ(again.exit_code, 5);
  EXPECT_NE(again.err.find("--force"), std::string::npos);
  EXPECT_EQ(test::read_text(path), bytes);

  const ProcessResult forced =
      run_attnscope({"compute", "example:i-love-cats", "-o", path, "--stages", "-f", "-q"});
  EXPECT_EQ(forced.exit_code, 0);
  EXPECT_EQ(forced.err, "");
  EXPECT_NE(test::read_text(path), bytes);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Compute, TheDocumentIsNeverReplacedByItsResult) {
  const TemporaryFolder folder;
  const std::string path = folder.file("own.json");
  const std::string link = folder.file("link.json");
  ASSERT_TRUE(write_file_atomically(path, kMasked, Overwrite::Refuse).ok());
  std::filesystem::create_hard_link(path, link);
  for (const char* command : {"compute", "export"}) {
    for (const std::string& out : {path, link, folder.path() + "/./own.json"}) {
      std::vector<std::string> call = {command, path, "-o", out, "--force"};
      if (call.front() == "export") call.insert(call.end(), {"--format", "svg"});
      const ProcessResult result = run_attnscope(call);
      EXPECT_EQ(result.exit_code, 2) << result.err;
      EXPECT_NE(result.err.find("is the document itself"), std::string::npos) << result.err;
    }
  }
  EXPECT_EQ(test::read_text(path), kMasked);
}

// Inputs of a call are never overwritten: arrays of the document, and of all others in the call.
TEST(Compute, TheNumbersOfADocumentAreNeverReplaced) {
  const TemporaryFolder folder;
  const std::string numbers = folder.file("in.npy"), document = folder.file("ref.json");
  const std::string other = folder.file("other.json");
  ASSERT_EQ(run_attnscope({"compute", "example:i-love-cats", "--stage", "weights", "-o", numbers})
                .exit_code,
            0);
  for (const std::string& path : {document, other}) {
    ASSERT_TRUE(
        write_file_atomically(path, R"({"attention": {"file": "in.npy"}})", Overwrite::Refuse));
  }
  const std::string bytes = test::read_text(numbers);
  const std::vector<std::vector<std::string>> calls = {
      {"compute", document, "--stage", "weights", "-o", numbers},
      {"compute", "example:i-love-cats", "--stage", "weights", "--reference", document, "-o",
       numbers},
      {"compute", "example:i-love-cats", "--stage", "weights", "--reference", numbers, "-o",
       numbers},
      {"compute", "example:i-love-cats", document, "--stage", "weights", "-o",
       folder.file("{name}.npy"), "--format", "npy"},
      {"export", document, "-o", numbers},
      {"export", document, "--format", "svg", "-o", numbers},
      {"export", other, "--plot", "difference", "--reference", document, "--format", "svg", "-o",
       numbers}};
  for (std::vector<std::string> call : calls) {
    const bool makes_other = call.back() == "npy";
    if (makes_other) {
      std::filesystem::copy_file(numbers, folder.file("i-love-cats.npy"));
      ASSERT_TRUE(write_file_atomically(document, R"({"attention": {"file": "i-love-cats.npy"}})",
                                        Overwrite::Replace));
    }
    call.push_back("--force");
    const ProcessResult result = run_attnscope(call);
    EXPECT_EQ(result.exit_code, 2) << call[0] << " " << call[1] << result.err;
    EXPECT_NE(result.err.find("which would be lost"), std::string::npos) << result.err;
    EXPECT_EQ(test::read_text(numbers), bytes);
    if (!makes_other) continue;
    EXPECT_EQ(test::read_text(folder.file("i-love-cats.npy")), bytes);
    ASSERT_TRUE(write_file_atomically(document, R"({"attention": {"file": "in.npy"}})",
                                      Overwrite::Replace));
  }
}

TEST(Compute, TheMemoryLimitIsRespectedBeforeComputing) {
  const ProcessResult result =
      run_attnscope({"compute", "example:i-love-cats", "--memory-limit", "50B"});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(run_attnscope({"compute", "example:i-love-cats", "--memory-limit", "2 GiB"}).exit_code,
            0);
}

TEST(Compute, WritesBothAttentionsOfADecoder) {
  const char* text = R"({"query_tokens": [["a", "b", "c"], ["d"]], "d_model": 4, "blocks": 2,
      "key_tokens": [["x"], ["y", "z"]], "self_mask": {"causal": true}, "position": "rope"})";
  const ResultPtr result = engine_result(text);
  const ParsedJson full = computed({"-", "--stages"}, text);
  EXPECT_EQ(expect_stages(full, *result), result->stages().size());
  ParsedJson own = ParsedJson::object();
  for (const auto& [name, stage] : full.items()) {
    if (name.starts_with("self_")) own[name.substr(5)] = stage;
  }
  const auto inside =
      std::ranges::count_if(result->stages({.attention = kSelfAttention}),
                            [](Stage stage) { return !stage_info(stage).around_attention(); });
  EXPECT_EQ(static_cast<std::ptrdiff_t>(expect_stages(own, *result, kSelfAttention)), inside);
  const ParsedJson plain = computed({"-"}, text);
  EXPECT_TRUE(plain.contains("self_weights"));
  EXPECT_FALSE(plain.contains("self_q"));
}

std::uintmax_t bytes_in(const std::string& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += entry.file_size();
  return bytes;
}

TEST(Output, GoesToItsFileInPortions) {
  const test::TemporaryFolder folder;
  cli::Console console;
  console.quiet = true;
  cli::Output output(console, {folder.file("out.json"), false});
  const std::string portion(10'000, 'x');
  for (std::uintmax_t written = 0; written < 1'000'000; written += portion.size()) {
    ASSERT_LE(written - bytes_in(folder.path()), std::size_t{1} << 16U) << "held in memory";
    output.text() += portion;
    ASSERT_TRUE(output.pass_on());
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("out.json")));
  ASSERT_TRUE(output.finish());
  EXPECT_EQ(std::filesystem::file_size(folder.file("out.json")), 1'000'000U);
  EXPECT_EQ(bytes_in(folder.path()), 1'000'000U);
}

TEST(Output, OfMoreThanAHundredMegabytesIsAskedFor) {
  const test::TemporaryFolder folder;
  const cli::Destination file{folder.file("out.json"), false},
      forced{folder.file("out.json"), true};
  EXPECT_TRUE(cli::check_size(file, 100'000'000));
  const Status refused = cli::check_size(file, 6'000'000'000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::CannotWrite);
  EXPECT_NE(refused.error().message.find("5.6 GiB"), std::string::npos) << refused.error().message;
  EXPECT_TRUE(cli::check_size(forced, 6'000'000'000));
  EXPECT_TRUE(cli::check_size({"/dev/null", false}, 6'000'000'000));
}

TEST(Compute, SaysHowMuchItWouldWriteBeforeItComputes) {
  const test::TemporaryFolder folder;
  const ProcessResult result =
      run_attnscope_on(R"({"tokens": 30000, "heads": 1, "d_model": 2, "seed": 1})",
                       {"compute", "-", "-o", folder.file("out.json")});
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_NE(result.err.find("this would write about 10"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--force"), std::string::npos) << result.err;
}

TEST(Compute, ArraysThatNoDiskHoldsAreRefusedBeforeTheyAreBegun) {
  const test::TemporaryFolder folder;
  const ProcessResult result = run_attnscope_on(
      R"({"tokens": 3000000, "heads": 1, "d_model": 1, "seed": 1})",
      {"compute", "-", "--stage", "weights", "--force", "-o", folder.file("out.npy")});
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_NE(result.err.find("this would write 33 TiB"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("which are free"), std::string::npos) << result.err;
  EXPECT_EQ(bytes_in(folder.path()), 0U);
}

TEST(Compute, JsonNamesWhatTheLevelsOfItsListsAre) {
  const ParsedJson json = computed(
      {"example:four-heads", "--stage", "weights,head_mean,measures,distances", "--head", "3,1"});
  const ParsedJson& axes = json["axes"];
  EXPECT_EQ(axes["weights"],
            ParsedJson::parse(R"({"samples": [0], "layers": [0], "heads": [3, 1]})"));
  EXPECT_FALSE(axes["head_mean"].contains("heads")) << "no level of the list";
  EXPECT_EQ(axes["measures"]["measures"][0], "entropy");
  EXPECT_EQ(axes["measures"]["measures"].size(), json["measures"][0][0][0].size());
  EXPECT_EQ(axes["distances"]["distances"].size(), json["distances"][0][0][0].size());
}

TEST(Compute, NumbersThatChooseNothingAreRefused) {
  for (const auto& [stage, flag, why] :
       {std::array{"rollout", "--layer", "goes through all layers"},
        {"head_mean", "--head", "joins all heads"},
        {"concat", "--head", "joins all heads"}}) {
    const ProcessResult result =
        run_attnscope({"compute", "example:four-heads", "--stage", stage, flag, "0"});
    EXPECT_EQ(result.exit_code, 2) << stage;
    EXPECT_NE(result.err.find(std::string(flag) + " would change nothing"), std::string::npos);
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  }
  EXPECT_EQ(run_attnscope({"compute", "example:four-heads", "--stage", "rollout", "--head", "all",
                           "--layer", "all"})
                .exit_code,
            0);
}

TEST(Compute, AFormatThatIsNotKnownIsRefused) {
  const ProcessResult result = run_attnscope({"compute", "example:i-love-cats", "--format", "xyz"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("safetensors"), std::string::npos) << result.err;
}

TEST(Compute, TablesHaveTheTokensThemselvesAsNames) {
  const ProcessResult result = run_attnscope_on(
      R"json({"tokens": [" a", "l\nf", "", "=1+1", "q\"s"], "heads": 1, "d_model": 2, "seed": 1})json",
      {"compute", "-", "--format", "csv"});
  const std::string head = "query,\" a\",\"l\nf\",\"\",\"=1+1\",\"q\"\"s\"\n\" a\",";
  EXPECT_EQ(result.out.substr(0, head.size()), head) << result.err;
}

TEST(Compute, ACausalMaskIsWrittenBesideQueriesAndKeys) {
  const TemporaryFolder folder;
  const char* causal = R"({"tokens": ["a", "b", "c"], "d_model": 2, "seed": 1,
                           "mask": {"causal": true}})";
  const std::string file = folder.file("run.safetensors");
  ASSERT_EQ(run_attnscope_on(causal, {"compute", "-", "--stage", "q,k,v", "-o", file}).exit_code,
            0);
  EXPECT_EQ(computed({file})["weights"], computed({"-"}, causal)["weights"]);
}

TEST(Compute, MasksAreWrittenBesideQueriesAndKeys) {
  const TemporaryFolder folder;
  const std::string begin =
      R"({"tokens": [["a", "b", "c", "d"], ["e", "f", "g", "h"]], "d_model": 4,
                                "heads": 2, "seed": 1, "mask": )";
  std::size_t number = 0;
  for (const char* mask :
       {R"({"causal": true, "prefix": 2}})",
        R"({"causal": true, "window": [1, 0], "sink_tokens": 1}})",
        R"({"key_padding": [[true, true, true, true], [false, true, true, true]]}})",
        R"({"causal": true, "alibi": [0.5, 0.25]}})", R"({"key_lengths": [2, 3]}})",
        R"({"causal": true, "causal_offset": [1, -1]}})",
        R"({"visible": [[true, false, true, true], [true, true, true, true],
                        [true, true, true, true], [true, true, false, true]]}})"}) {
    const std::string file = folder.file(std::to_string(number++) + ".npz");
    const ProcessResult wrote =
        run_attnscope_on(begin + mask, {"compute", "-", "--stage", "q,k,v", "-o", file});
    ASSERT_EQ(wrote.exit_code, 0) << wrote.err;
    EXPECT_EQ(computed({file})["weights"], computed({"-"}, begin + mask)["weights"]) << mask;
  }
  const ProcessResult part = run_attnscope_on(
      begin + R"({"key_lengths": [2, 3]}})",
      {"compute", "-", "--stage", "q,k,v", "--sample", "1", "-o", folder.file("part.npz")});
  EXPECT_NE(part.err.find("the file is without the mask"), std::string::npos) << part.err;
}

// Output of with_progress on standard error while work reports a quarter and then ends once
// `messages` messages were written, however long that takes.
std::string said_meanwhile(bool quiet, int messages, double seconds) {
  testing::internal::CaptureStderr();
  cli::Console console;
  console.quiet = quiet;
  const auto work = [&](Progress* progress) {
    if (progress != nullptr) progress->report(0.25F);
    for (int i = 0; i < messages; ++i) {
      const off_t written = ::lseek(STDERR_FILENO, 0, SEEK_CUR);
      while (::lseek(STDERR_FILENO, 0, SEEK_CUR) == written) std::this_thread::yield();
    }
  };
  cli::run_with_progress(console, "Computing", work, {.first = seconds, .between = seconds});
  return testing::internal::GetCapturedStderr();
}

// The first of two messages may have been worded before the report.
TEST(Progress, IsSaidOffATerminalWhenWorkTakesLong) {
  EXPECT_EQ(said_meanwhile(false, 0, 3600.0), "");
  const std::string said = said_meanwhile(false, 2, 0.01);
  EXPECT_NE(said.find("attnscope: Computing 25 %"), std::string::npos) << said;
  EXPECT_EQ(said_meanwhile(true, 0, 0.01), "");
}

}  // namespace
}  // namespace attn
