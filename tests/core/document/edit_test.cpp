// Edits of matrices, and the roles by which they are found.
#include "document/edit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "document/generate.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "documents.h"
#include "engine/compute.h"
#include "text/nearest.h"

namespace attn {
namespace {

using test::between;
using test::random_document;
using test::read_ok;

Document edited(Result<Document> result) {
  if (result) {
    const Status status = check(*result);
    EXPECT_TRUE(status.ok()) << describe(status.error());
    return *std::move(result);
  }
  ADD_FAILURE() << describe(result.error());
  return {};
}

Document cats() {
  return read_ok(R"({"tokens": ["I", "love", "cats"], "q": [[1, 0], [0, 1], [1, 1]],
      "k": [[1, 0], [0, 1], [0.5, 0.5]], "v": [[1, 0], [0, 1], [2, 2]]})")
      .document;
}

TEST(Edit, ChangesOneCellAndSharesTheRest) {
  const Document before = cats();
  const Document after = edited(with_cell(before, {"/k", {}}, 2, 1, -3.0F));
  EXPECT_EQ(matrix_of(after, {"/k", {}}).at(2, 1), -3.0F);
  EXPECT_EQ(matrix_of(before, {"/k", {}}).at(2, 1), 0.5F);
  EXPECT_TRUE(std::get<GivenQkv>(after.model).q.shares_with(std::get<GivenQkv>(before.model).q));
}

StageRole role_of(const Document& document, const TensorPath& path) {
  return tensor_at(document, path).value().role;
}

TEST(Tensors, BelongToOnePartOfAttention) {
  const Document layer =
      read_ok(R"({"embeddings": [[1, 2]], "scoring": {"function": "additive"}})").document;
  EXPECT_EQ(role_of(layer, "/projections/w_q"), StageRole::Query);
  EXPECT_EQ(role_of(layer, "/scoring/w_key"), StageRole::Key);
  EXPECT_EQ(role_of(layer, "/value_embeddings"), StageRole::Value);
  const Document blocks = read_ok(R"({"tokens": ["a"], "blocks": 1})").document;
  EXPECT_EQ(role_of(blocks, "/blocks/0/feed_forward_norm/bias"), StageRole::Output);
  EXPECT_EQ(role_of(read_ok(R"({"attention": [[1]]})").document, "/attention"), StageRole::Scores);
}

// Every matrix that the counts promise exists, and all are different.
TEST(Tensors, HaveAsManyMatricesAsTheyCount) {
  for (const char* json : {
           R"({"tokens": ["a", "b"], "blocks": 3, "scoring": {"function": "additive"}})",
           R"({"tokens": [["a"], ["b"]], "heads": 2, "position": "learned"})",
           R"({"q": [[[[1]], [[2]]], [[[3]], [[4]]]], "k": [[[[5]]], [[[6]]]],
               "v": [[[[7]]], [[[8]]]], "scoring": {"function": "general", "w": [[[1]], [[2]]]}})",
           R"({"tokens": ["a"], "attention": [[[[[1]]], [[[1]]]]]})",
       }) {
    const Document document = read_ok(json).document;
    for (const TensorInfo& info : editable_tensors(document)) {
      const HeadAddress counts = counts_of(info);
      std::set<const float*> seen;
      for (std::size_t i = 0; i < counts.layer * counts.sample * counts.head; ++i) {
        const HeadAddress at{i / (counts.sample * counts.head), i / counts.head % counts.sample,
                             i % counts.head};
        seen.insert(matrix_of(document, {info.path, at}).data);
      }
      EXPECT_EQ(seen.size(), counts.layer * counts.sample * counts.head) << info.path;
      const std::size_t rank = info.tensor->rank();
      std::size_t matrices = 1;
      for (std::size_t axis = 0; axis + 2 < rank; ++axis) matrices *= info.tensor->extent(axis);
      EXPECT_EQ(seen.size(), matrices) << info.path;
      EXPECT_EQ(info.shape(), info.tensor->shape()) << info.path;
    }
  }
}

TEST(Edit, ReachesTheMatrixOfEverySampleAndHead) {
  const Document document =
      read_ok(R"({"q": [[[[1]], [[2]]], [[[3]], [[4]]]], "k": [[[[5]]], [[[6]]]],
                                        "v": [[[[7]]], [[[8]]]]})")
          .document;
  EXPECT_EQ(matrix_of(document, {"/q", {0, 1, 0}}).at(0, 0), 3.0F);
  EXPECT_EQ(matrix_of(document, {"/v", {0, 1, 0}}).at(0, 0), 8.0F);
  const Document after = edited(with_cell(document, {"/q", {0, 0, 1}}, 0, 0, 9.0F));
  EXPECT_EQ(std::get<GivenQkv>(after.model).q[1], 9.0F);
}

TEST(Edit, ReachesTheWeightsOfEveryLayer) {
  const Document document =
      read_ok(R"({"axes": ["layer", "query", "key"], "attention": [[[1]], [[2]]]})").document;
  EXPECT_EQ(matrix_of(document, {"/attention", {1, 0, 0}}).at(0, 0), 2.0F);
}

TEST(InputCell, IsTheNumberOfAPointer) {
  const Document given = read_ok(R"({"axes": ["layer", "head", "query", "key"],
                  "attention": [[[[1, 0], [0, 1]]], [[[1, 0], [0.5, 0.5]]]]})")
                             .document;
  const auto cell = input_cell(given, "/attention/1/0/1/0");
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->matrix, (MatrixRef{"/attention", {.layer = 1}}));
  EXPECT_EQ(matrix_of(given, cell->matrix).at(cell->row, cell->col), 0.5F);
  EXPECT_TRUE(input_cell(cats(), "/k/2/1"));
  for (const char* text : {"", "/k", "/k/2", "/k/2/2", "/k/3/0", "/k/2/1/", "/k/2/01", "/k/2/x",
                           "/kk/0/0", "/w_q/0/0", "k/0/0", "/k/0/-1"}) {
    EXPECT_FALSE(input_cell(cats(), text)) << text;
  }
}

std::vector<TensorPath> paths_of(const Document& document) {
  std::vector<TensorPath> paths;
  for (const TensorInfo& info : editable_tensors(document)) paths.push_back(info.path);
  return paths;
}

TEST(Edit, ListsTheMatricesThatThereAre) {
  EXPECT_EQ(paths_of(cats()), (std::vector<TensorPath>{"/q", "/k", "/v"}));
  EXPECT_EQ(paths_of(read_ok(R"(["a"])").document),
            (std::vector<TensorPath>{"/embeddings", "/projections/w_q", "/projections/w_k",
                                     "/projections/w_v", "/projections/w_o"}));
}

TEST(Edit, RefusesCellsAndBlocksThatStickOut) {
  const Document document = cats();
  EXPECT_FALSE(with_cell(document, {"/q", {}}, 3, 0, 1).ok());
  EXPECT_FALSE(with_cell(document, {"/attention", {}}, 0, 0, 1).ok());
  const std::vector<float> block(4, 1.0F);
  const auto refused = with_numbers(document, {"/q", {}}, 2, 0, 2, 2, block);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().pointer, "/q");
  EXPECT_EQ(refused.error().found, "(2, 2) at row 2, column 0");
  EXPECT_FALSE(with_numbers(document, {"/q", {}}, 0, 0, 1, 2, block).ok());
}

TEST(Edit, WritesBlocksRowByRow) {
  const std::vector<float> block{1, 2, 3, 4};
  const Document after = edited(with_numbers(cats(), {"/v", {}}, 1, 0, 2, 2, block));
  const MatrixView v = matrix_of(after, {"/v", {}});
  EXPECT_EQ(v.at(0, 0), 1.0F);
  EXPECT_EQ(v.at(1, 1), 2.0F);
  EXPECT_EQ(v.at(2, 0), 3.0F);
}

TEST(Edit, FillsWithZerosIdentityAndFreshRandomNumbers) {
  const MatrixRef k{"/k", {}};
  EXPECT_EQ(matrix_of(with_fill(cats(), k, Fill::Zeros), k).at(2, 0), 0.0F);
  const Document identity = with_fill(cats(), k, Fill::Identity);
  EXPECT_EQ(matrix_of(identity, k).at(1, 1), 1.0F);
  EXPECT_EQ(matrix_of(identity, k).at(2, 1), 0.0F);
  const Document once = with_fill(cats(), k, Fill::RandomNormal);
  const Document twice = with_fill(once, k, Fill::RandomNormal);
  EXPECT_NE(matrix_of(once, k).at(0, 0), matrix_of(twice, k).at(0, 0));
  EXPECT_EQ(once, with_fill(cats(), k, Fill::RandomNormal)) << "same document, same numbers";
}

TEST(Edit, FillsWeightsWithRowsThatSumToOne) {
  const Document document = read_ok(R"({"attention": [[1, 0], [0, 1]]})").document;
  const MatrixRef a{"/attention", {}};
  const Document filled = with_fill(document, a, Fill::RandomNormal);
  EXPECT_NEAR(matrix_of(filled, a).at(0, 0) + matrix_of(filled, a).at(0, 1), 1.0F, 1e-6F);
}

TEST(Edit, ScalesAMatrixAndRefusesOverflow) {
  const MatrixRef q{"/q", {}};
  EXPECT_EQ(matrix_of(edited(with_matrix_scaled(cats(), q, -2.0F)), q).at(2, 1), -2.0F);
  const Document large = edited(with_cell(cats(), q, 0, 0, 3e38F));
  EXPECT_FALSE(with_matrix_scaled(large, q, 10.0F).ok());
  EXPECT_FALSE(with_matrix_scaled(large, q, std::numeric_limits<float>::quiet_NaN()).ok());
}

TEST(Edit, InsertsATokenWithARowInEveryMatrixAndKeepsTheOthers) {
  const Document after = edited(with_token_inserted(cats(), Side::Query, 1, "really"));
  EXPECT_EQ(after.query_tokens[0], (TokenList{"I", "really", "love", "cats"}));
  const MatrixView q = matrix_of(after, {"/q", {}});
  ASSERT_EQ(q.rows, 4U);
  EXPECT_EQ(q.at(2, 1), 1.0F) << "the row of love moved down";
  const MatrixView k = matrix_of(after, {"/k", {}});
  EXPECT_EQ(k.at(3, 0), 0.5F);
  EXPECT_NE(q.at(1, 0), k.at(1, 0)) << "Q and K get numbers of their own";
  EXPECT_NE(q.at(1, 0), 0.0F);
  EXPECT_EQ(after, edited(with_token_inserted(cats(), Side::Key, 1, "really")))
      << "in self-attention the sides are one";
}

TEST(Edit, InsertsTheEmbeddingThatTheReaderWouldGenerate) {
  const Document two = read_ok(R"(["I", "cats"])").document;
  const Document three = edited(with_token_inserted(two, Side::Query, 1, "love"));
  EXPECT_EQ(three, read_ok(R"(["I", "love", "cats"])").document);
}

TEST(Edit, ATokenMoreIsARowMoreInTheLocationsOfEveryHead) {
  const Document document = read_ok(R"({"tokens": ["a", "b"], "d_model": 4, "heads": 2,
      "scoring": {"function": "location", "w": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}})")
                                .document;
  const Document after = edited(with_token_inserted(document, Side::Query, 2, "c"));
  const Tensor& w = after.scoring.w;
  ASSERT_EQ(w.shape(), (Shape{2, 3, 2}));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(w[i], static_cast<float>(i + 1)) << "of the first head";
    EXPECT_EQ(w[6 + i], static_cast<float>(i + 5)) << "of the second";
  }
}

TEST(Edit, LetsMasksFollowTheirTokens) {
  Document document = cats();
  document = with_padding(document, Side::Key, 0, 1, false);
  document = with_cell_visible(document, {}, 2, 0, false);
  document.mask.bias = Tensor({1, 3}, {1, 2, 3});
  const Document grown = edited(with_token_inserted(document, Side::Query, 0, "new"));
  EXPECT_EQ(grown.mask.key_padding, (PaddingLists{{1, 1, 0, 1}}));
  EXPECT_EQ(hidden_by(grown.mask, {}, 3, 1), kHiddenByHand);
  EXPECT_EQ(hidden_by(grown.mask, {}, 0, 0), kVisible);
  EXPECT_EQ(grown.mask.bias, Tensor({1, 4}, {0, 1, 2, 3})) << "a row for all queries stays one";
  EXPECT_EQ(edited(with_token_deleted(grown, Side::Query, 0)), document);
}

TEST(Edit, DeletesTokensButNotTheLast) {
  const Document one = edited(
      with_token_deleted(edited(with_token_deleted(cats(), Side::Query, 0)), Side::Query, 0));
  EXPECT_EQ(one.query_tokens[0], (TokenList{"cats"}));
  EXPECT_EQ(matrix_of(one, {"/v", {}}).at(0, 0), 2.0F);
  const auto refused = with_token_deleted(one, Side::Query, 0);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "the last token cannot be deleted");
}

TEST(Edit, MovesATokenWithItsRows) {
  const Document after = edited(with_token_moved(cats(), Side::Query, 0, 2));
  EXPECT_EQ(after.query_tokens[0], (TokenList{"love", "cats", "I"}));
  EXPECT_EQ(matrix_of(after, {"/q", {}}).at(2, 0), 1.0F);
  EXPECT_EQ(matrix_of(after, {"/q", {}}).at(2, 1), 0.0F);
  EXPECT_EQ(edited(with_token_moved(after, Side::Query, 2, 0)), cats());
}

TEST(Edit, RenamesOneTokenAndNoNumber) {
  const Document after = edited(with_token_renamed(cats(), Side::Key, 0, 2, "犬"));
  EXPECT_EQ(after.query_tokens[0][2], "犬");
  EXPECT_EQ(after.model, cats().model);
  const auto refused = with_token_renamed(cats(), Side::Query, 0, 0, "caf\xe9");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(describe(refused.error()),
            "/query_tokens: the token is not valid UTF-8: found the byte 233 at offset 3, expected "
            "UTF-8; copy it again from a program that shows its letters correctly");
  EXPECT_FALSE(with_token_renamed(cats(), Side::Query, 0, 3, "x").ok());
}

TEST(Edit, ChangesOneSideOfCrossAttention) {
  const Document document =
      read_ok(R"({"query_tokens": ["a"], "key_tokens": ["x", "y"], "attention": [[0.75, 0.25]]})")
          .document;
  const Document wider = edited(with_token_inserted(document, Side::Key, 2, "z"));
  EXPECT_EQ(std::get<GivenWeights>(wider.model).weights, Tensor({1, 3}, {0.75F, 0.25F, 0.0F}));
  const Document taller = edited(with_token_inserted(document, Side::Query, 0, "b"));
  const MatrixView a = matrix_of(taller, {"/attention", {}});
  EXPECT_NEAR(a.at(0, 0) + a.at(0, 1), 1.0F, 1e-6F);
  EXPECT_GT(a.at(0, 0), 0.0F);
  EXPECT_EQ(a.at(1, 0), 0.75F);
}

TEST(Edit, KeepsRandomDocumentsConsistentAndUndoable) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Document document = random_document(seed);
    Random random(seed);
    const Side side = random.next() % 2 == 0 ? Side::Query : Side::Key;
    const AttentionShape shape = shape_of(document);
    const std::size_t n = side == Side::Query ? shape.n_q : shape.n_k;
    const std::size_t index = between(random, 0, n);
    const Document grown = edited(with_token_inserted(document, side, index, "new"));
    const Document back = edited(with_token_deleted(grown, side, index));
    ASSERT_EQ(back.model, document.model) << seed;
    ASSERT_EQ(back.query_tokens, document.query_tokens) << seed;
    const std::size_t to = between(random, 0, n);
    const Document moved = edited(with_token_moved(grown, side, index, to));
    ASSERT_EQ(edited(with_token_moved(moved, side, to, index)), grown) << seed;
  }
}

TEST(Edit, TogglesPaddingForthAndBack) {
  const Document document = read_ok(R"({"tokens": [["a", "b"], ["c", "d"]]})").document;
  const Document padded = with_padding(document, Side::Key, 1, 0, false);
  EXPECT_EQ(padded.mask.key_padding, (PaddingLists{{1, 1}, {0, 1}}));
  EXPECT_TRUE(check(padded).ok());
  EXPECT_EQ(with_padding(padded, Side::Key, 1, 0, true), document);
  EXPECT_EQ(with_padding(document, Side::Query, 0, 9, false), document);
}

TEST(Edit, PaintsCellsForAllHeadsUnlessTheMaskTellsThemApart) {
  const Document document = read_ok(R"({"tokens": ["a", "b"], "heads": 2})").document;
  const Document painted = with_cell_visible(document, {0, 0, 1}, 0, 1, false);
  EXPECT_EQ(hidden_by(painted.mask, {0, 0, 0}, 0, 1), kHiddenByHand);
  EXPECT_EQ(with_cell_visible(painted, {}, 0, 1, true), document);

  const Document apart = read_ok(R"({"tokens": ["a", "b"], "heads": 2,
      "mask": {"visible": [[[true]], [[false]]]}})")
                             .document;
  const Document one = with_cell_visible(apart, {0, 0, 1}, 0, 1, true);
  EXPECT_EQ(one.mask.visible.shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(hidden_by(one.mask, {0, 0, 1}, 0, 1), kVisible);
  EXPECT_EQ(hidden_by(one.mask, {0, 0, 1}, 0, 0), kHiddenByHand);
  EXPECT_EQ(hidden_by(one.mask, {0, 0, 0}, 0, 1), kVisible);
}

TEST(Edit, PaintsCellsInOneHeadAlone) {
  const Document document =
      read_ok(R"({"tokens": ["a", "b"], "blocks": 2, "heads": 2, "d_model": 4})").document;
  const HeadAddress head{1, 0, 1};
  const Document painted = with_cell_visible(document, head, 1, 0, false, true);
  EXPECT_EQ(painted.mask.visible.shape(), (Shape{2, 1, 2, 2, 2}));
  for (std::size_t layer = 0; layer < 2; ++layer) {
    for (std::size_t h = 0; h < 2; ++h) {
      const HeadAddress at{layer, 0, h};
      EXPECT_EQ(hidden_by(painted.mask, at, 1, 0), at == head ? kHiddenByHand : kVisible);
      EXPECT_EQ(hidden_by(painted.mask, at, 0, 1), kVisible);
    }
  }
  const ResultPtr result = compute(make_problem(painted)).value();
  EXPECT_EQ(result->value(Stage::Weights, head, 1, 0), 0.0F);
  EXPECT_NE(result->value(Stage::Weights, {1, 0, 0}, 1, 0), 0.0F);
  EXPECT_EQ(with_cell_visible(painted, head, 1, 0, true, true), document);
}

// Queries stand at the offset: a learned table must reach so far.
TEST(Edit, LearnedPositionsFollowTheOffset) {
  const Document document =
      read_document(R"({"tokens": ["a", "b"], "position": "learned"})", "t").value().document;
  const Result<Document> later = with_causal_offset(document, 3);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->position.table.extent(0), 5U);
  EXPECT_FALSE(with_causal_offset(document, -1));
}

TEST(Edit, SetsAndClearsMasks) {
  const Document causal = with_causal_offset(with_causal(cats(), true), -1).value();
  EXPECT_EQ(hidden_by(causal.mask, {}, 1, 1), kHiddenByCausal);
  EXPECT_EQ(with_mask_cleared(causal), cats());
  EXPECT_EQ(with_causal(with_causal_offset(causal, 0).value(), false), cats());
}

TEST(Edit, LabelsRowsAndColumnsWithWhatTheyStandFor) {
  const Document document =
      read_ok(R"({"query_tokens": ["a"], "key_tokens": ["x", "y"], "attention": [[0.5, 0.5]]})")
          .document;
  EXPECT_EQ(column_labels(document, {"/attention", {}}), (TokenList{"x", "y"}));
  EXPECT_EQ(row_labels(cats(), {"/k", {}}), (TokenList{"I", "love", "cats"}));
  EXPECT_EQ(column_labels(cats(), {"/k", {}}), (TokenList{"1", "2"}));
  const Document learned = read_ok(R"({"tokens": 2, "position": "learned"})").document;
  EXPECT_EQ(row_labels(learned, {"/position/table", {}}), TokenList::counted(2)) << "positions";
  EXPECT_EQ(label_of(read_ok(R"(["a"])").document, "/projections/w_o"), "W_O");
  EXPECT_EQ(label_of(document, "/attention"), "A");
}

// Pinned, so that a document generated today is the same on every machine and in every version.
TEST(Generate, GivesTheSameNumbersEverywhere) {
  const std::vector<float> row = generated_embedding(1, "cats", 4);
  EXPECT_EQ(row, (std::vector<float>{-0.467400402F, -0.239006728F, 0.803747952F, 1.6968857F}));
  EXPECT_NE(row, generated_embedding(2, "cats", 4));
  EXPECT_NE(row, generated_embedding(1, "cat", 4));
  EXPECT_EQ(generated_embedding(1, "cats", 2), (std::vector<float>{row[0], row[1]}));
  const Tensor w = generated_projection(1, "w_q", 64, 64);
  float squares = 0.0F;
  for (const float value : w.values()) squares += value * value;
  EXPECT_NEAR(squares / 64.0F, 1.0F, 0.1F) << "variance 1 / rows";
  EXPECT_NE(w, generated_projection(1, "w_k", 64, 64));
}

TEST(Nearest, FindsTheNameThatWasMeant) {
  const std::string_view names[] = {"tokens", "embeddings", "q"};
  EXPECT_EQ(nearest("tokenz", names), "tokens");
  EXPECT_EQ(nearest("embedings", names), "embeddings");
  EXPECT_EQ(nearest("something else", names), "");
  const std::string_view swapped_last[] = {"axx", "acb"};
  EXPECT_EQ(nearest("abc", swapped_last), "acb");
}

TEST(Edit, ChangesTheStackAndGeneratesWhatItLacks) {
  const Document document =
      test::read_ok(R"({"tokens": ["a", "b"], "d_model": 4, "heads": 2, "blocks": 1})").document;
  Stack stack = *stack_of(document.model);
  stack.order = NormOrder::Pre;
  stack.blocks.emplace_back();
  stack.blocks.front().feed_forward.activation = Activation::SwiGlu;
  const Document two = with_choice(document, stack).value();
  const auto& changed = (*stack_of(two.model));
  EXPECT_EQ(changed.order, NormOrder::Pre);
  EXPECT_EQ(changed.blocks[1].projections.w_q.shape(), (Shape{4, 4}));
  EXPECT_EQ(changed.blocks[1].feed_forward.w_gate.shape(), (Shape{4, 16}));
  EXPECT_NE(changed.blocks[0].projections.w_q, changed.blocks[1].projections.w_q);
  EXPECT_TRUE(check(two).ok());
  stack = changed;
  stack.blocks.front().feed_forward.activation = Activation::Relu;
  const Document plain = with_choice(two, stack).value();
  EXPECT_TRUE((*stack_of(plain.model)).blocks[1].feed_forward.w_gate.empty());
  stack.dropout = 1.0F;
  EXPECT_FALSE(with_choice(two, stack).ok()) << "nothing would be left";
}

TEST(Edit, ChangesTheMatricesOfTheChosenBlock) {
  const Document document =
      test::read_ok(R"({"tokens": ["a", "b"], "d_model": 4, "heads": 2, "blocks": 2})").document;
  const MatrixRef ref{"/blocks/1/feed_forward/w_1", {}};
  const Document changed = with_cell(document, ref, 0, 0, 42.0F).value();
  const auto& blocks = (*stack_of(changed.model)).blocks;
  EXPECT_EQ(blocks[1].feed_forward.w_1[0], 42.0F);
  EXPECT_NE(blocks[0].feed_forward.w_1[0], 42.0F);
  const MatrixRef query{"/blocks/1/projections/w_q", {}};
  const Document zeroed = with_fill(document, query, Fill::Zeros);
  EXPECT_EQ(matrix_of(zeroed, query).at(0, 0), 0.0F);
  EXPECT_NE(matrix_of(zeroed, {"/blocks/0/projections/w_q", {}}).at(0, 0), 0.0F);
  EXPECT_NE(with_fill(document, query, Fill::RandomNormal).model, document.model);
}

}  // namespace
}  // namespace attn
