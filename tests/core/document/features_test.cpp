// Names of features: read, refused, written, shown along every axis that has them, edited, kept.
#include <gtest/gtest.h>

#include <algorithm>

#include "document/edit.h"
#include "document/edit/structure.h"
#include "document/json/write.h"
#include "documents.h"

namespace attn {
namespace {

using test::read_error;
using test::read_ok;
using Labels = std::vector<std::string>;

// Two heads of d_k 2 and d_v 3 on embeddings of width 4.
const std::string kLayer = R"({"tokens": ["a", "b"], "d_model": 4, "heads": 2, "projections": {
  "w_v": [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]]})";
const std::string kQkv = R"({"q": [[1, 2, 3]], "k": [[1, 2, 3]], "v": [[1, 2]])";

Document with_names(const std::string& start, const std::string& features) {
  return read_ok(start + R"(, "features": )" + features + "}").document;
}

Error refused_names(const std::string& start, const std::string& features) {
  return read_error(start + R"(, "features": )" + features + "}");
}

Labels columns(const Document& document, const std::string& tensor) {
  return column_labels(document, {tensor, {}}).texts();
}

Labels rows(const Document& document, const std::string& tensor) {
  return row_labels(document, {tensor, {}}).texts();
}

Document after_rename(const Document& document, FeatureAxis axis, std::size_t column,
                      const std::string& name) {
  const Result<Document> renamed = with_feature_renamed(document, axis, column, name);
  EXPECT_TRUE(renamed.ok());
  return renamed.ok() ? *renamed : Document{};
}

Document restructured(const Document& document, const Structure& wanted) {
  const Result<Restructured> change = with_structure(document, wanted);
  EXPECT_TRUE(change.ok()) << (change.ok() ? "" : describe(change.error()));
  return change.ok() ? change->document : Document{};
}

TEST(Features, AreNamesOfTheColumnsOfAnExtent) {
  const Document document = with_names(kLayer, R"({"d_model": ["animal", "", "plural"],
      "d_k": ["what", "where"], "d_v": ["", "", "cat"]})");
  EXPECT_EQ(*document.features.name_of(FeatureAxis::Model, 2), "plural");
  EXPECT_EQ(document.features.name_of(FeatureAxis::Model, 1), nullptr);
  EXPECT_EQ(document.features.name_of(FeatureAxis::Model, 3), nullptr);
  EXPECT_EQ(document.features.of(FeatureAxis::Value).size(), 1U);
}

TEST(Features, AreShownByEveryTensorThatHasTheExtent) {
  const Document document = with_names(kLayer, R"({"d_model": ["animal", "", "plural"],
      "d_k": ["what", "where"], "d_v": ["", "", "cat"]})");
  const Labels model{"animal", "2", "plural", "4"};
  EXPECT_EQ(columns(document, "/embeddings"), model);
  EXPECT_EQ(rows(document, "/projections/w_q"), model);
  EXPECT_EQ(rows(document, "/projections/w_v"), model);
  EXPECT_EQ(columns(document, "/projections/w_o"), model);
  EXPECT_EQ(rows(document, "/embeddings"), (Labels{"a", "b"}));
  EXPECT_EQ(columns(document, "/projections/w_k"),
            (Labels{"h1 what", "h1 where", "h2 what", "h2 where"}));
  EXPECT_EQ(rows(document, "/projections/w_o"), (Labels{"1", "2", "h1 cat", "4", "5", "h2 cat"}));
}

TEST(Features, OfOneHeadNameNoHead) {
  const Document document = with_names(kQkv, R"({"d_k": ["x"], "d_v": ["", "y"]})");
  EXPECT_EQ(columns(document, "/q"), (Labels{"x", "2", "3"}));
  EXPECT_EQ(columns(document, "/k"), (Labels{"x", "2", "3"}));
  EXPECT_EQ(columns(document, "/v"), (Labels{"1", "y"}));
}

TEST(Features, OfHiddenUnitsAreThoseOfNetworks) {
  const Document document = with_names(R"({"tokens": ["a"], "d_model": 2, "blocks": 1)",
                                       R"({"d_ff": ["edge"], "d_model": ["animal"]})");
  EXPECT_EQ(columns(document, "/blocks/0/feed_forward/w_1")[0], "edge");
  EXPECT_EQ(rows(document, "/blocks/0/feed_forward/w_2")[0], "edge");
  EXPECT_EQ(columns(document, "/blocks/0/feed_forward/w_2")[0], "animal");
}

// Widths that differ are other columns, whatever both are called.
TEST(Features, OfAnotherWidthHaveNone) {
  const Document other =
      with_names(R"({"query_embeddings": [[1, 2]], "key_embeddings": [[1, 2, 3]], "heads": 1)",
                 R"({"d_model": ["animal"]})");
  EXPECT_EQ(columns(other, "/query_embeddings"), (Labels{"animal", "2"}));
  EXPECT_EQ(columns(other, "/key_embeddings"), (Labels{"1", "2", "3"}));
  const Document same =
      with_names(R"({"query_embeddings": [[1, 2]], "key_embeddings": [[1, 2]], "heads": 1)",
                 R"({"d_model": ["animal"]})");
  EXPECT_EQ(columns(same, "/key_embeddings"), (Labels{"animal", "2"}));
}

TEST(Features, SharedHeadsAreCalledByTheirOwnNumber) {
  const Document document = with_names(
      R"({"tokens": ["a"], "d_model": 4, "heads": 4, "kv_heads": 2)", R"({"d_k": ["x"]})");
  EXPECT_EQ(columns(document, "/projections/w_q"), (Labels{"h1 x", "h2 x", "h3 x", "h4 x"}));
  EXPECT_EQ(columns(document, "/projections/w_k"), (Labels{"kv1 x", "kv2 x"}));
}

TEST(Features, ABareListIsOfTheEmbeddingsOrElseOfOneHead) {
  EXPECT_EQ(with_names(kLayer, R"(["animal"])").features,
            with_names(kLayer, R"({"d_model": ["animal"]})").features);
  EXPECT_EQ(with_names(kQkv, R"(["x", "y"])").features,
            with_names(kQkv, R"({"d_k": ["x", "y"]})").features);
}

TEST(Features, ThatNameNothingAreNotSaved) {
  for (const char* none : {"[]", "{}", R"({"d_model": [""], "d_k": []})", R"(["", ""])"}) {
    const Document document = with_names(kLayer, none);
    EXPECT_TRUE(document.features.none()) << none;
    EXPECT_EQ(write_document(document).find("features"), std::string::npos) << none;
  }
}

TEST(Features, AreWrittenAsAnObjectAndReadBack) {
  const Document document = with_names(kLayer, R"({"d_v": ["", "Ġ\"cat\"\n"], "d_k": ["猫", ""]})");
  const std::string text = write_document(document);
  EXPECT_NE(
      text.find("\"features\": {\n    \"d_k\": [\"猫\"],\n    \"d_v\": [\"\", \"Ġ\\\"cat\\\"\\n\"]"
                "\n  }"),
      std::string::npos)
      << text;
  EXPECT_EQ(read_ok(text).document, document);
  EXPECT_EQ(write_document(read_ok(text).document), text);
}

TEST(Features, OfTooManyColumnsAreRefused) {
  const Error many = refused_names(kLayer, R"({"d_k": ["a", "b", "c"]})");
  EXPECT_EQ(many.pointer, "/features/d_k");
  EXPECT_EQ(many.message, "there are more names than columns");
  EXPECT_EQ(many.found, "3 names");
  EXPECT_EQ(many.expected, "at most 2, as d_k is");
  EXPECT_EQ(many.line, 2U);
  EXPECT_EQ(refused_names(kQkv, R"(["a", "b", "c", "d"])").pointer, "/features/d_k");
}

TEST(Features, OfAnExtentThatIsNotThereAreRefused) {
  const Error missing = refused_names(kQkv, R"({"d_model": ["a"]})");
  EXPECT_EQ(missing.pointer, "/features/d_model");
  EXPECT_EQ(missing.message, "the document has no d_model to name");
  EXPECT_EQ(refused_names(R"({"attention": [[1]])", R"(["a"])").message,
            "the document has no d_k to name");
  EXPECT_EQ(refused_names(kLayer, R"({"d_ff": ["a"]})").message,
            "the document has no d_ff to name");
}

TEST(Features, OfAnotherFormAreRefused) {
  EXPECT_EQ(refused_names(kQkv, "7").message, "features are neither a list nor an object");
  EXPECT_EQ(refused_names(kQkv, R"({"d_k": [7]})").pointer, "/features/d_k/0");
  EXPECT_EQ(refused_names(kQkv, R"({"d_key": ["a"]})").message, "unknown key");
}

TEST(Features, AreRenamedWithoutTouchingAnythingElse) {
  const Document before = with_names(kLayer, R"({"d_model": ["animal"]})");
  const Document after = after_rename(before, FeatureAxis::Key, 1, "where");
  EXPECT_EQ(columns(after, "/projections/w_q")[3], "h2 where");
  Document back = after_rename(after, FeatureAxis::Key, 1, "");
  EXPECT_EQ(back, before);
  back = after_rename(after_rename(before, FeatureAxis::Model, 0, "x"), FeatureAxis::Model, 0,
                      "animal");
  EXPECT_EQ(back, before);
}

TEST(Features, ThatCannotBeRenamedSayWhy) {
  const Document document = with_names(kLayer, "[]");
  EXPECT_EQ(with_feature_renamed(document, FeatureAxis::Key, 2, "x").error().expected,
            "one of 2 columns, counted from 0");
  EXPECT_FALSE(with_feature_renamed(document, FeatureAxis::Hidden, 0, "x").ok());
  const auto refused = with_feature_renamed(document, FeatureAxis::Key, 0, "a\xff");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "the name is not valid UTF-8");
  EXPECT_EQ(refused.error().found, "the byte 255 at offset 1");
}

TEST(Features, OfColumnsThatStayStay) {
  const Document before =
      with_names(kLayer, R"({"d_model": ["a", "b", "c", "d"], "d_k": ["x", "y"], "d_v": ["z"]})");
  Structure wanted = structure_of(before);
  wanted.d_model = 2;
  wanted.d_k = 1;
  const Document narrow = restructured(before, wanted);
  EXPECT_EQ(columns(narrow, "/embeddings"), (Labels{"a", "b"}));
  EXPECT_EQ(columns(narrow, "/projections/w_q"), (Labels{"h1 x", "h2 x"}));
  EXPECT_EQ(narrow.features.of(FeatureAxis::Value).size(), 1U);
  wanted.d_model = 6;
  wanted.d_k = 3;
  const Document wide = restructured(before, wanted);
  EXPECT_EQ(wide.features, before.features);
  EXPECT_EQ(columns(wide, "/embeddings"), (Labels{"a", "b", "c", "d", "5", "6"}));
}

TEST(Features, OfAnotherKindKeepWhatItHas) {
  const Document before = with_names(kLayer, R"({"d_model": ["a"], "d_k": ["x"], "d_v": ["z"]})");
  Structure wanted = structure_of(before);
  wanted.kind = &GivenQkv::kInfo;
  const Document qkv = restructured(before, wanted);
  EXPECT_TRUE(qkv.features.of(FeatureAxis::Model).empty());
  EXPECT_EQ(columns(qkv, "/q"), (Labels{"x", "2"}));
  wanted.kind = &GivenWeights::kInfo;
  EXPECT_TRUE(restructured(before, wanted).features.none());
}

TEST(Features, OfAModelChosenOtherwiseKeepWhatItHas) {
  const Document cells = with_names(
      R"({"query_tokens": ["a"], "key_tokens": ["b"], "d_model": 2, "recurrent": {"hidden": 4})",
      R"({"d_k": ["a", "b", "c"]})");
  const auto& model = std::get<RecurrentModel>(cells.model);
  RecurrentChoice choice{model.recurrent.cell, model.recurrent.asks, false, 2, true};
  const Result<Document> narrow = with_choice(cells, choice);
  ASSERT_TRUE(narrow.ok()) << describe(narrow.error());
  EXPECT_EQ(narrow->features.of(FeatureAxis::Key).size(), 2U);
}

TEST(Features, ShareTheirNamesWithCopies) {
  FeatureNames names;
  names.set(FeatureAxis::Model, std::vector<std::string>(1000, "a long name of its own"));
  const FeatureNames copy = names;
  EXPECT_EQ(copy.of(FeatureAxis::Model).data(), names.of(FeatureAxis::Model).data());
  names.rename(FeatureAxis::Key, 3, "x");
  EXPECT_NE(copy, names);
  EXPECT_EQ(copy.of(FeatureAxis::Model).data(), names.of(FeatureAxis::Model).data());
}

}  // namespace
}  // namespace attn
