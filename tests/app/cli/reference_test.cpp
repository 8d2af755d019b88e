// Differences from another document on the command line.
#include <gtest/gtest.h>

#include "base/files.h"
#include "support/process.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

constexpr const char* kA = R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.25, 0.75]]})";

class References : public testing::Test {
 protected:
  void SetUp() override {
    write("a.json", kA);
    write("b.json", R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.75, 0.25]]})");
    write("long.json", R"(["a", "b", "c"])");
  }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file_atomically(folder.file(name), text, Overwrite::Replace).ok());
  }
  ProcessResult difference(const std::string& name, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"export", folder.file(name), "--plot", "difference", "-o",
                                       "-",      "--format",        "svg"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_attnscope(arguments);
  }

  TemporaryFolder folder;
};

TEST_F(References, AreSubtractedByTheFlagOrByTheDocumentsOwnKey) {
  const ProcessResult flag = difference("a.json", {"--reference", folder.file("b.json")});
  EXPECT_EQ(flag.exit_code, 0) << flag.err;
  EXPECT_NE(flag.out.find("the same of b.json"), std::string::npos);
  EXPECT_NE(flag.out.find("2 of 3 cells differ"), std::string::npos);
  EXPECT_NE(flag.out.find("−0.500"), std::string::npos);
  write("own.json", R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.25, 0.75]],
                        "reference": "b.json"})");
  const ProcessResult own = difference("own.json");
  EXPECT_EQ(own.exit_code, 0) << own.err;
  EXPECT_NE(own.out.find("the same of b.json"), std::string::npos);
}

TEST_F(References, OfOtherExtentsAreRefusedWithBoth) {
  const ProcessResult refused = difference("a.json", {"--reference", folder.file("long.json")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("(2, 2) and (3, 3)"), std::string::npos) << refused.err;
}

TEST_F(References, ThatAreNotThereOrOfNoUseAreRefused) {
  EXPECT_EQ(difference("a.json", {"--reference", folder.file("none.json")}).exit_code, 3);
  const ProcessResult heatmap = run_attnscope(
      {"export", folder.file("a.json"), "-o", folder.file("x.svg"), "--reference", "b.json"});
  EXPECT_EQ(heatmap.exit_code, 2);
  EXPECT_NE(heatmap.err.find("--plot difference"), std::string::npos) << heatmap.err;
  EXPECT_EQ(difference("a.json").exit_code, 2) << "one head, and nothing to compare with";
}

TEST_F(References, ThatADocumentNamesAreNeverReplacedInSilence) {
  write("own.json", R"({"tokens": ["a", "b"], "reference": "gone.json",
    "attention": [[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [0.5, 0.5]]]})");
  const ProcessResult gone = difference("own.json");
  EXPECT_EQ(gone.exit_code, 2) << "two heads could be compared instead";
  EXPECT_TRUE(gone.out.empty());
  EXPECT_NE(gone.err.find("gone.json"), std::string::npos) << gone.err;
  EXPECT_NE(gone.err.find("choose another reference"), std::string::npos) << gone.err;
  EXPECT_EQ(difference("own.json", {"--minus", "document"}).exit_code, 0) << "asked for";
  EXPECT_EQ(difference("own.json", {"--reference", folder.file("b.json")}).exit_code, 0);
}

}  // namespace
}  // namespace attn
