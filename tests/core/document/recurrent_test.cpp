// Documents with a recurrent encoder–decoder: reading, refusing, writing and changing them.
#include <gtest/gtest.h>

#include <algorithm>

#include "document/edit.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {
namespace {

const std::string kTokens = R"("query_tokens": ["x", "y", "z"], "key_tokens": ["a", "b"])";

Result<Reading> read(const std::string& recurrent, const std::string& more = "") {
  return read_document("{" + kTokens + ", \"recurrent\": " + recurrent + more + "}", "doc");
}

Document document_with(const std::string& recurrent, const std::string& more = "") {
  const Result<Reading> report = read(recurrent, more);
  EXPECT_TRUE(report) << describe(report.error());
  return report ? report->document : Document{};
}

const Recurrent& model_of(const Document& document) {
  return std::get<RecurrentModel>(document.model).recurrent;
}

TEST(RecurrentDocument, GeneratesEverythingFromAnEmptyObject) {
  const Document document = document_with("{}");
  const AttentionShape shape = shape_of(document);
  EXPECT_EQ(shape.n_q, 3U);
  EXPECT_EQ(shape.n_k, 2U);
  EXPECT_EQ(shape.d_k, 16U);
  EXPECT_EQ(shape.d_out, 16U);
  EXPECT_EQ(model_of(document).decoder.w_x.shape(), (Shape{16 + 16, 3 * 16}));
  EXPECT_EQ(document.scoring.function, ScoringFunction::Additive);
  EXPECT_TRUE(compute(make_problem(document)));
}

TEST(RecurrentDocument, TakesWidthsFromWhatIsAskedFor) {
  const Document document = document_with(
      R"({"cell": "lstm", "bidirectional": true, "hidden": 3, "d_out": 5})", R"(, "d_model": 4)");
  EXPECT_EQ(model_of(document).encoder.w_x.shape(), (Shape{4, 12}));
  EXPECT_EQ(model_of(document).backward.w_h.shape(), (Shape{3, 12}));
  EXPECT_EQ(model_of(document).decoder.w_x.shape(), (Shape{4 + 6, 12}));
  EXPECT_EQ(model_of(document).w_output.shape(), (Shape{3 + 6, 5}));
  EXPECT_TRUE(model_of(document).w_initial.empty());
}

// Cells of different widths need a map from one to the other.
TEST(RecurrentDocument, GeneratesTheInitialMapWhereStatesDifferInWidth) {
  const Document document = document_with(
      R"({"hidden": 3, "decoder": {"w_h": [[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]]}})");
  EXPECT_EQ(model_of(document).w_initial.shape(), (Shape{3, 2}));
}

TEST(RecurrentDocument, TurnsMatricesOfPyTorchRound) {
  const std::string given = R"({"cell": "gru", "hidden": 1, "order": "out_in",
    "encoder": {"w_x": [[1, 2], [3, 4], [5, 6]], "b_x": [7, 8, 9]}})";
  const Document document = document_with(given);
  EXPECT_EQ(model_of(document).encoder.w_x, Tensor({2, 3}, {1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(shape_of(document).key_width, 2U);
}

// The width of the context must be known before embeddings are generated.
TEST(RecurrentDocument, GeneratesEmbeddingsForMatricesTurnedRound) {
  const Document document = document_with(R"({"order": "out_in",
    "encoder": {"w_h": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]]},
    "decoder": {"w_x": [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7]]}})");
  EXPECT_EQ(shape_of(document).d_model, 5U);
  EXPECT_EQ(shape_of(document).d_k, 2U);
}

TEST(RecurrentDocument, ComesBackAsItWasWritten) {
  for (const char* recurrent :
       {"{}", R"({"cell": "lstm", "asks": "current", "w_output": null})",
        R"({"bidirectional": true, "hidden": 2, "encoder": {"b_x": [1, 2, 3, 4, 5, 6]}})"}) {
    const Document document = document_with(recurrent);
    const Result<Reading> again = read_document(write_document(document), "doc");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(again->document, document) << recurrent;
  }
  // The default of such documents is another function than that of all others.
  Document dot = document_with(R"({"hidden": 2})", R"(, "scoring": {"function": "scaled_dot"})");
  EXPECT_EQ(read_document(write_document(dot), "doc")->document, dot);
}

TEST(RecurrentDocument, RefusesWhatDoesNotFitWithItsPlace) {
  struct Case {
    const char* recurrent;
    const char* more;
    const char* pointer;
    const char* words;
  };
  const Case cases[] = {
      {R"({"cell": "rnn"})", "", "/recurrent/cell", "gru"},
      {R"({"asks": "next"})", "", "/recurrent/asks", "previous"},
      {R"({"hiden": 3})", "", "/recurrent/hiden", "hidden"},
      {R"({"hidden": 0})", "", "/recurrent/hidden", "0"},
      {R"({"hidden": 2, "encoder": {"w_x": [[1, 2, 3, 4, 5]]}})", ", \"d_model\": 1",
       "/recurrent/encoder/w_x", "(1, 3)"},
      {R"({"encoder": {"w_h": [[1, 2, 3, 4]]}})", "", "/recurrent/encoder/w_h", "(1, 3)"},
      {R"({"hidden": 1, "decoder": {"w_h": [[1, 2, 3]], "b_h": [1, 2]}})", "",
       "/recurrent/decoder/b_h", "(3)"},
      {R"({"hidden": 2, "w_output": [[1], [2], [3]]})", "", "/recurrent/w_output", "(4, 1)"},
      {R"({"hidden": 2, "b_output": [1, 2], "w_output": [[1], [2], [3], [4]]})", "",
       "/recurrent/b_output", "(1)"},
      {R"({"bidirectional": false, "backward": {"b_x": [1, 2, 3]}})", "",
       "/recurrent/bidirectional", "backward"},
      {R"({"w_output": null, "d_out": 3})", "", "/recurrent/w_output", "d_out"},
      {R"({"hidden": 2, "d_out": 3, "w_output": [[1], [2], [3], [4]]})", "", "/recurrent/d_out",
       "expected 1"},
      {R"({"hidden": 2, "encoder": {"w_h": [[1, 2, 3]]}, "decoder": {"w_h": [[1, 2, 3]]}})", "",
       "/recurrent/hidden", "expected 1"},
      {"{}", R"(, "heads": 2)", "/heads", "1"},
      {"{}", R"(, "position": "sinusoidal")", "/position", "recurrent"},
      {"{}", R"(, "projections": {})", "/recurrent", "projections"},
      {"{}", R"(, "blocks": 1)", "/recurrent", "blocks"},
      {"{}", R"(, "value_embeddings": [[1], [2]])", "/value_embeddings", ""},
      {R"({"hidden": 2, "bidirectional": true})", R"(, "scoring": {"function": "dot"})",
       "/scoring/function", "additive"},
  };
  for (const Case& test : cases) {
    const Result<Reading> report = read(test.recurrent, test.more);
    ASSERT_FALSE(report) << test.recurrent << test.more;
    const std::string said = describe(report.error());
    EXPECT_NE(said.find(test.words), std::string::npos) << said;
    if (std::string(test.words).empty()) continue;
    EXPECT_EQ(report.error().pointer, test.pointer) << said;
  }
}

TEST(RecurrentDocument, IsRefusedBeforeItTakesTooMuchMemory) {
  const Result<Reading> report = read(R"({"hidden": 10000000})");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::OverMemoryLimit);
}

TEST(RecurrentDocument, KeepsWhatFitsAnotherChoice) {
  const Document document = document_with(R"({"hidden": 4})");
  RecurrentChoice choice = choice_of(model_of(document));
  choice.bidirectional = true;
  const Result<Document> both = with_choice(document, choice);
  ASSERT_TRUE(both) << describe(both.error());
  EXPECT_EQ(model_of(*both).encoder, model_of(document).encoder);
  EXPECT_EQ(model_of(*both).backward.w_h.shape(), (Shape{4, 12}));
  EXPECT_EQ(model_of(*both).decoder.w_h, model_of(document).decoder.w_h);
  EXPECT_EQ(model_of(*both).decoder.w_x.extent(0), 16U + 8U);
  choice.bidirectional = false;
  choice.cell = CellKind::Lstm;
  choice.asks = QueryState::Current;
  choice.outputs = false;
  const Result<Document> lstm = with_choice(*both, choice);
  ASSERT_TRUE(lstm) << describe(lstm.error());
  EXPECT_EQ(model_of(*lstm).decoder.w_x.shape(), (Shape{16, 16}));
  EXPECT_TRUE(model_of(*lstm).backward.w_h.empty());
  EXPECT_EQ(shape_of(*lstm).d_out, 0U);
  EXPECT_TRUE(compute(make_problem(*lstm)));
}

TEST(RecurrentDocument, KeepsBeginningByAMap) {
  const Document document =
      document_with(R"({"hidden": 2, "w_initial": [[1, 2], [3, 4]], "b_initial": [5, 6]})");
  RecurrentChoice choice = choice_of(model_of(document));
  choice.bidirectional = true;
  const Result<Document> changed = with_choice(document, choice);
  ASSERT_TRUE(changed) << describe(changed.error());
  EXPECT_EQ(model_of(*changed).w_initial.shape(), (Shape{4, 2}));
  EXPECT_EQ(model_of(*changed).b_initial, Tensor({2}, {5, 6}));
}

// A bias without its matrix would change nothing.
TEST(RecurrentDocument, GeneratesTheMapOfAnInitialBias) {
  const Document document = document_with(R"({"hidden": 2, "b_initial": [5, 6]})");
  EXPECT_EQ(model_of(document).w_initial.shape(), (Shape{2, 2}));
}

// Dot products cannot compare states of two widths, so another function takes their place.
TEST(RecurrentDocument, ChangesTheScoreThatNoLongerFits) {
  const Document document =
      document_with(R"({"hidden": 2})", R"(, "scoring": {"function": "dot"})");
  RecurrentChoice choice = choice_of(model_of(document));
  choice.bidirectional = true;
  const Result<Document> changed = with_choice(document, choice);
  ASSERT_TRUE(changed) << describe(changed.error());
  EXPECT_EQ(changed->scoring.function, ScoringFunction::Additive);
}

// Location may have rows for more keys than there are.
TEST(RecurrentDocument, KeepsRowsForKeysToCome) {
  const Document document = document_with(
      R"({"hidden": 1})", R"(, "scoring": {"function": "location", "w": [[1], [2], [3], [4]]})");
  RecurrentChoice choice = choice_of(model_of(document));
  choice.outputs = false;
  const Result<Document> changed = with_choice(document, choice);
  ASSERT_TRUE(changed) << describe(changed.error());
  EXPECT_EQ(changed->scoring.w, document.scoring.w);
}

TEST(RecurrentDocument, FollowsItsTokens) {
  const Document document = document_with(R"({"hidden": 2})");
  const Result<Document> longer = with_token_inserted(document, Side::Key, 1, "new");
  ASSERT_TRUE(longer);
  EXPECT_EQ(shape_of(*longer).n_k, 3U);
  EXPECT_TRUE(compute(make_problem(*longer)));
}

TEST(RecurrentDocument, LetsEveryMatrixBeEdited) {
  const Document document = document_with(
      R"({"hidden": 2, "bidirectional": true, "w_initial": [[1, 2], [3, 4], [5, 6], [7, 8]],
          "b_initial": [1, 2], "b_output": [3, 4],
          "encoder": {"b_x": [1, 2, 3, 4, 5, 6], "b_h": [1, 2, 3, 4, 5, 6]}})");
  const TensorList tensors = editable_tensors(document);
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const Tensor& tensor = info.read(model_of(document));
    const std::string pointer = "/recurrent/" +
                                (info.cell.empty() ? "" : std::string(info.cell) + "/") +
                                std::string(info.name);
    const TensorInfo* there = find_tensor(tensors, pointer);
    EXPECT_EQ(there != nullptr, !tensor.empty()) << pointer;
    if (there == nullptr) continue;
    const Result<Document> changed = with_cell(document, {pointer, {}}, 0, 1, 0.125F);
    ASSERT_TRUE(changed);
    EXPECT_EQ(info.read(model_of(*changed))[1], 0.125F) << pointer;
  }
}

// The descriptions of the examples are true.
TEST(RecurrentExamples, ReadTheColourBeforeTheThing) {
  for (const char* name : {"encoder-decoder", "encoder-decoder-luong"}) {
    const Document document = open_document(std::string(kExamplePrefix) + name)->document;
    const ResultPtr result = *compute(make_problem(document));
    const auto weight = [&](std::size_t q, std::size_t k) {
      return result->value(Stage::Weights, {}, q, k);
    };
    ASSERT_EQ(tokens_of(document, Side::Query)[1], "red");
    ASSERT_EQ(tokens_of(document, Side::Key)[2], "rouge");
    EXPECT_GT(weight(1, 2), 0.85F) << name;
    EXPECT_GT(weight(2, 1), 0.8F) << name;
    EXPECT_GT(weight(5, 6), 0.85F) << name;
    EXPECT_GT(weight(6, 5), 0.85F) << name;
    EXPECT_TRUE(result->has(Stage::Influence)) << name;
  }
}

// With the current state as query, the context enters only the output.
TEST(RecurrentExamples, OfLuongHasTheSameStatesWithAttentionAndWithout) {
  const Document document =
      open_document(std::string(kExamplePrefix) + "encoder-decoder-luong")->document;
  const ResultPtr result = *compute(make_problem(document));
  const StageShape shape = result->stage_shape(Stage::DecoderState);
  for (std::size_t t = 0; t < shape.rows; ++t) {
    for (std::size_t c = 0; c < shape.cols; ++c) {
      EXPECT_EQ(result->value(Stage::DecoderState, {}, t, c),
                result->value(Stage::FixedState, {}, t, c));
    }
  }
}

}  // namespace
}  // namespace attn
