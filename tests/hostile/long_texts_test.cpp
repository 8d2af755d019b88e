// Texts of any length in files: messages quote their ends, figures and the window show the
// beginning.
#include <gtest/gtest.h>

#include <ctime>

#include "base/files.h"
#include "base/joined.h"
#include "base/json.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "document/tensors/array_file.h"
#include "engine/compute.h"
#include "export/provenance.h"
#include "session/figure_file.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

const std::string kLong(1'000'000, 'q');
constexpr std::size_t kMostSaid = 20'000;

// Files that are refused, or read with a note, in which something is endless.
std::vector<std::pair<std::string, std::string>> files_with_long_texts() {
  const std::string numbers = test::bytes_of<float>({1, 0, 0.5, 0.5});
  const auto array = [&](const std::string& name) {
    return "\"" + name + R"(": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]})";
  };
  const auto noted = [&](const std::string& note) {
    const std::string quoted = Json(note).dump();
    return test::safetensors(
        "{\"__metadata__\": {\"attnscope\": " + quoted + "}, " + array("attention") + "}", numbers);
  };
  return {
      {"mask.safetensors", noted(R"({"mask": {"file": ")" + kLong + "\"}}")},
      {"title.safetensors", noted(R"({"title": ")" + kLong + "\"}")},
      {"type.safetensors",
       test::safetensors(R"({"a": {"dtype": ")" + kLong + R"(", "shape": [0]}})", "")},
      {"name.safetensors", test::safetensors("{" + array(kLong.substr(0, 60'000)) + "}", numbers)},
      {"key.json", "{\"" + kLong + "\": 1}"},
      {"value.json", R"({"tokens": ["a"], "position": ")" + kLong + "\"}"},
      {"file.json", R"({"attention": {"file": ")" + kLong + "\"}}"},
      {"array.json", R"({"attention": {"file": "name.safetensors", "array": ")" + kLong + "\"}}"},
      {"reference.json", R"({"tokens": ["a"], "reference": ")" + kLong + "\"}"},
      {"descr.npy", test::npy("<" + std::string(60'000, 'q'), "(1,)", "")},
      {"twice.gguf", test::gguf({{kLong.substr(0, 60'000), {1}, 0, "abcd"},
                                 {kLong.substr(0, 60'000), {1}, 0, "abcd"}})}};
}

TEST(LongText, IsQuotedByItsEnds) {
  const test::TemporaryFolder folder;
  for (const auto& [name, bytes] : files_with_long_texts()) {
    ASSERT_TRUE(write_file_atomically(folder.file(name), bytes, Overwrite::Replace).ok());
  }
  for (const auto& [name, bytes] : files_with_long_texts()) {
    for (const char* verb : {"validate", "info", "compute"}) {
      const test::ProcessResult said = test::run_attnscope({verb, folder.file(name)});
      EXPECT_LT(said.err.size(), kMostSaid) << verb << " " << name;
      EXPECT_GE(said.exit_code, 0) << said.err.substr(0, 500);
      EXPECT_LT(said.exit_code, 128) << verb << " " << name;
    }
    const test::ProcessResult json = test::run_attnscope({"validate", "--json", folder.file(name)});
    EXPECT_LT(json.out.size(), 2 * kMostSaid) << name;
  }
}

TEST(LongText, OfATitleIsDrawnFromItsBeginningAndSaysSo) {
  std::string text = R"({"tokens": ["a", "b"], "title": ")" + kLong + "\"}";
  const Result<Reading> reading = read_document(text, "long.json");
  ASSERT_TRUE(reading.ok());
  EXPECT_EQ(reading->document.title, kLong) << "as it is written back";
  EXPECT_NE(joined(reading->notes).find("the title has 1,000,000 characters"), std::string::npos)
      << joined(reading->notes);
  const ResultPtr result = compute(make_problem(reading->document)).value();
  for (const char* plot : {"heatmap", "flow", "heads", "token"}) {
    const auto figure = figure_for_file(reading->document, result,
                                        {.plot = plot, .options = {}, .export_options = {}});
    ASSERT_TRUE(figure.ok()) << describe(figure.error());
    EXPECT_LT(figure->title.size(), 2'000U);
  }
}

TEST(LongText, OfARecordIsReadInLinearTime) {
  std::string record;
  for (int i = 0; i < 1'000'000; ++i) record += "&lt;&amp;";
  const std::string svg = "<svg><metadata id=\"AttnScope\">" + record + "</metadata></svg>";
  const std::clock_t before = std::clock();
  EXPECT_EQ(provenance_in(svg), std::nullopt);
  EXPECT_LT(std::clock() - before, 5 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace attn
