// attnscope compare, and matrices of all names that compute writes as tables and arrays.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "support/process.h"

namespace attn {
namespace {

using ParsedJson = nlohmann::json;
using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

constexpr const char* kQkv = R"({"tokens": ["I", "love", "cats"], "q": [[1, 0], [0, 1], [1, 1]],
  "k": [[1, 0], [0, 1], [1, 1]], "v": [[1, 2], [3, 4], [5, 6]])";

class CompareTest : public testing::Test {
 protected:
  std::string document(const std::string& name, const std::string& more) const {
    const std::string path = folder_.file(name);
    EXPECT_TRUE(write_file_atomically(path, kQkv + more + "}", Overwrite::Replace).ok());
    return path;
  }

  const TemporaryFolder folder_;
  const std::string plain_ = document("plain.json", "");
  const std::string causal_ = document("causal.json", R"(, "mask": {"causal": true})");
};

TEST_F(CompareTest, EqualDocumentsDifferNowhere) {
  const ProcessResult result = run_attnscope({"compare", plain_, plain_, "--tolerance", "0"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("No number differs."), std::string::npos) << result.out;
}

TEST_F(CompareTest, ShowsWhatDiffersAndNamesWhatIsEqual) {
  const ProcessResult equal = run_attnscope({"compare", plain_, plain_});
  EXPECT_NE(equal.out.find("\n\nEqual: q, k, v, "), std::string::npos) << equal.out;
  EXPECT_EQ(equal.out.find("largest"), std::string::npos) << equal.out;
  const ProcessResult result = run_attnscope({"compare", plain_, causal_});
  EXPECT_NE(result.out.find("\nEqual: q, k, v.\n"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("\nq "), std::string::npos) << result.out;
  const ProcessResult json = run_attnscope({"compare", plain_, causal_, "--json"});
  EXPECT_EQ(ParsedJson::parse(json.out).at("compared").at(0).at("stage"), "q");
}

// Compares documents that differ only where both masks, or one of them, hide cells.
TEST_F(CompareTest, CellsThatBothMasksHideCountInNoStage) {
  const auto pair = [&](const std::string& mask_a, const std::string& mask_b,
                        const std::string& k) {
    const auto put = [&](const char* name, const std::string& keys, const std::string& mask) {
      const std::string path = folder_.file(name);
      const std::string text = R"({"tokens": ["a", "b"], "q": [[1], [0]], "k": )" + keys +
                               R"(, "mask": {)" + mask + "}}";
      EXPECT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
      return path;
    };
    return std::pair(put("a.json", "[[0], [0]]", mask_a), put("b.json", k, mask_b));
  };
  const auto compared = [&](const std::pair<std::string, std::string>& files, const char* stage) {
    return run_attnscope(
        {"compare", files.first, files.second, "--stage", stage, "--tolerance", "0.1", "--json"});
  };
  const std::string causal = R"("causal": true)";
  const std::string window = R"("window": [1, 0])", visible = R"("visible": [[1, 0], [1, 1]])";
  for (const std::string& mask : {causal, window, visible}) {
    for (const char* stage : {"scores", "scaled", "masked", "weights"}) {
      const ProcessResult result = compared(pair(mask, mask, "[[0], [5]]"), stage);
      EXPECT_EQ(result.exit_code, 0) << stage << result.out;
      EXPECT_EQ(ParsedJson::parse(result.out)["compared"][0]["cells"], 3) << stage;
    }
  }
  for (const char* stage : {"scores", "scaled"}) {
    const ProcessResult result = compared(pair(causal, "", "[[0], [5]]"), stage);
    const ParsedJson of_stage = ParsedJson::parse(result.out)["compared"][0];
    EXPECT_EQ(result.exit_code, 3) << "one of them shows it";
    EXPECT_EQ(of_stage["hidden_in_one"], 1) << stage;
    EXPECT_EQ(of_stage["largest"], 5.0) << stage;
  }
  EXPECT_EQ(compared(pair(causal, causal, "[[5], [0]]"), "scores").exit_code, 3);
}

constexpr const char* kHybrid = R"({"tokens": ["a", "b"], "axes": ["layer", "query", "key"],
  "layer_numbers": [3, 7, 11], "attention": [[[1, 0], [0, 1]], [[1, 0], [1, 0]],
  [[1, 0], [0.5, 0.5]]]})";

TEST_F(CompareTest, LayersAreChosenAndNamedByTheNumbersTheyHave) {
  const std::string hybrid = folder_.file("hybrid.json"), part = folder_.file("part.npz");
  ASSERT_TRUE(write_file_atomically(hybrid, kHybrid, Overwrite::Replace).ok());
  const auto out = [](std::vector<std::string> call) {
    const ProcessResult result = run_attnscope(std::move(call));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  EXPECT_EQ(out({"compute", hybrid, "--layer", "11,3", "-o", "-", "--format", "csv"}),
            "layer,query,a,b\n11,a,1,0\n11,b,0.5,0.5\n3,a,1,0\n3,b,0,1\n");
  out({"compute", hybrid, "--layer", "7,11", "-o", part});
  const ParsedJson read = ParsedJson::parse(out({"info", part, "--measures", "--json"}));
  EXPECT_EQ(read.at("layer_numbers"), (std::vector<int>{7, 11}));
  EXPECT_EQ(read.at("measures").at(1).at("layer"), 11);
  out({"compute", hybrid, "--stage", "rollout", "-o", part, "--force"});
  EXPECT_FALSE(ParsedJson::parse(out({"info", part, "--json"})).contains("layer_numbers"));
  std::string other = kHybrid;
  other.replace(other.find("[1, 0], [1, 0]"), 14, "[1, 0], [0, 1]");
  ASSERT_TRUE(write_file_atomically(part, other, Overwrite::Replace).ok());
  const std::string compared = out({"compare", hybrid, part, "--stage", "weights"});
  EXPECT_NE(compared.find("weights, layer 7, row 1 b"), std::string::npos) << compared;
  const ProcessResult none = run_attnscope({"compute", hybrid, "--layer", "1", "-o", "-"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("all, or 3, 7, 11"), std::string::npos) << none.err;
}

TEST_F(CompareTest, NamesTheFarthestCellAndFailsBeyondTheTolerance) {
  const std::vector<std::string> call{"compare", plain_, causal_, "--stage", "weights"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), call.begin(), call.end());
    return run_attnscope(std::move(more));
  };
  const ProcessResult plain = with({});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_NE(plain.out.find("row 0 I, column 0 I"), std::string::npos) << plain.out;
  EXPECT_NE(plain.out.find("hides 3 of the cells"), std::string::npos) << plain.out;
  EXPECT_EQ(with({"--tolerance", "1"}).exit_code, 0);
  const ProcessResult above = with({"--tolerance", "0.1"});
  EXPECT_EQ(above.exit_code, 3);
  EXPECT_NE(above.out.find("above the tolerance of 0.1"), std::string::npos) << above.out;
  const ParsedJson json = ParsedJson::parse(with({"--json"}).out);
  const ParsedJson& one = json.at("compared").at(0);
  EXPECT_EQ(one.at("stage"), "weights");
  EXPECT_EQ(one.at("changed"), 6);
  EXPECT_EQ(one.at("largest_divergence"), "inf");
  EXPECT_EQ(json.at("largest"), one.at("largest"));
}

TEST_F(CompareTest, NumbersOfADifferenceOfHeads) {
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"export", "example:four-heads", "--plot", "difference", "--head",
                               "2", "--format", "csv", "-o", "-", "-q"});
    return run_attnscope(more);
  };
  const ProcessResult itself = with({"--minus-head", "2"}), other = with({"--minus-head", "0"});
  EXPECT_EQ(itself.exit_code, 0) << itself.err;
  const std::string cells = itself.out.substr(itself.out.find('\n'));
  EXPECT_EQ(cells.find_first_of("123456789."), cells.npos) << cells;
  EXPECT_NE(other.out, itself.out);
  EXPECT_EQ(with({}).out, with({"--minus-head", "3"}).out) << "the next head, as in the figure";
}

// Masks that differ are reported though −∞ has no distance, and each cell is counted once.
TEST_F(CompareTest, MasksThatDifferAreAboveAnyTolerance) {
  const ProcessResult masked =
      run_attnscope({"compare", plain_, causal_, "--stage", "masked", "--tolerance", "0"});
  EXPECT_EQ(masked.exit_code, 3) << masked.out;
  EXPECT_NE(masked.out.find("No number differs that both masks show"), std::string::npos);
  const ProcessResult all = run_attnscope({"compare", plain_, causal_});
  EXPECT_NE(all.out.find("hides 3 of the cells"), std::string::npos) << all.out;
}

TEST_F(CompareTest, RefusesDocumentsOfOtherSizes) {
  const std::string other = folder_.file("other.json");
  ASSERT_TRUE(
      write_file_atomically(other, R"({"attention": [[0.5, 0.5], [0, 1]]})", Overwrite::Replace)
          .ok());
  const ProcessResult result = run_attnscope({"compare", plain_, other});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("different shapes"), std::string::npos) << result.err;
  EXPECT_EQ(run_attnscope({"compare", plain_}).exit_code, 2);
  EXPECT_EQ(run_attnscope({"compare", plain_, causal_, "--tolerance", "x"}).exit_code, 2);
}

TEST_F(CompareTest, ComputeWritesDerivedMatricesMeasuresAndDistances) {
  const auto table = [&](const std::string& name, const std::string& file) {
    const ProcessResult result =
        run_attnscope({"compute", file, "--stage", name, "--format", "csv", "-q"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  EXPECT_EQ(table("rollout", causal_).substr(0, 29), "query,I,love,cats\nI,1,0,0\nlov");
  EXPECT_EQ(table("head_mean", causal_), table("weights", causal_));
  EXPECT_TRUE(table("measures", plain_).starts_with("entropy,normalised_entropy,"));
  const std::string distances = table("distances", causal_);
  EXPECT_TRUE(distances.starts_with("\"-2\",\"-1\",\"0\",\"1\",\"2\"\nnan,nan,")) << distances;
  const ProcessResult unknown = run_attnscope({"compute", plain_, "--stage", "rolout"});
  EXPECT_EQ(unknown.exit_code, 2);
}

TEST_F(CompareTest, ComputeSubtractsAReference) {
  const ProcessResult result = run_attnscope(
      {"compute", causal_, "--reference", causal_, "--stage", "weights", "--format", "csv", "-q"});
  EXPECT_EQ(result.out, "query,I,love,cats\nI,0,0,0\nlove,0,0,0\ncats,0,0,0\n") << result.err;
  const ProcessResult other = run_attnscope(
      {"compute", causal_, "--reference", plain_, "--stage", "scores", "--format", "csv", "-q"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
}

// Heads 0 to 3 share one key head in A, and two in B.
TEST_F(CompareTest, AReferenceIsReadAtItsOwnKeyHeads) {
  const auto keys = [&](const std::string& name, const std::string& k) {
    const std::string path = folder_.file(name), q = "[[[1]], [[1]], [[1]], [[1]]]";
    const std::string text =
        R"({"tokens": ["a"], "q": )" + q + R"(, "k": )" + k + R"(, "v": )" + k + "}";
    EXPECT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
    return path;
  };
  const std::string one = keys("one.json", "[[[5]]]"), two = keys("two.json", "[[[1]], [[3]]]");
  const ProcessResult result = run_attnscope(
      {"compute", one, "--reference", two, "--stage", "k", "--head", "3", "--format", "csv", "-q"});
  EXPECT_EQ(result.out, "key,\"0\"\na,2\n") << result.err;
}

}  // namespace
}  // namespace attn
