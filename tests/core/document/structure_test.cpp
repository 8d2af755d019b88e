// Documents of every kind changed to every other structure.
#include "document/edit/structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "document/edit.h"
#include "document/generate.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "document/provenance.h"
#include "documents.h"
#include "engine/compute.h"
#include "support/examples.h"

namespace attn {
namespace {

using test::between;
using test::random_document;
using test::read_ok;

constexpr const char* kEveryKind[] = {
    R"({"tokens": ["a", "b", "c"], "attention": [[[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]]})",
    R"({"query_tokens": ["a", "b"], "key_tokens": ["a", "b", "c"],
        "attention": [[1, 0, 0], [0.5, 0.25, 0.25]]})",
    R"({"tokens": ["a", "b"], "q": [[1, 2], [3, 4]], "k": [[5, 6], [7, 8]], "v": [[1], [2]]})",
    R"({"query_tokens": ["b", "x"], "key_tokens": ["a", "b", "c"], "q": [[[1, 2], [3, 4]]],
        "k": [[[5, 6], [7, 8], [9, 1]]], "v": [[[1], [2], [3]]],
        "mask": {"visible": [[true, false, true], [true, true, false]]}})",
    R"({"tokens": ["a", "b", "c"], "heads": 4, "kv_heads": 2, "mask": {"causal": true}})",
    R"({"tokens": [["a", "b"], ["c", "d"]], "position": "learned",
        "mask": {"key_padding": [[true, false], [true, true]], "alibi": [1, 0.5]}})",
    R"({"query_tokens": ["x", "y"], "key_tokens": ["a", "b", "c"], "position": {"kind": "rope"},
        "scoring": {"function": "additive"}})",
    R"({"tokens": ["a", "b"], "blocks": 2, "d_model": 6, "position": {"kind": "sinusoidal"},
        "norms": {"order": "pre", "final": true}, "mask": {"causal": true}})",
    R"({"query_tokens": ["x", "y"], "key_tokens": ["a", "b", "c"], "blocks": 2, "d_model": 4,
        "self_mask": {"causal": true}, "mask": {"key_padding": [true, true, false]}})",
    R"({"query_tokens": ["x", "y"], "key_tokens": ["a", "b", "c"],
        "recurrent": {"hidden": 3, "bidirectional": true}})",
    R"({"tokens": ["a", "b"], "recurrent": {"cell": "lstm", "asks": "current", "hidden": 2}})",
    R"({"tokens": ["a", "b"], "axes": ["layer", "token", "feature"],
        "q": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], "k": [[[2, 1], [0, 1]], [[1, 1], [3, 0]]],
        "v": [[[1], [2]], [[3], [4]]]})",
    R"({"tokens": ["a", "b"], "q": [[1, 2], [3, 4]], "k": [[5, 6], [7, 8]]})",
};

std::vector<Document> documents_of_every_kind() {
  std::vector<Document> documents;
  for (const char* text : kEveryKind) documents.push_back(read_ok(text).document);
  return documents;
}

Restructured changed(const Document& document, const Structure& wanted) {
  Result<Restructured> result = with_structure(document, wanted);
  if (result) return *std::move(result);
  ADD_FAILURE() << describe(result.error());
  return {document, {}};
}

const StructureField& field_named(std::string_view name) {
  return *std::ranges::find(all_structure_fields(), name, &StructureField::name);
}

Structure with_field(Structure structure, std::string_view name, std::size_t value) {
  field_named(name).set(structure, value);
  return structure;
}

Structure of_kind(const Document& document, const KindInfo& kind) {
  Structure wanted = structure_of(document);
  wanted.kind = &kind;
  return normalised(document, wanted);
}

Tensor tensor_of(const Document& document, const TensorPath& path) {
  const std::optional<TensorInfo> info = tensor_at(document, path);
  return info && info->is_there() ? *info->tensor : Tensor();
}

std::string said(const Restructured& change) {
  std::string text;
  for (const std::string& remark : change.remarks) text += remark + "\n";
  return text;
}

// `folder`: base of references to files.
void expect_sound(const Document& document, const std::string& what,
                  const std::string& folder = "") {
  ASSERT_TRUE(check(document).ok()) << what << describe(check(document).error());
  const std::string text = write_document(document);
  const Result<Reading> read = read_document(text, "written", {.folder = folder});
  ASSERT_TRUE(read.ok()) << what << describe_in_full(read.error());
  ASSERT_EQ(read->document, document) << what << text.substr(0, 2000);
  const Result<ResultPtr> result = compute(make_problem(document));
  ASSERT_TRUE(result.ok()) << what << describe(result.error());
  ASSERT_EQ((*result)->shape(), shape_of(document)) << what;
}

std::string text_of(const Structure& structure) {
  std::string text(structure.kind->name);
  for (const StructureField& field : all_structure_fields()) {
    text += " " + std::string(field.name) + "=" + std::to_string(field.get(structure));
  }
  return text;
}

void expect_changes(const Document& document, const Structure& asked, const std::string& name) {
  const Structure wanted = normalised(document, asked);
  const std::string what =
      name + ": " + text_of(structure_of(document)) + " -> " + text_of(wanted) + "\n";
  EXPECT_EQ(normalised(document, wanted), wanted) << what;
  if (!reason_against(document, wanted).empty()) {
    EXPECT_FALSE(with_structure(document, wanted).ok()) << what;
    return;
  }
  const Result<Restructured> change = with_structure(document, wanted);
  ASSERT_TRUE(change.ok()) << what << describe_in_full(change.error());
  EXPECT_EQ(structure_of(change->document), wanted) << what;
  EXPECT_EQ(change->document == document, change->remarks.empty()) << what;
  EXPECT_EQ(change->document.query_tokens.front(), document.query_tokens.front()) << what;
  const bool has_files = document.source_model.has_value();
  expect_sound(change->document, what, has_files ? document.source_model->folder : "");
}

Structure random_structure(Random& random, const Document& document) {
  Structure wanted = structure_of(document);
  if (random.next() % 2 == 0) wanted.kind = all_kinds()[random.next() % 6];
  for (const StructureField& field : all_structure_fields()) {
    if (random.next() % 3 != 0) continue;
    field.set(wanted, field.is_flag ? random.next() % 2 : between(random, 1, 4));
  }
  return wanted;
}

TEST(Structure, OfEveryKindBecomesAnyOther) {
  for (const Document& document : documents_of_every_kind()) {
    for (const KindInfo* kind : all_kinds()) {
      for (const bool cross : {false, true}) {
        Structure wanted = structure_of(document);
        wanted.kind = kind;
        wanted.cross = cross;
        expect_changes(document, wanted, "kinds");
        if (HasFatalFailure()) return;
      }
    }
  }
}

void expect_random_changes(const Document& document, Random& random, int turns,
                           const std::string& name) {
  for (int turn = 0; turn < turns && !testing::Test::HasFatalFailure(); ++turn) {
    expect_changes(document, random_structure(random, document), name);
  }
}

TEST(Structure, BecomesWhatRandomOnesAskFor) {
  Random random(7);
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    expect_random_changes(random_document(seed), random, 4, std::to_string(seed));
  }
  for (const Document& document : documents_of_every_kind()) {
    expect_random_changes(document, random, 60, "every kind");
  }
}

TEST(Structure, OfExamplesChangesToEveryKind) {
  for (const Example& example : test::short_examples()) {
    const Document document = read_ok(std::string(example.json)).document;
    for (const KindInfo* kind : all_kinds()) {
      Structure wanted = structure_of(document);
      wanted.kind = kind;
      expect_changes(document, wanted, std::string(example.name));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Structure, MoreHeadsLeaveThoseThatThereAre) {
  const Document document =
      read_ok(R"({"tokens": ["a", "b"], "q": [[1, 2], [3, 4]], "k": [[5, 6], [7, 8]],
                  "v": [[1], [2]]})")
          .document;
  const Restructured two = changed(document, with_field(structure_of(document), "heads", 2));
  const Tensor q = tensor_of(two.document, "/q");
  ASSERT_EQ(q.shape(), (Shape{2, 2, 2}));
  EXPECT_EQ((std::vector<float>{q[0], q[1], q[2], q[3]}), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(std::vector<float>(q.data() + 4, q.data() + 6),
            generated_row(document.seed, "q", 1, "a", 2));
  EXPECT_EQ(two.remarks,
            (std::vector<std::string>{"New rows and columns generated from seed 1: Q, K, V"}));
  const Restructured one = changed(two.document, structure_of(document));
  EXPECT_EQ(one.document, document);
  EXPECT_EQ(one.remarks, (std::vector<std::string>{"Shortened: Q, K, V"}));
}

TEST(Structure, LayersThatStayKeepTheirNumbers) {
  using Numbers = std::vector<std::uint64_t>;
  const Document document = read_ok(R"({"tokens": ["a"], "axes": ["layer", "query", "key"],
      "attention": [[[1]], [[1]], [[1]]], "layer_numbers": [3, 7, 11]})")
                                .document;
  const auto with = [&](const char* field, std::size_t value) {
    return changed(document, with_field(structure_of(document), field, value));
  };
  EXPECT_EQ(with("heads", 2).document.layer_numbers, (Numbers{3, 7, 11}));
  EXPECT_EQ(with("layers", 2).document.layer_numbers, (Numbers{3, 7}));
  const Restructured more = with("layers", 4);
  EXPECT_EQ(more.document.layer_numbers, Numbers{});
  EXPECT_NE(said(more).find("Dropped the numbers of the layers"), std::string::npos) << said(more);
  const Document qkv = changed(document, of_kind(document, GivenQkv::kInfo)).document;
  EXPECT_EQ(qkv.layer_numbers, (Numbers{3, 7, 11}));
  EXPECT_EQ(changed(qkv, of_kind(qkv, BlockModel::kEncoder)).document.layer_numbers, Numbers{});
}

TEST(Structure, HeadsOfALayerAreColumnsAndRows) {
  const Document document = read_ok(R"({"embeddings": [[1, 2]], "heads": 2, "projections": {
          "w_q": [[1, 2], [3, 4]], "w_k": [[1, 2], [3, 4]], "w_v": [[1, 2], [3, 4]],
          "w_o": [[1, 2], [3, 4]], "b_q": [5, 6]}})")
                                .document;
  const Document three = changed(document, with_field(structure_of(document), "heads", 3)).document;
  const Tensor w_q = tensor_of(three, "/projections/w_q");
  ASSERT_EQ(w_q.shape(), (Shape{2, 3}));
  const Tensor made = generated_projection(1, "w_q", 2, 3);
  EXPECT_EQ(w_q, Tensor({2, 3}, {1, 2, made[2], 3, 4, made[5]}));
  EXPECT_EQ(tensor_of(three, "/projections/b_q"), Tensor({3}, {5, 6, 0}));
  const Tensor w_o = tensor_of(three, "/projections/w_o");
  EXPECT_EQ(std::vector<float>(w_o.data(), w_o.data() + 4), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(w_o.shape(), (Shape{3, 2}));
  const Document one = changed(document, with_field(structure_of(document), "heads", 1)).document;
  EXPECT_EQ(tensor_of(one, "/projections/w_q"), Tensor({2, 1}, {1, 3}));
  EXPECT_EQ(tensor_of(one, "/projections/w_o"), Tensor({1, 2}, {1, 2}));
}

TEST(Structure, WiderHeadsKeepTheirColumns) {
  const Document document = read_ok(R"({"embeddings": [[1, 2]], "heads": 2, "projections": {
          "w_q": [[1, 2], [3, 4]], "w_k": [[1, 2], [3, 4]], "w_v": [[1, 2], [3, 4]]}})")
                                .document;
  const Document wide = changed(document, with_field(structure_of(document), "d_k", 2)).document;
  const Tensor made = generated_projection(1, "w_q", 2, 4);
  EXPECT_EQ(tensor_of(wide, "/projections/w_q"),
            Tensor({2, 4}, {1, made[1], 2, made[3], 3, made[5], 4, made[7]}));
  EXPECT_EQ(tensor_of(wide, "/projections/w_v"), tensor_of(document, "/projections/w_v"));
}

// The numbers that a reader generates for a text and those that a change of structure generates are
// equal.
TEST(Structure, GeneratesWhatReadingGenerates) {
  const Document weights =
      read_ok(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0, 1]]})").document;
  Structure wanted = with_field(of_kind(weights, AttentionLayer::kInfo), "heads", 2);
  wanted.d_k = wanted.d_v = 8;
  EXPECT_EQ(changed(weights, wanted).document, read_ok(R"({"tokens": ["a", "b"]})").document);
  wanted.kind = &BlockModel::kEncoder;
  wanted.layers = 3;
  EXPECT_EQ(changed(weights, wanted).document,
            read_ok(R"({"tokens": ["a", "b"], "blocks": 3})").document);
  const Document one = read_ok(R"({"tokens": ["a", "b"], "blocks": 1})").document;
  EXPECT_EQ(changed(one, wanted).document,
            read_ok(R"({"tokens": ["a", "b"], "blocks": 3})").document);
}

TEST(Structure, OfCellsIsGeneratedAsReadingDoes) {
  const Document layer =
      read_ok(R"({"query_tokens": ["a"], "key_tokens": ["x", "y"], "d_model": 6})").document;
  Structure wanted = of_kind(layer, RecurrentModel::kInfo);
  EXPECT_EQ(wanted.heads, 1U);
  wanted.d_k = 4;
  const Restructured cells = changed(layer, wanted);
  EXPECT_EQ(cells.document,
            read_ok(R"({"query_tokens": ["a"], "key_tokens": ["x", "y"], "d_model": 6,
                        "recurrent": {"hidden": 4}})")
                .document);
  EXPECT_NE(said(cells).find("another function: Additive"), std::string::npos) << said(cells);
  EXPECT_NE(said(cells).find("Dropped: W_Q, W_K, W_V, W_O"), std::string::npos) << said(cells);
}

// Weights and outputs of every head, bit for bit.
void expect_same_attention(const Document& a, const Document& b, std::size_t attention) {
  const ResultPtr first = compute(make_problem(a)).value();
  const ResultPtr second = compute(make_problem(b)).value();
  const AttentionShape shape = first->shape({.attention = attention});
  for (std::size_t head = 0; head < shape.heads; ++head) {
    for (std::size_t q = 0; q < shape.n_q; ++q) {
      for (std::size_t k = 0; k < shape.n_k; ++k) {
        EXPECT_EQ(first->value(Stage::Weights, {0, 0, head, attention}, q, k),
                  second->value(Stage::Weights, {0, 0, head}, q, k));
      }
      if (!second->has(Stage::Output)) continue;
      EXPECT_EQ(first->value(Stage::Output, {0, 0, head, attention}, q, 0),
                second->value(Stage::Output, {0, 0, head}, q, 0));
    }
  }
}

TEST(Structure, QkvAndWeightsAreThoseThatWereComputed) {
  for (const Document& document : documents_of_every_kind()) {
    if (!has_scores(document.model) || shape_of(document).samples > 1) continue;
    for (const KindInfo* kind : {&GivenQkv::kInfo, &GivenWeights::kInfo}) {
      const Structure wanted = of_kind(document, *kind);
      if (wanted.cross != document.cross) continue;
      expect_same_attention(document, changed(document, wanted).document, kLastAttention);
    }
  }
}

TEST(Structure, QkvOfBlocksAreThoseOfEveryLayer) {
  const Document blocks = read_ok(kEveryKind[7]).document;
  const Restructured given = changed(blocks, of_kind(blocks, GivenQkv::kInfo));
  EXPECT_EQ(shape_of(given.document).layers, 2U);
  const ResultPtr then = compute(make_problem(blocks)).value();
  const ResultPtr now = compute(make_problem(given.document)).value();
  for (std::size_t layer = 0; layer < 2; ++layer) {
    EXPECT_EQ(now->value(Stage::Output, {layer, 0, 1}, 1, 0),
              then->value(Stage::Output, {layer, 0, 1}, 1, 0));
  }
}

TEST(Structure, ValuesAreGeneratedOnlyWhereColumnsAreWanted) {
  const Document document = read_ok(R"({"q": [[1], [2]], "k": [[3], [4]]})").document;
  const Document heads = changed(document, with_field(structure_of(document), "heads", 2)).document;
  EXPECT_TRUE(std::get<GivenQkv>(heads.model).v.empty());
  const Restructured values = changed(document, with_field(structure_of(document), "d_v", 3));
  EXPECT_EQ(std::get<GivenQkv>(values.document.model).v.shape(), (Shape{2, 3}));
  EXPECT_EQ(values.remarks, std::vector<std::string>{"Generated from seed 1: V"});
}

TEST(Structure, OneAttentionOfADecoderIsKept) {
  const Document decoder = read_ok(kEveryKind[8]).document;
  Structure wanted = of_kind(decoder, GivenWeights::kInfo);
  EXPECT_TRUE(wanted.cross);
  expect_same_attention(decoder, changed(decoder, wanted).document, kLastAttention);
  wanted.cross = false;
  const Restructured self = changed(decoder, wanted);
  expect_same_attention(decoder, self.document, kSelfAttention);
  EXPECT_EQ(self.document.mask, decoder.self_mask);
  EXPECT_NE(said(self).find("Dropped the mask of the cross-attention"), std::string::npos);
}

TEST(Structure, AKnownResultIsRead) {
  const Document document = read_ok(kEveryKind[4]).document;
  const Document other = read_ok(R"({"tokens": ["a", "b", "c"], "heads": 4, "kv_heads": 2,
                                     "seed": 9})")
                             .document;
  const ResultPtr result = compute(make_problem(other)).value();
  const Structure wanted = of_kind(document, GivenWeights::kInfo);
  EXPECT_TRUE(needs_result(document, wanted));
  EXPECT_FALSE(needs_result(document, with_field(structure_of(document), "heads", 8)));
  const Document given = with_structure(document, wanted, result.get()).value().document;
  EXPECT_EQ(tensor_of(given, "/attention"),
            tensor_of(changed(other, of_kind(other, GivenWeights::kInfo)).document, "/attention"));
}

TEST(Structure, ALayerIsTheFirstBlockAndBack) {
  const Document layer = read_ok(kEveryKind[4]).document;
  const Restructured blocks = changed(layer, of_kind(layer, BlockModel::kEncoder));
  EXPECT_EQ(tensor_of(blocks.document, "/blocks/0/projections/w_k"),
            tensor_of(layer, "/projections/w_k"));
  EXPECT_EQ(blocks.remarks, (std::vector<std::string>{"Generated from seed 1: W_1, W_2"}));
  const Restructured back = changed(blocks.document, structure_of(layer));
  EXPECT_EQ(back.document, layer);
  EXPECT_EQ(back.remarks, (std::vector<std::string>{
                              "The attention of the block is kept, without what is around it",
                              "Dropped: W_1, W_2"}));
}

TEST(Structure, BlocksBecomeADecoderAndBack) {
  const Document blocks = read_ok(kEveryKind[7]).document;
  const Restructured decoder = changed(blocks, of_kind(blocks, BlockModel::kDecoder));
  EXPECT_EQ(decoder.document.self_mask, blocks.mask);
  EXPECT_EQ(decoder.document.mask, Mask{});
  EXPECT_EQ(decoder.document.key_tokens, blocks.query_tokens);
  EXPECT_EQ(tensor_of(decoder.document, "/key_embeddings"), tensor_of(blocks, "/embeddings"));
  EXPECT_EQ(changed(decoder.document, structure_of(blocks)).document, blocks);
}

TEST(Structure, TwoSequencesBeginAsOne) {
  const Document self = read_ok(kEveryKind[4]).document;
  const Restructured cross = changed(self, with_field(structure_of(self), "cross", 1));
  EXPECT_EQ(cross.document.key_tokens, self.query_tokens);
  EXPECT_EQ(cross.document.mask, self.mask);
  expect_same_attention(self, cross.document, kLastAttention);
  EXPECT_EQ(changed(cross.document, structure_of(self)).document, self);
}

TEST(Structure, KeysOfTheQueriesTokensStay) {
  const Document cross = read_ok(kEveryKind[3]).document;
  const Restructured self = changed(cross, with_field(structure_of(cross), "cross", 0));
  const Tensor k = tensor_of(self.document, "/k");
  ASSERT_EQ(k.shape(), (Shape{1, 2, 2}));
  EXPECT_EQ((std::vector<float>{k[0], k[1]}), (std::vector<float>{7, 8})) << "of b";
  EXPECT_EQ(std::vector<float>(k.data() + 2, k.data() + 4), generated_row(1, "k", 0, "x", 2));
  EXPECT_EQ(self.document.mask.visible, BoolTensor({2, 2}, {0, 1, 1, 1}));
  EXPECT_TRUE(self.document.key_tokens.empty());
}

TEST(Structure, KeyValueHeadsDivideTheHeads) {
  const Document equal = read_ok(R"({"tokens": ["a"], "heads": 2})").document;
  Structure wanted = structure_of(equal);
  wanted.heads = 3;
  EXPECT_EQ(normalised(equal, wanted).key_value_heads, 3U);
  EXPECT_EQ(with_field(structure_of(equal), "heads", 4).key_value_heads, 4U);
  const Document shared = read_ok(R"({"tokens": ["a"], "heads": 4, "kv_heads": 2})").document;
  wanted = with_field(structure_of(shared), "heads", 9);
  EXPECT_EQ(wanted.key_value_heads, 2U);
  EXPECT_EQ(normalised(shared, wanted).key_value_heads, 1U) << "or 3, which is as near";
  wanted.key_value_heads = 4;
  EXPECT_NE(reason_against(shared, wanted).find("must divide"), std::string::npos);
  EXPECT_FALSE(with_structure(shared, wanted).ok());
}

TEST(Structure, SamplesBeginAsTheFirst) {
  const Document one =
      read_ok(R"({"tokens": ["a", "b"], "mask": {"key_padding": [true, false]}})").document;
  const Document two = changed(one, with_field(structure_of(one), "samples", 2)).document;
  EXPECT_EQ(two.query_tokens, (TokenLists{TokenList{"a", "b"}, TokenList{"a", "b"}}));
  const Document same = read_ok(R"({"tokens": [["a", "b"], ["a", "b"]],
                                    "mask": {"key_padding": [true, false]}})")
                            .document;
  EXPECT_EQ(two, same);
  EXPECT_EQ(changed(two, structure_of(one)).document, one);
}

TEST(Structure, RulesFollowHeadsAndSamples) {
  const Document document =
      read_ok(R"({"tokens": [["a", "b"], ["c", "d"]], "heads": 2, "scoring": {"sinks": [1, 2]},
          "mask": {"alibi": [1, 0.5], "causal_offset": [1, 2], "causal": true,
                   "visible": [[[true, false], [true, true]], [[true, true], [false, true]]],
                   "relative_buckets": {"table": [[1, 2], [3, 4]], "bidirectional": false}}})")
          .document;
  Structure wanted = with_field(structure_of(document), "heads", 3);
  wanted.samples = 3;
  const Mask mask = changed(document, wanted).document.mask;
  EXPECT_EQ(mask.alibi, (std::vector<float>{1, 0.5, 0.5}));
  EXPECT_EQ(mask.causal_offset, (std::vector<std::int64_t>{1, 2, 1}));
  EXPECT_EQ(mask.visible, BoolTensor({3, 2, 2}, {1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(mask.relative->table, Tensor({2, 3}, {1, 2, 2, 3, 4, 4}));
  EXPECT_EQ(changed(document, wanted).document.scoring.sinks, (std::vector<float>{1, 2, 2}));
  wanted = with_field(structure_of(document), "heads", 1);
  wanted.samples = 1;
  const Mask cut = changed(document, wanted).document.mask;
  EXPECT_EQ(cut.alibi, (std::vector<float>{1}));
  EXPECT_EQ(cut.causal_offset, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(cut.visible, BoolTensor({1, 2, 2}, {1, 0, 1, 1}));
}

TEST(Structure, ScoringMatricesKeepTheirColumns) {
  const Document document = read_ok(R"({"tokens": ["a"], "q": [[1, 2]], "k": [[3, 4]], "v": [[5]],
          "scoring": {"function": "concat", "w": [[1, 2, 3, 4]], "v": [9]}})")
                                .document;
  const Document wide = changed(document, with_field(structure_of(document), "d_k", 3)).document;
  const Tensor& w = wide.scoring.w;
  ASSERT_EQ(w.shape(), (Shape{1, 6}));
  const Tensor made = generated_projection(1, "scoring w", 6, 1);
  EXPECT_EQ(w, Tensor({1, 6}, {1, 2, made[2], 3, 4, made[5]}));
  EXPECT_EQ(wide.scoring.v, Tensor({1}, {9}));
}

TEST(Structure, RotaryPairsAreThereToBeTurned) {
  const Document document =
      read_ok(R"({"tokens": ["a", "b"], "d_model": 8, "heads": 2, "position": "rope"})").document;
  const Document odd = changed(document, with_field(structure_of(document), "d_k", 3)).document;
  EXPECT_EQ(odd.position.rotary_dim, 2U);
  const Restructured one = changed(document, with_field(structure_of(document), "d_k", 1));
  EXPECT_FALSE(is_there(one.document.position));
  EXPECT_NE(said(one).find("Dropped the positions"), std::string::npos);
}

TEST(Structure, RefusesWithAReason) {
  const Document document = read_ok(R"({"tokens": ["a"], "heads": 2})").document;
  const auto reason = [&](std::string_view name, std::size_t value) {
    return reason_against(document, with_field(structure_of(document), name, value));
  };
  EXPECT_EQ(reason("heads", 3), "");
  EXPECT_EQ(reason("heads", 0), "Heads must be from 1 to 4096");
  EXPECT_EQ(reason("samples", 70'000), "Samples must be from 1 to 65536");
  EXPECT_NE(reason("d_model", 1'000'000'000).find("d_model must be"), std::string::npos);
  Structure huge = with_field(structure_of(document), "d_model", 1'000'000);
  huge.d_k = 100'000;
  EXPECT_NE(reason_against(document, huge).find("more memory"), std::string::npos);
  const auto refused = with_structure(document, huge);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  const Document cells = read_ok(kEveryKind[9]).document;
  EXPECT_NE(reason_against(cells, with_field(structure_of(cells), "d_k", 5)).find("even"),
            std::string::npos);
}

TEST(Structure, NumbersOfTheSeedStayKnownAsSuch) {
  const Document document = read_ok(R"({"tokens": ["a", "b", "c"], "heads": 4})").document;
  const std::vector<std::string> all = generated_labels(document);
  for (const std::string_view name : {"heads", "d_k", "d_v", "d_model", "samples"}) {
    const StructureField& field = field_named(name);
    for (const std::size_t value : {2U, 3U, 5U, 24U}) {
      const Structure wanted = with_field(structure_of(document), field.name, value);
      EXPECT_EQ(generated_labels(changed(document, wanted).document), all) << name << value;
    }
  }
}

TEST(Structure, FieldsReadWhatTheySet) {
  std::set<std::string_view> names;
  for (const StructureField& field : all_structure_fields()) {
    Structure structure;
    field.set(structure, field.is_flag ? 1 : 7);
    EXPECT_EQ(field.get(structure), field.is_flag ? 1U : 7U) << field.name;
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
  }
  for (const KindInfo* kind : all_kinds()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    EXPECT_TRUE(field_named("samples").applies(*kind)) << kind->name;
  }
  EXPECT_FALSE(field_named("cross").applies(BlockModel::kDecoder));
}

TEST(Structure, ChangesAreNamedForUndo) {
  const Document document = read_ok(R"({"tokens": ["a"], "heads": 2})").document;
  const Structure before = structure_of(document);
  EXPECT_EQ(label_of(before, with_field(before, "heads", 4)), "change heads");
  EXPECT_EQ(label_of(before, with_field(before, "d_model", 4)), "change d_model");
  EXPECT_EQ(label_of(before, with_field(with_field(before, "d_k", 4), "samples", 2)),
            "change structure");
  EXPECT_EQ(label_of(before, of_kind(document, BlockModel::kEncoder)), "change to Encoder blocks");
}

TEST(Structure, StepsPassWhatIsRefused) {
  const Document document = read_ok(R"({"tokens": ["a"], "heads": 6, "kv_heads": 3})").document;
  const Structure structure = structure_of(document);
  const StructureField& shared = field_named("key_value_heads");
  EXPECT_EQ(next_value(document, structure, shared, true), 6U);
  EXPECT_EQ(next_value(document, structure, shared, false), 2U);
  const StructureField& samples = field_named("samples");
  EXPECT_EQ(next_value(document, structure, samples, true), 2U);
  EXPECT_EQ(next_value(document, structure, samples, false), 1U);
}

TEST(Structure, PredictedBytesGrowWithIt) {
  const Document document = read_ok(R"({"tokens": ["a", "b"], "heads": 2})").document;
  const Structure structure = structure_of(document);
  const std::uint64_t before = predicted_bytes(document, structure);
  EXPECT_GE(before, 2U * structure.d_model * sizeof(float));
  const Structure wider = with_field(structure, "d_model", 1U << 18U);
  EXPECT_GE(predicted_bytes(document, wider), (std::uint64_t{1} << 18U) * sizeof(float) * 8U);
}

}  // namespace
}  // namespace attn
