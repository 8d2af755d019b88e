// Readings of arrays by names, shapes and words, and the evidence for each of them.
#include "document/load/array_reading.h"

#include <gtest/gtest.h>

#include "base/joined.h"
#include "document/load/evidence.h"

namespace attn {
namespace {

using Names = std::vector<std::string>;

ArrayChoices choices_with(std::vector<ArrayFacts> arrays) {
  ArrayChoices choices = choices_of(std::move(arrays));
  choices.usual = meanings_of(choices);
  return choices;
}

ArrayChoices attention_of(const Shape& shape, const std::string& name = "attn") {
  return choices_with({{name, "float32", shape}});
}

ArrayChoices rows_of(const Shape& q, const Shape& k, const std::string& before = "") {
  return choices_with({{before + "q", "float32", q}, {before + "k", "float32", k}});
}

// The axes of all readings that fit the words, "head,token,feature", or the reason why there is
// none.
Names axes_of(const ArrayChoices& choices, const std::string& words = "") {
  const Result<ArrayWords> parsed = parse_array_words(words);
  if (!parsed) return {describe(parsed.error())};
  const Result<std::vector<ArrayReading>> readings = array_readings(choices, *parsed);
  if (!readings) return {describe(readings.error())};
  Names axes;
  for (const ArrayReading& reading : *readings)
    axes.push_back(joined(reading.layouts.front().axes, ","));
  return axes;
}

std::string first_axes(const ArrayChoices& choices) { return axes_of(choices).front(); }

constexpr int kNoSuchReading = -1000;

// Points of the reading with these axes.
int points(const ArrayChoices& choices, const std::string& axes) {
  const Result<std::vector<ArrayReading>> readings = array_readings(choices, {});
  for (const ArrayReading& reading : *readings) {
    if (joined(reading.layouts.front().axes, ",") == axes) return reading.points;
  }
  return kNoSuchReading;
}

bool is_certain(ArrayChoices choices) {
  choices.fitting = *array_readings(choices, {});
  return choices.is_certain();
}

TEST(ArrayReadings, OfAttentionAreUsualByDepth) {
  EXPECT_EQ(axes_of(attention_of({3, 4})), (Names{"query,key", "head,key", "sample,key"}));
  EXPECT_EQ(first_axes(attention_of({2, 4, 4})), "head,query,key");
  EXPECT_EQ(first_axes(attention_of({2, 3, 4, 4})), "layer,head,query,key");
  EXPECT_EQ(first_axes(attention_of({2, 2, 3, 4, 4})), "layer,sample,head,query,key");
  EXPECT_EQ(axes_of(attention_of({2, 1, 2, 3, 4, 4})).front(), "layer,sample,head,query,key");
  EXPECT_NE(axes_of(attention_of({4})).front().find("number of axes"), std::string::npos);
  EXPECT_NE(first_axes(attention_of({2, 2, 2, 2, 4, 4})).find("number of axes"), std::string::npos);
}

TEST(ArrayReadings, ThatGiveTheSameDocumentAreOne) {
  EXPECT_EQ(axes_of(attention_of({1, 1, 1})).size(), 1U);
  EXPECT_EQ(axes_of(attention_of({1, 5, 5})), (Names{"sample,query,key", "query,head,key"}));
  EXPECT_EQ(axes_of(rows_of({1, 200, 5, 8}, {1, 200, 5, 8})).size(), 2U);
}

TEST(Evidence, OfOneListOfTokensIsAsManyQueriesOrKeys) {
  ArrayChoices rows = rows_of({4, 10, 8}, {4, 10, 8});
  const int before = points(rows, "token,head,feature");
  rows.tokens.all = 4;
  EXPECT_EQ(points(rows, "token,head,feature"), before + 8) << "both sides have four tokens";
  EXPECT_EQ(first_axes(rows), "token,head,feature");
  EXPECT_TRUE(is_certain(rows));
  rows.tokens.all = 10;
  EXPECT_EQ(points(rows, "token,head,feature"), before - 6);
  EXPECT_EQ(first_axes(rows), "head,token,feature");
  ArrayChoices across = attention_of({4, 10, 7});
  const int one = points(across, "head,query,key");
  across.tokens.all = 7;
  EXPECT_EQ(points(across, "head,query,key"), one + 6) << "one side has them";
}

TEST(Evidence, OfTwoListsIsBothOrNothing) {
  ArrayChoices across = attention_of({4, 10, 7});
  const int before = points(across, "head,query,key");
  across.tokens.queries = 10;
  across.tokens.keys = 7;
  EXPECT_EQ(points(across, "head,query,key"), before + 6);
  EXPECT_EQ(points(across, "query,head,key"), -8);
  across.tokens.queries = 4;
  EXPECT_EQ(first_axes(across), "query,head,key");
}

TEST(Evidence, OfSamplesIsInListsIdsAndMasksOfPadding) {
  ArrayChoices maps = attention_of({3, 5, 5});
  EXPECT_EQ(first_axes(maps), "head,query,key");
  maps.tokens = {.all = 5, .lists = 3};
  EXPECT_EQ(first_axes(maps), "sample,query,key");
  EXPECT_TRUE(is_certain(maps));
  maps.tokens.lists = 1;
  EXPECT_EQ(points(maps, "sample,query,key"), points(maps, "head,query,key") - 2)
      << "one list speaks against more samples";
  const auto beside = [](const std::string& name, const Shape& shape) {
    return first_axes(choices_with({{"attn", "float32", {3, 5, 5}}, {name, "int64", shape}}));
  };
  EXPECT_EQ(beside("attention_mask", {3, 5}), "sample,query,key");
  EXPECT_EQ(beside("src_key_padding_mask", {3, 5}), "sample,query,key");
  EXPECT_EQ(beside("special_tokens_mask", {3, 5}), "head,query,key") << "it is no such mask";
  EXPECT_EQ(beside("attention_mask", {5, 5}), "head,query,key") << "a square says nothing";
}

TEST(Evidence, OfAnAxisOfOneIsThatOfSamples) {
  const ArrayChoices esm = attention_of({1, 6, 4, 7, 7});
  EXPECT_EQ(first_axes(esm), "sample,layer,head,query,key");
  EXPECT_FALSE(is_certain(esm)) << "five axes need more";
  EXPECT_EQ(first_axes(attention_of({2, 6, 4, 7, 7})), "layer,sample,head,query,key");
  EXPECT_EQ(first_axes(attention_of({6, 1, 4, 7, 7})), "layer,sample,head,query,key");
}

TEST(Evidence, OfSquaresPrefersThem) {
  EXPECT_EQ(points(attention_of({4, 6, 6}), "head,query,key"),
            points(attention_of({4, 7, 6}), "head,query,key") + 3);
  EXPECT_EQ(first_axes(attention_of({6, 3, 6})), "query,head,key");
}

ArrayChoices with_rows(const Shape& shape, const RowFacts& rows,
                       const std::string& type = "float32") {
  return choices_with({{"attn", type, shape, rows}});
}

RowFacts blank_rows(std::size_t axes) {
  RowFacts rows;
  rows.sum_to_one = true;
  rows.is_triangle.assign(axes, false);
  rows.differs_along.assign(axes, std::nullopt);
  rows.columns.assign(axes, 0);
  return rows;
}

TEST(Evidence, OfATriangleTellsTheQueries) {
  RowFacts rows = blank_rows(2);
  const int before = points(with_rows({6, 6, 6}, rows), "query,head,key");
  rows.is_triangle[0] = true;
  EXPECT_EQ(points(with_rows({6, 6, 6}, rows), "query,head,key"), before + 5);
  EXPECT_EQ(first_axes(with_rows({6, 6, 6}, rows)), "query,head,key");
  rows.sum_to_one = false;
  EXPECT_EQ(points(with_rows({6, 6, 6}, rows), "query,head,key"), before)
      << "rows that are not finished say nothing";
}

TEST(Evidence, OfColumnsOfZeroTellsTheSamples) {
  RowFacts rows = blank_rows(3);
  const Shape shape{2, 3, 5, 5};
  const int before = points(with_rows(shape, rows), "head,sample,query,key");
  rows.differs_along[2] = 1;
  EXPECT_EQ(points(with_rows(shape, rows), "head,sample,query,key"), before + 5);
  EXPECT_EQ(first_axes(with_rows(shape, rows)), "head,sample,query,key");
  EXPECT_EQ(points(with_rows(shape, rows, "float16"), "head,sample,query,key"), before)
      << "small numbers vanish in halves";
  RowFacts one = blank_rows(2);
  const int plain = points(with_rows({4, 5, 5}, one), "sample,query,key");
  one.differs_along[1] = 0;
  EXPECT_EQ(points(with_rows({4, 5, 5}, one), "sample,query,key"), plain + 2);
  EXPECT_FALSE(is_certain(with_rows({4, 5, 5}, one))) << "heads have such columns, too";
}

TEST(Evidence, OfAMaskIsItsShape) {
  const auto beside = [](const Shape& mask) {
    return choices_with(
        {{"q", "float32", {2, 5, 4}}, {"k", "float32", {2, 5, 4}}, {"attn_mask", "bool", mask}});
  };
  const int before = points(rows_of({2, 5, 4}, {2, 5, 4}), "head,token,feature");
  EXPECT_EQ(points(beside({5, 5}), "head,token,feature"), before + 7);
  EXPECT_EQ(points(beside({2, 2}), "head,token,feature"), before - 6);
  EXPECT_EQ(first_axes(beside({2, 2})), "token,head,feature");
}

TEST(Evidence, OfNamesIsHowLibrariesLayArrays) {
  const auto first = [](const std::string& q, const std::string& k, const Shape& shape) {
    return first_axes(choices_with({{q, "float32", shape}, {k, "float32", shape}}));
  };
  EXPECT_EQ(first("hook_q", "hook_k", {2, 9, 3, 4}), "sample,token,head,feature");
  EXPECT_EQ(first("Qcur-0", "Kcur-0", {9, 3, 4}), "token,head,feature");
  EXPECT_EQ(first("query_states", "key_states", {2, 9, 3, 4}), "sample,head,token,feature");
  EXPECT_EQ(first("query", "key", {2, 9, 3, 4}), "sample,token,head,feature");
  EXPECT_EQ(first("query", "key", {2, 3, 9, 4}), "sample,head,token,feature");
  EXPECT_EQ(first("q", "k", {2, 9, 3, 4}), "sample,head,token,feature");
  EXPECT_EQ(first_axes(attention_of({2, 3, 5, 5}, "attn_output_weights")), "sample,head,query,key");
  EXPECT_EQ(first_axes(attention_of({2, 3, 5, 5}, "attentions")), "layer,head,query,key");
  EXPECT_EQ(first_axes(attention_of({2, 4, 3, 9}, "encoder_attention")), "sample,query,head,key");
  EXPECT_EQ(first_axes(attention_of({2, 3, 9, 9}, "decoder_self_attn")), "head,sample,query,key");
  EXPECT_EQ(first_axes(attention_of({2, 3, 5, 5})), "layer,head,query,key");
}

TEST(Evidence, AgainstUnlikelyAxes) {
  EXPECT_EQ(first_axes(rows_of({512, 12, 64}, {512, 12, 64})), "token,head,feature")
      << "512 heads are improbable";
  EXPECT_EQ(first_axes(rows_of({64, 12, 64}, {64, 12, 64})), "head,token,feature");
  const ArrayChoices maps = attention_of({3, 5, 4});
  EXPECT_EQ(points(maps, "layer,query,key"), points(maps, "head,query,key") - 2);
  EXPECT_EQ(points(maps, "query,head,key"), points(maps, "head,query,key") - 2);
  const ArrayChoices deep = attention_of({2, 3, 5, 4});
  EXPECT_EQ(points(deep, "layer,sample,query,key"), points(deep, "sample,head,query,key") - 2);
  EXPECT_EQ(points(deep, "head,sample,query,key"), points(deep, "sample,head,query,key") - 1);
}

TEST(ArrayReadings, OfRowsAgreeWithEachOther) {
  EXPECT_EQ(first_axes(rows_of({1, 32, 128}, {50, 8, 128})), "token,head,feature")
      << "50 heads of keys cannot serve 1 of queries";
  EXPECT_NE(first_axes(rows_of({4, 10, 8}, {4, 9, 7})).find("the axis feature"), std::string::npos);
}

TEST(ArrayReadings, TakeTheAxesThatWordsGive) {
  EXPECT_EQ(axes_of(attention_of({4, 4, 4}), "axes=query,head,key"), Names{"query,head,key"});
  EXPECT_EQ(axes_of(attention_of({4, 4}), "axes=head,key"), Names{"head,key"});
  EXPECT_EQ(
      axes_of(rows_of({4, 10, 8}, {10, 4, 8}), "axes=head,query,feature k.axes=key,head,feature"),
      Names{"head,token,feature"});
  EXPECT_NE(axes_of(attention_of({4, 4, 4}), "axes=query,heads,key").front().find("no axes of"),
            std::string::npos);
  EXPECT_NE(axes_of(attention_of({4, 4, 4}), "axes=query,query,key").front().find("different"),
            std::string::npos);
}

TEST(ArrayReadings, CutHeadsOutOfTheLastAxis) {
  const ArrayChoices flat = rows_of({2, 10, 96}, {2, 10, 32});
  const auto parsed = parse_array_words("heads=12 axes=sample,token,head,feature");
  const auto readings = array_readings(flat, *parsed);
  ASSERT_TRUE(readings.ok()) << describe(readings.error());
  EXPECT_EQ(readings->front().layouts[0].shape, (Shape{2, 10, 12, 8}));
  EXPECT_EQ(readings->front().layouts[1].shape, (Shape{2, 10, 4, 8})) << "4 heads of keys, as wide";
  EXPECT_EQ(axes_of(flat, "heads=12").front(), "sample,token,head,feature");
  EXPECT_NE(axes_of(flat, "heads=7").front().find("cannot be cut into heads"), std::string::npos);
  EXPECT_NE(axes_of(flat, "heads=0").front().find("not a number of heads"), std::string::npos);
}

TEST(ArrayWordsTest, AreReadAndWritten) {
  for (const char* text :
       {"", "axes=head,query,key q=layers.*.q", "tokens=", R"(q=a\ b\,c\\)", "hidden=a mask="}) {
    const Result<ArrayWords> words = parse_array_words(text);
    ASSERT_TRUE(words.ok()) << text;
    EXPECT_EQ(array_words_text(*words), text);
  }
  EXPECT_EQ(parse_array_words(R"(q=a\ b\,c)")->at("q"), Names{"a b,c"});
  EXPECT_FALSE(parse_array_words("queries=q"));
  EXPECT_FALSE(parse_array_words("attention"));
  EXPECT_EQ(arrays_flag({{"mask", {"m"}}}), "--arrays mask=m");
  EXPECT_EQ(arrays_flag({{"attention", {"it's_*"}}}), R"(--arrays 'attention=it'\''s_*')");
}

TEST(ArrayWordsTest, ChooseArraysByNameAndPattern) {
  const ArrayChoices choices = choices_with({{"a", "float32", {2, 2}},
                                             {"层.10.得分", "float32", {3, 3}},
                                             {"层.9.得分", "float32", {3, 3}},
                                             {"ids", "int64", {3}}});
  const auto named = [&](const std::string& words) {
    return names_in_words(choices, *parse_array_words(words));
  };
  EXPECT_EQ(named("attention=层.*.得分")->attention, (Names{"层.9.得分", "层.10.得分"}));
  EXPECT_EQ(named("tokens=ids")->ids, Names{"ids"}) << "numbers are no texts";
  EXPECT_TRUE(named("q=a k=a")->attention.empty());
  const auto unknown = named("attention=aa");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().expected.find("a, 层.*.得分, ids"), std::string::npos);
  const auto readings = array_readings(choices, *parse_array_words("attention=层.*.得分"));
  ASSERT_TRUE(readings.ok());
  EXPECT_EQ(readings->front().sizes(), "2 layers of 3 × 3");
}

}  // namespace
}  // namespace attn
