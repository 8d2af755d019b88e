// Errors and notes of documents.
#include <gtest/gtest.h>

#include <string>

#include "document/load/read.h"
#include "documents.h"
#include "support/errors_of.h"

namespace attn {
namespace {

using test::read_ok;

TEST(Messages, KnowsWhatOthersCallKeys) {
  const auto meant = [](const std::string& key) {
    return test::errors_of(R"({"tokens": ["a"], ")" + key + R"(": 4})", "it").at(0).expected;
  };
  for (const char* key : {"num_heads", "num_attention_heads", "n_heads", "n_head", "NUM_HEADS"}) {
    EXPECT_EQ(meant(key), "\"heads\"") << key;
  }
  for (const char* key : {"hidden_size", "embed_dim", "d_embed"}) {
    EXPECT_EQ(meant(key), "\"d_model\"") << key;
  }
  for (const char* key : {"num_layers", "n_layers", "num_hidden_layers"}) {
    EXPECT_EQ(meant(key), "\"blocks\"") << key;
  }
  EXPECT_EQ(meant("query"), "\"q\"");
  EXPECT_EQ(meant("keys"), "\"k\"");
  EXPECT_EQ(meant("values"), "\"v\"");
  EXPECT_EQ(meant("attn_mask"), "\"mask\"");
  EXPECT_EQ(meant("attention_mask"), "\"mask\"");
  EXPECT_EQ(meant("headz"), "\"heads\"");
}

TEST(Messages, DescribesHalfOfASurrogatePairByItself) {
  for (const char* text : {R"(["\ud800ve"])", R"(["\ud800\u0041"])", R"(["\udc00"])"}) {
    const auto errors = test::errors_of(text, "it");
    ASSERT_EQ(errors.size(), 1U) << text;
    EXPECT_EQ(errors[0].message, "half of a surrogate pair");
    EXPECT_EQ(errors[0].found, std::string(text).substr(2, 6));
    EXPECT_EQ(errors[0].column, 3U);
  }
}

TEST(Messages, KnowsWhatOthersWriteThatIsNoJson) {
  const auto said = [](const std::string& text) {
    return test::errors_of(text, "it").at(0).message;
  };
  EXPECT_EQ(said("// two tokens\n[1]"), "JSON has no comments");
  EXPECT_EQ(said("# two tokens\n[1]"), "JSON has no comments");
  EXPECT_EQ(said("[+1]"), "this is not a number as JSON writes it");
  EXPECT_EQ(said("[.5]"), "this is not a number as JSON writes it");
  EXPECT_EQ(said("[*]"), "this is not JSON");
}

TEST(Messages, SaysWhatAnOptionOfTheViewTakes) {
  const auto refused = [](const std::string& option) {
    return test::errors_of(R"({"tokens": ["a"], "view": {)" + option + "}}", "it").at(0);
  };
  EXPECT_EQ(refused(R"("pooling": "median")").message, "unknown pooling");
  EXPECT_EQ(refused(R"("pooling": "median")").expected, "one of maximum, mean");
  EXPECT_EQ(refused(R"("residual": 7)").message, "residual cannot have this value");
  EXPECT_EQ(refused(R"("residual": 7)").expected, "a number from 0 to 1");
}

TEST(Messages, SaysWhyNumbersOfLayersDoNotFit) {
  const auto refused = [](const std::string& numbers) {
    return test::errors_of(R"({"tokens": ["a"], "axes": ["layer", "query", "key"],
        "attention": [[[1]], [[1]]], "layer_numbers": )" +
                               numbers + "}",
                           "it")
        .at(0);
  };
  for (const char* numbers : {"[3]", "[3, 7, 11]", "[3, 3]"}) {
    const Error error = refused(numbers);
    EXPECT_EQ(error.pointer, "/layer_numbers");
    EXPECT_EQ(error.message, "layers and their numbers do not match");
    EXPECT_EQ(error.expected, "2 different numbers");
  }
  EXPECT_EQ(refused("[3, 3]").found, "3, 3");
  for (const char* numbers : {"[-3, 7]", "[3.5, 7]", "\"3\"", "[]"}) {
    EXPECT_TRUE(refused(numbers).pointer.starts_with("/layer_numbers")) << numbers;
  }
}

TEST(Messages, NamesAllUnknownKeysOfALayout) {
  const auto errors = test::errors_of(
      R"({"tokens": ["a"], "layout": {"split": "right", "parts": [
          {"viev": {"plot": "heatmap"}, "shares": [1, 2]}, {"plot": "heatmap"}]}, "hedas": 2})",
      "it");
  std::vector<std::string> pointers;
  for (const Error& error : errors) pointers.push_back(error.pointer);
  EXPECT_EQ(pointers, (std::vector<std::string>{"/layout/parts/0/viev", "/layout/parts/0/shares",
                                                "/layout/parts/1/plot", "/hedas"}));
}

TEST(Messages, TellsWhereTheTextBreaksOffBeforeWhatWasRefused) {
  for (const char* text : {"[1 true]", "[-]", "[1,,2]", "[1] x", R"({"heads": "a", "b"})",
                           R"({"x": 1, "tokens": ["a"]} 2)", R"([1, "\x"])"}) {
    const auto errors = test::errors_of(text, "it");
    ASSERT_GE(errors.size(), 1U) << text;
    const bool is_syntax = errors[0].message.find("JSON") != std::string::npos ||
                           errors[0].message.find("follows the document") != std::string::npos;
    EXPECT_TRUE(is_syntax) << text << ": " << describe(errors[0]);
  }
  EXPECT_EQ(test::errors_of("[1 true]", "it").size(), 2U);
}

TEST(Messages, SaysWhichSettingsOfPositionsHaveNoEffect) {
  const auto note = [](const std::string& position) {
    return read_ok(R"({"q": [[1, 2]], "k": [[1, 2]], "v": [[1]], "position": {)" + position + "}}")
        .notes.at(0);
  };
  EXPECT_EQ(note(R"("kind": "rope", "factor": 2)"), "factor has no effect without a scaling");
  EXPECT_EQ(note(R"("kind": "rope", "scaling": "linear")"),
            "scaling has no effect without a factor other than 1");
  EXPECT_EQ(note(R"("rotary_dim": 2, "base": 3)"),
            "base, rotary_dim have no effect where the kind of position is none");
  EXPECT_EQ(read_ok(R"({"tokens": ["a"], "position": {"kind": "sinusoidal", "scaling": "ntk"}})")
                .notes.back(),
            "scaling has no effect where the kind of position is sinusoidal");
  EXPECT_TRUE(read_ok(R"({"q": [[1, 2]], "k": [[1, 2]], "v": [[1]],
      "position": {"kind": "rope", "scaling": "linear", "factor": 2, "rotary_dim": 2}})")
                  .notes.empty());
}

TEST(Messages, SaysWhichRangesOfColoursAreNoLongerOffered) {
  const auto read = [](const std::string& option) {
    return read_ok(R"({"tokens": ["a"], "view": {)" + option + "}}");
  };
  const auto old = read(R"("range": "percentile")");
  EXPECT_EQ(old.notes.front(), "range “percentile” is no longer offered: “auto” is used");
  EXPECT_EQ(panes_of(old.document.panes->layout).front()->view.options.range, ColorSpan::Automatic);
  for (const char* name : {"percentile", "beside_strongest"}) {
    const std::string option = R"("head_range": ")" + std::string(name) + "\"";
    EXPECT_EQ(read(option).notes.front(),
              "head range “" + std::string(name) + "” is no longer offered: “auto” is used");
  }
  EXPECT_FALSE(read(R"("range": "unit")").notes.front().ends_with("is used"));
}

TEST(Messages, SaysThatHiddenUnitsOfSimpleScoresHaveNoEffect) {
  EXPECT_EQ(read_ok(R"({"q": [[1]], "k": [[1]], "v": [[1]], "scoring": {"d_a": 3}})").notes.at(0),
            "d_a has no effect with scaled_dot scores, which have no hidden units");
}

TEST(Messages, SaysThatNormsAloneHaveNoEffect) {
  EXPECT_EQ(read_ok(R"({"tokens": ["a"], "norms": {"order": "pre"}})").notes.back(),
            "norms and dropout have no effect without blocks");
}

TEST(Messages, SaysThatDropoutIsNotApplied) {
  EXPECT_EQ(read_ok(R"({"tokens": ["a"], "blocks": 1, "dropout": 0.1})").notes.back(),
            "dropout 0.1 is only for training and is not applied");
  for (const std::string& note : read_ok(R"({"tokens": ["a"], "blocks": 1})").notes) {
    EXPECT_EQ(note.find("dropout"), note.npos) << note;
  }
}

TEST(Messages, SaysThatTokensBesideNoWindowAreNoSinks) {
  EXPECT_EQ(read_ok(R"({"q": [[1]], "k": [[1]], "v": [[1]], "mask": {"sink_tokens": 1}})").notes,
            (std::vector<std::string>{"sink_tokens have no effect without a window"}));
}

}  // namespace
}  // namespace attn
