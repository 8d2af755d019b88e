// --leave-out: figures and numbers without some tokens, and the record of it.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/json.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;

constexpr const char* kPair =
    R"({"tokens": ["[CLS]", "the", "cat", "[SEP]", "it", "[SEP]"], "blocks": 2, "heads": 2,
        "d_model": 8, "seed": 5})";

struct LeavingOut {
  test::TemporaryFolder folder{};

  explicit LeavingOut(const std::string& document) {
    EXPECT_TRUE(write_file_atomically(folder.file("a.json"), document, Overwrite::Replace).ok());
  }
  ProcessResult call(const std::string& command, const std::vector<std::string>& options) const {
    std::vector<std::string> all{command, folder.file("a.json")};
    all.insert(all.end(), options.begin(), options.end());
    return run_attnscope(all);
  }
  // Weights of a call as rows.
  Json weights(const std::string& tokens) const {
    const ProcessResult result = call(
        "compute", {"--leave-out", tokens, "--stage", "weights", "--layer", "1", "--head", "0"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out);
  }
};

TEST(LeaveOut, RenormalisesRowsOfNumbersAndFigures) {
  const LeavingOut pair(kPair);
  for (const auto& [tokens, left] : {std::pair("special", 3U),
                                     {"first", 5U},
                                     {"cat,0", 4U},
                                     {"[SEP]#2", 5U},
                                     {"[SEP]", 4U},
                                     {"special,first,0", 3U}}) {
    const std::string text = pair.weights(tokens).dump();
    const ProcessResult csv = pair.call("export", {"--leave-out", tokens, "--format", "npy", "-o",
                                                   pair.folder.file(std::string("w.npy")), "-f"});
    EXPECT_EQ(csv.exit_code, 0) << csv.err;
    const ProcessResult info = run_attnscope({"info", pair.folder.file("w.npy")});
    const std::string shape = std::to_string(left) + ", " + std::to_string(left);
    EXPECT_NE(info.out.find(shape), std::string::npos) << info.out << text;
    EXPECT_NE(csv.err.find("rows renormalised"), std::string::npos) << csv.err;
  }
}

TEST(LeaveOut, IsSaidInTheFigureAndItsCallMakesItAgain) {
  const LeavingOut pair(kPair);
  const std::string figure = pair.folder.file("x.svg");
  ASSERT_EQ(pair.call("export", {"--leave-out", "special", "-o", figure}).exit_code, 0);
  const std::string svg = test::read_text(figure);
  EXPECT_NE(svg.find("Without the tokens"), std::string::npos);
  EXPECT_NE(svg.find("--leave-out special"), std::string::npos);
  const ProcessResult info = run_attnscope({"info", figure});
  EXPECT_NE(info.out.find("--leave-out special"), std::string::npos) << info.out;
  ASSERT_EQ(pair.call("export", {"--leave-out", "special", "-o", figure, "-f"}).exit_code, 0);
  EXPECT_EQ(test::read_text(figure), svg);
}

TEST(LeaveOut, LeavesOutKeysOfCrossAttentionAndQueriesByName) {
  const LeavingOut cross(R"({"query_tokens": ["a", "b"], "key_tokens": ["<s>", "x", "y"],
                             "attention": [[0.5, 0.25, 0.25], [0.2, 0.8, 0]]})");
  const auto svg = [&](const std::string& tokens) {
    const std::string figure = cross.folder.file("x.svg");
    EXPECT_EQ(cross.call("export", {"--leave-out", tokens, "-o", figure, "-f"}).exit_code, 0);
    return test::read_text(figure);
  };
  EXPECT_NE(svg("first").find("2 queries (rows) by 2 keys"), std::string::npos);
  EXPECT_NE(svg("special,query a").find("1 query (rows) by 2 keys"), std::string::npos);
}

// Samples may have the tokens at different places, if each has the same number.
TEST(LeaveOut, LooksInEverySample) {
  const LeavingOut two(R"({"tokens": [["[CLS]", "dogs", "bark"], ["cats", "[CLS]", "meow"]],
                           "blocks": 1, "heads": 1, "d_model": 4})");
  const std::string figure = two.folder.file("x.svg");
  ASSERT_EQ(two.call("export", {"--leave-out", "special", "--sample", "1", "-o", figure}).exit_code,
            0);
  const std::string svg = test::read_text(figure);
  EXPECT_NE(svg.find("meow"), std::string::npos);
  EXPECT_EQ(svg.find(">[CLS]"), std::string::npos);
  const ProcessResult result =
      two.call("export", {"--leave-out", "dogs", "-o", two.folder.file("y.svg")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("in sample 2"), std::string::npos) << result.err;
}

TEST(LeaveOut, RefusesWhatIsNotThere) {
  const LeavingOut plain(R"({"tokens": ["a", "b"], "blocks": 1, "heads": 1, "d_model": 4})");
  for (const auto& [tokens, words] : {std::pair("special", "finds no special token"),
                                      {"cat", "names no token"},
                                      {"0,1", "no token is left"},
                                      {"7", "names no token"}}) {
    const ProcessResult result =
        plain.call("export", {"--leave-out", tokens, "-o", plain.folder.file("x.svg")});
    EXPECT_EQ(result.exit_code, 2) << tokens;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(plain.folder.file("x.svg"))) << tokens;
  }
}

}  // namespace
}  // namespace attn
