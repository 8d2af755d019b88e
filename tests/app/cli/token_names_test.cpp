// Tokens that flags name by their texts.
#include <gtest/gtest.h>

#include "base/files.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

void put(const std::string& path, const std::string& text) {
  ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
}

// A folder with a document, and the SVG that a call makes of it, without its record.
struct Exports {
  TemporaryFolder folder{};

  explicit Exports(const std::string& document) { put(folder.file("a.json"), document); }

  ProcessResult call(std::vector<std::string> options) const {
    std::vector<std::string> all{"export", folder.file("a.json"), "-o", folder.file("x.svg"), "-f"};
    all.insert(all.end(), options.begin(), options.end());
    return run_attnscope(all);
  }
  std::string svg(const std::vector<std::string>& options) const {
    const ProcessResult result = call(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string text = test::read_text(folder.file("x.svg"));
    const std::size_t first = text.find("<metadata"), end = text.find("</metadata>");
    return first == text.npos ? text : text.substr(0, first) + text.substr(end);
  }
  void expect_same(const std::vector<std::string>& a, const std::vector<std::string>& b) const {
    EXPECT_TRUE(svg(a) == svg(b)) << a.back() << " and " << b.back();
  }
  void expect_refused(const std::vector<std::string>& options, const std::string& words) const {
    const ProcessResult result = call(options);
    EXPECT_EQ(result.exit_code, 2) << options.back();
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err << "\nlacks " << words;
  }
};

constexpr const char* kSentence =
    R"({"tokens": ["The", "Ġcat", "Ġsat", ",", "Ġit", "Ġslept", "Ġit", "7", "it#2x"],
        "blocks": 1, "heads": 1, "d_model": 4})";

TEST(TokenNames, AreTextsInAllSpellings) {
  const Exports exports(kSentence);
  for (const char* name :
       {"cat", " cat", "Ġcat", "␣cat", "query cat", "query 1", "1", "\"cat\"", "cat#1"}) {
    exports.expect_same({"--plot", "token", "--token", "query 1"},
                        {"--plot", "token", "--token", name});
  }
  exports.expect_same({"--plot", "links", "--token", "key 6"},
                      {"--plot", "links", "--token", "key it#2"});
  exports.expect_same({"--plot", "token", "--token", "query 7"},
                      {"--plot", "token", "--token", "\"7\""});
  exports.expect_same({"--plot", "token", "--token", "query 7"},
                      {"--plot", "token", "--token", "7"});
  exports.expect_same({"--plot", "token", "--token", "query 8"},
                      {"--plot", "token", "--token", "it#2x"});
}

TEST(TokenNames, AreCellsPartsAndFirstTokens) {
  const Exports exports(kSentence);
  exports.expect_same({"--pin", "6,1"}, {"--pin", "it#2,cat"});
  exports.expect_refused({"--part", "8,8,2,2"}, "reaches beyond the matrix");
  exports.expect_refused({"--part", "0,0,9,10"}, "a part within 9 rows and 9 columns");
  exports.expect_same({"--plot", "why", "--pin", "6,3"}, {"--plot", "why", "--pin", "it#2,3"});
  exports.expect_same({"--pin", "2,7"}, {"--pin", "sat,\"7\""});
  exports.expect_same({"--part", "1,2,3,4"}, {"--part", "cat,sat,3,4"});
  exports.expect_same({"--part", "2,1,3,2", "--stage", "q"},
                      {"--part", "sat,1,3,2", "--stage", "q"});
  exports.expect_same({"--plot", "links", "--first-query", "2"},
                      {"--plot", "links", "--first-query", "sat"});
  exports.expect_same({"--layout", "links token=query 2 | heatmap part=2,2,3,3"},
                      {"--layout", "links token=sat | heatmap part=sat,sat,3,3"});
}

TEST(TokenNames, ThatAreNotThereOrSeveralAreRefusedWithPlaces) {
  const Exports exports(kSentence);
  exports.expect_refused({"--plot", "token", "--token", "it"},
                         "it#1 (query 4), it#2 (query 6), counted from 0");
  exports.expect_refused({"--pin", "it,cat"}, "it#1 (query 4), it#2 (query 6)");
  exports.expect_refused({"--pin", "cat,it"}, "it#1 (key 4), it#2 (key 6)");
  exports.expect_refused({"--plot", "token", "--token", "cta"}, "cat#1 (query 1)");
  exports.expect_refused({"--plot", "token", "--token", "it#3"}, "it#2 (query 6)");
  exports.expect_refused({"--plot", "links", "--first-key", "slep"}, "slept#1 (key 5)");
  exports.expect_refused({"--plot", "token", "--token", "query 99"}, "names no token");
  exports.expect_refused({"--plot", "links", "--token", "99"}, "names no token");
  exports.expect_refused({"--pin", "cat"}, "--pin cannot have this value");
  exports.expect_refused({"--pin", "cat,99"}, "there is no cell cat,99");
}

TEST(TokenNames, ATokenThatIsWrittenSoWins) {
  const Exports exports(R"({"tokens": ["it", "it", "it#2", "\"it\"", "key it"], "blocks": 1})");
  exports.expect_same({"--pin", "2,0"}, {"--pin", "it#2,it#1"});
  exports.expect_same({"--plot", "token", "--token", "query 3"},
                      {"--plot", "token", "--token", "\"it\""});
  exports.expect_refused({"--plot", "token", "--token", "key it"}, "it#1 (key 0), it#2 (key 1)");
}

constexpr const char* kTwoSides =
    R"({"query_tokens": ["ich", "bin", "it"], "key_tokens": ["I", "am", "it", "am"],
        "attention": [[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1], [0.25, 0.25, 0.25, 0.25]]})";

TEST(TokenNames, AreThoseOfTheirSide) {
  const Exports exports(kTwoSides);
  exports.expect_same({"--pin", "1,0"}, {"--pin", "bin,I"});
  exports.expect_same({"--plot", "links", "--token", "key 0"}, {"--plot", "links", "--token", "I"});
  exports.expect_same({"--plot", "links", "--token", "query 1"},
                      {"--plot", "links", "--token", "bin"});
  exports.expect_same({"--plot", "links", "--token", "key 2"},
                      {"--plot", "links", "--token", "key it"});
  exports.expect_refused({"--plot", "links", "--token", "it"}, "it#1 (query 2), it#1 (key 2)");
  exports.expect_refused({"--pin", "I,bin"}, "(query ");
}

TEST(TokenNames, OfTokensWithoutNamesAreNumbers) {
  const Exports exports(R"({"query_tokens": ["a", "b"], "key_tokens": {"count": 4},
                            "attention": [[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]]})");
  exports.expect_same({"--pin", "1,3"}, {"--pin", "b,3"});
  exports.expect_refused({"--pin", "b,c"}, "numbers 0 to 3, counted from 0");
}

TEST(TokenNames, AreLookedUpInEachFile) {
  const TemporaryFolder folder;
  put(folder.file("a.json"), R"({"tokens": ["it", "sat"], "blocks": 1})");
  put(folder.file("b.json"), R"({"tokens": ["so", "then", "it"], "blocks": 1})");
  const std::string out = folder.file("{name}.svg");
  const ProcessResult both = run_attnscope({"export", folder.file("a.json"), folder.file("b.json"),
                                            "--plot", "token", "--token", "it", "-o", out});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  const ProcessResult one = run_attnscope({"export", folder.file("a.json"), folder.file("b.json"),
                                           "--plot", "token", "--token", "then", "-o", out, "-f"});
  EXPECT_NE(one.exit_code, 0);
  EXPECT_NE(one.err.find("a.json"), std::string::npos) << one.err;
  EXPECT_NE(one.err.find("1 of 2"), std::string::npos) << one.err;
}

TEST(Counting, IsFromZeroInNotesOfTheCommandLine) {
  const TemporaryFolder folder;
  put(folder.file("a.json"), R"({"tokens": ["a", "b"], "attention":
      [[[0.5, 0.5], [0.5, 0.5]], [[1, 0], [0.5, 0.4]]]})");
  put(folder.file("b.json"), R"({"tokens": ["a", "b"], "attention":
      [[[0.5, 0.5], [0.5, 0.5]], [[1, 0], [0.5, 0.5]]]})");
  const ProcessResult one = run_attnscope({"validate", folder.file("a.json")});
  EXPECT_NE(one.out.find("(worst, counted from 0: head 1, query 1 sums to 0.9)"), std::string::npos)
      << one.out;
  const ProcessResult two =
      run_attnscope({"compare", folder.file("a.json"), folder.file("b.json")});
  EXPECT_NE(two.out.find("head 1, row 1 b, column 1 b (counted from 0)"), std::string::npos)
      << two.out << two.err;
  EXPECT_NE(two.err.find("counted from 0: head 1, query 1 sums"), std::string::npos) << two.err;
}

}  // namespace
}  // namespace attn
