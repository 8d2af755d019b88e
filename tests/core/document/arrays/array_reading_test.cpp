// Readings of arrays by names, shapes and words, without numbers.
#include "document/load/array_reading.h"

#include <gtest/gtest.h>

#include "base/joined.h"

namespace attn {
namespace {

using Names = std::vector<std::string>;

ArrayChoices choices_of(std::vector<ArrayFacts> arrays, ArrayMeanings usual) {
  return {std::move(arrays), std::move(usual)};
}

ArrayChoices attention_of(const Shape& shape) {
  ArrayMeanings usual;
  usual.attention = {"attn"};
  return choices_of({{"attn", "float32", shape}}, usual);
}

ArrayChoices rows_of(const Shape& q, const Shape& k) {
  ArrayMeanings usual;
  usual.q = {"q"};
  usual.k = {"k"};
  return choices_of({{"q", "float32", q}, {"k", "float32", k}}, usual);
}

// The axes of all readings by the words, "head,token,feature", or why there is none.
Names axes_of(ArrayChoices choices, const std::string& words = "") {
  const Result<ArrayWords> parsed = parse_array_words(words);
  if (!parsed) return {describe(parsed.error())};
  const Result<std::vector<ArrayReading>> readings = array_readings(choices, *parsed);
  if (!readings) return {describe(readings.error())};
  Names axes;
  for (const ArrayReading& reading : *readings)
    axes.push_back(joined(reading.laid.front().axes, ","));
  return axes;
}

bool asks(ArrayChoices choices) {
  choices.fitting = *array_readings(choices, {});
  return choices.is_ambiguous();
}

TEST(ArrayReadings, OfAttentionAreUsualByDepth) {
  EXPECT_EQ(axes_of(attention_of({3, 4})), Names{"query,key"});
  EXPECT_EQ(axes_of(attention_of({2, 4, 4})).front(), "head,query,key");
  EXPECT_EQ(axes_of(attention_of({2, 3, 4, 4})).front(), "layer,head,query,key");
  EXPECT_EQ(axes_of(attention_of({2, 2, 3, 4, 4})), Names{"layer,sample,head,query,key"});
  EXPECT_FALSE(asks(attention_of({12, 12, 30, 30}))) << "layers, as documented";
  EXPECT_NE(axes_of(attention_of({4})).front().find("number of axes"), std::string::npos);
}

TEST(ArrayReadings, AskAboutACube) {
  EXPECT_TRUE(asks(attention_of({4, 4, 4})));
  EXPECT_EQ(axes_of(attention_of({4, 4, 4}))[1], "query,head,key");
  EXPECT_FALSE(asks(attention_of({3, 4, 4})));
  EXPECT_FALSE(asks(attention_of({1, 1, 1}))) << "the same either way";
}

TEST(ArrayReadings, AskWhetherFourAxesBeginWithSamplesOrLayers) {
  const ArrayChoices deep = rows_of({2, 200, 5, 8}, {2, 200, 5, 8});
  EXPECT_TRUE(asks(deep));
  EXPECT_EQ(axes_of(deep), (Names{"sample,token,head,feature", "layer,token,head,feature"}))
      << "nobody has 200 heads of 5 tokens";
  EXPECT_EQ(axes_of(rows_of({1, 200, 5, 8}, {1, 200, 5, 8})), Names{"sample,token,head,feature"});
}

TEST(ArrayReadings, AskWhetherHeadsOrTokensComeFirst) {
  EXPECT_TRUE(asks(rows_of({4, 10, 8}, {4, 10, 8})));
  EXPECT_EQ(axes_of(rows_of({512, 12, 64}, {512, 12, 64})).front(), "token,head,feature");
  EXPECT_FALSE(asks(rows_of({512, 12, 64}, {512, 12, 64})));
  EXPECT_EQ(axes_of(rows_of({1, 32, 128}, {50, 8, 128})), Names{"token,head,feature"})
      << "50 heads of keys cannot serve 1 of queries";
}

TEST(ArrayReadings, FollowListsOfTokens) {
  ArrayChoices rows = rows_of({4, 10, 8}, {4, 10, 8});
  rows.tokens = 4;
  EXPECT_EQ(axes_of(rows), Names{"token,head,feature"});
  rows.tokens = 10;
  EXPECT_EQ(axes_of(rows).front(), "head,token,feature");
  ArrayChoices deep = rows_of({2, 4, 10, 8}, {2, 4, 10, 8});
  deep.tokens = 10;
  deep.samples = 2;
  EXPECT_EQ(axes_of(deep), Names{"sample,head,token,feature"});
}

TEST(ArrayReadings, TakeTheAxesThatWordsGive) {
  EXPECT_EQ(axes_of(attention_of({4, 4, 4}), "axes=query,head,key"), Names{"query,head,key"});
  EXPECT_EQ(
      axes_of(rows_of({4, 10, 8}, {10, 4, 8}), "axes=head,query,feature k.axes=key,head,feature"),
      Names{"head,token,feature"});
  EXPECT_NE(axes_of(attention_of({4, 4, 4}), "axes=query,heads,key").front().find("no axes of"),
            std::string::npos);
  EXPECT_NE(axes_of(attention_of({4, 4, 4}), "axes=query,query,key").front().find("different"),
            std::string::npos);
  EXPECT_NE(axes_of(rows_of({4, 10, 8}, {4, 9, 7})).front().find("the axis feature"),
            std::string::npos);
}

TEST(ArrayReadings, CutHeadsOutOfTheLastAxis) {
  const ArrayChoices flat = rows_of({2, 10, 96}, {2, 10, 32});
  const auto parsed = parse_array_words("heads=12 axes=sample,token,head,feature");
  const auto readings = array_readings(flat, *parsed);
  ASSERT_TRUE(readings.ok()) << describe(readings.error());
  EXPECT_EQ(readings->front().laid[0].shape, (Shape{2, 10, 12, 8}));
  EXPECT_EQ(readings->front().laid[1].shape, (Shape{2, 10, 4, 8})) << "4 heads of keys, as wide";
  EXPECT_EQ(axes_of(flat, "heads=12").front(), "sample,token,head,feature");
  EXPECT_NE(axes_of(flat, "heads=7").front().find("cannot be cut into heads"), std::string::npos);
  EXPECT_NE(axes_of(flat, "heads=0").front().find("no number of heads"), std::string::npos);
}

TEST(ArrayWordsTest, AreReadAndWritten) {
  for (const char* text : {"", "axes=head,query,key q=layers.*.q", "tokens=", R"(q=a\ b\,c\\)"}) {
    const Result<ArrayWords> words = parse_array_words(text);
    ASSERT_TRUE(words.ok()) << text;
    EXPECT_EQ(array_words_text(*words), text);
  }
  EXPECT_EQ(parse_array_words(R"(q=a\ b\,c)")->at("q"), Names{"a b,c"});
  EXPECT_FALSE(parse_array_words("queries=q"));
  EXPECT_FALSE(parse_array_words("attention"));
}

TEST(ArrayWordsTest, ChooseArraysByNameAndPattern) {
  ArrayMeanings usual;
  usual.attention = {"a"};
  const ArrayChoices choices = choices_of({{"a", "float32", {2, 2}},
                                           {"层.10.得分", "float32", {3, 3}},
                                           {"层.9.得分", "float32", {3, 3}},
                                           {"ids", "int64", {3}}},
                                          usual);
  const auto named = [&](const std::string& words) {
    return names_in_words(choices, *parse_array_words(words));
  };
  EXPECT_EQ(named("attention=层.*.得分")->attention, (Names{"层.9.得分", "层.10.得分"}));
  EXPECT_EQ(named("tokens=ids")->ids, Names{"ids"}) << "numbers are no texts";
  EXPECT_TRUE(named("q=a k=a")->attention.empty());
  const auto unknown = named("attention=aa");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().expected.find("a, 层.*.得分, ids"), std::string::npos);
  EXPECT_EQ(array_patterns(choices.arrays), (Names{"a", "层.*.得分", "ids"}));
  const auto readings = array_readings(choices, *parse_array_words("attention=层.*.得分"));
  ASSERT_TRUE(readings.ok());
  EXPECT_EQ(readings->front().sentence,
            "2 layers of 3 × 3, attention from 2 arrays from “层.9.得分” to “层.10.得分”");
}

}  // namespace
}  // namespace attn
