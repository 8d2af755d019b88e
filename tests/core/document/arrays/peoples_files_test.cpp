// Files of arrays as libraries and people write them: how they are read, and the notes.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/joined.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "support/paths.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

using test::float_npy;
using test::npy;
using test::zip_of;

// --- the files that are shared with the project

class SharedInputs : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << "no " << folder_;
  }
  Reading open(const std::string& name, const std::string& words = "") const {
    ReadOptions options;
    options.arrays = words;
    const Result<Reading> reading = open_document(folder_ + name, options);
    if (!reading) ADD_FAILURE() << describe(reading.error());
    return reading ? *reading : Reading{};
  }
  static float weight(const Reading& reading, HeadAddress at, std::size_t q, std::size_t k) {
    return compute(make_problem(reading.document)).value()->value(Stage::Weights, at, q, k);
  }
  const std::string folder_ = test::shared_folder() + "/inputs/";
};

TEST_F(SharedInputs, MaskOfMultiheadAttentionHidesWhereTrue) {
  const Reading reading = open("attn_mask.npz");
  EXPECT_NE(reading.notes.front().find(
                "`attn_mask` (5 × 5): true hides (else the last query would see no key)"),
            std::string::npos)
      << reading.notes.front();
  EXPECT_EQ(weight(reading, {.head = 1}, 0, 0), 1.0F);
  const float row[] = {0.0550F, 0.2524F, 0.0803F, 0.4441F, 0.1682F};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(weight(reading, {.head = 1}, 4, k), row[k], 6e-5F) << k;
  }
}

TEST_F(SharedInputs, MaskOfSpecialTokensIsNotUsed) {
  const Reading reading = open("special_tokens_mask.npz");
  EXPECT_NE(
      reading.notes.front().find("`special_tokens_mask` (1 × 6): no mask of attention, not used"),
      std::string::npos)
      << reading.notes.front();
  EXPECT_EQ(reading.document.mask, Mask{});
}

TEST_F(SharedInputs, AxisOfOneIsThatOfSamples) {
  const Reading reading = open("esm.npz");
  const AttentionShape shape = shape_of(reading.document);
  EXPECT_EQ(shape.layers, 6U);
  EXPECT_EQ(shape.samples, 1U);
  EXPECT_EQ(shape.heads, 4U);
  EXPECT_NE(reading.notes.front().find("; as well "), std::string::npos) << reading.notes.front();
}

TEST_F(SharedInputs, SamplesAndLayersAreBothNamed) {
  const Reading reading = open("torch-attn_output_weights.npz");
  EXPECT_EQ(shape_of(reading.document).samples, 2U);
  const std::string& note = reading.notes.front();
  EXPECT_NE(note.find("attention, 2 samples of 3 heads of 5 × 5"), std::string::npos) << note;
  EXPECT_NE(note.find("as well 2 layers of 3 heads"), std::string::npos) << note;
  EXPECT_NE(note.find("`--arrays 'axes=layer,head,query,key'`"), std::string::npos) << note;
  EXPECT_EQ(
      shape_of(open("torch-attn_output_weights.npz", "axes=layer,head,query,key").document).layers,
      2U);
}

TEST_F(SharedInputs, AveragedMapsOfABatchAreNamed) {
  const std::string note = open("averaged-batch.npy").notes.front();
  EXPECT_NE(note.find("5 heads of 6 × 6"), std::string::npos) << note;
  EXPECT_NE(note.find("as well 5 samples"), std::string::npos) << note;
  EXPECT_NE(note.find("`--arrays 'axes=sample,query,key'`"), std::string::npos) << note;
}

TEST_F(SharedInputs, NumbersThatTouchLettersAreThoseOfLayers) {
  const Reading reading = open("layer0_attn.npz");
  EXPECT_EQ(shape_of(reading.document).layers, 12U);
  EXPECT_NE(reading.notes.front().find("`layer*_attn` (12 × 1 × 4 × 6 × 6): attention, 12 layers "
                                       "(0 to 11) of 4 heads"),
            std::string::npos)
      << reading.notes.front();
}

TEST_F(SharedInputs, UnnamedArraysThatSumToOneAreLayers) {
  const Reading reading = open("arr_N.npz");
  EXPECT_EQ(shape_of(reading.document).layers, 12U);
  EXPECT_NEAR(weight(reading, {.layer = 10, .head = 2}, 5, 3), 0.088468F, 1e-6F);
  EXPECT_NEAR(weight(reading, {.layer = 2, .head = 2}, 5, 3), 0.564900F, 1e-6F);
}

TEST_F(SharedInputs, LoneArraysOfHeadsAndOfBothSigns) {
  EXPECT_EQ(shape_of(open("whisper-cross.npy").document).heads, 6U);
  const Reading signs = open("signed.npy");
  EXPECT_EQ(shape_of(signs.document).n_k, 7U);
  EXPECT_NE(signs.notes.front().find("shown as it is"), std::string::npos) << signs.notes.front();
}

// --- files of our own, as libraries write them

class PeoplesFiles : public testing::Test {
 protected:
  Result<Reading> read(const std::vector<test::ZipEntry>& entries,
                       const std::string& words = "") const {
    const std::string path = folder.file("file.npz");
    EXPECT_TRUE(write_file_atomically(path, zip_of(entries), Overwrite::Replace).ok());
    ReadOptions options;
    options.arrays = words;
    return open_document(path, options);
  }
  Reading opened(const std::vector<test::ZipEntry>& entries, const std::string& words = "") const {
    const Result<Reading> reading = read(entries, words);
    if (!reading) ADD_FAILURE() << describe(reading.error());
    return reading ? *reading : Reading{};
  }
  std::string sentence(const std::vector<test::ZipEntry>& entries) const {
    return opened(entries).notes.front();
  }
  test::TemporaryFolder folder;
};

// Rows that sum to 1, of any shape.
std::string maps(const Shape& shape, std::size_t shift = 0) {
  std::vector<float> numbers(element_count(shape));
  const std::size_t keys = shape.back();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t row = i / keys, key = i % keys;
    const auto share = static_cast<float>((row * 7 + key * 3 + shift) % 5 + 1);
    numbers[i] = share;
    if (key + 1 < keys) continue;
    float sum = 0.0F;
    for (std::size_t j = 0; j < keys; ++j) sum += numbers[i - j];
    for (std::size_t j = 0; j < keys; ++j) numbers[i - j] /= sum;
  }
  return float_npy(shape_text(shape), numbers);
}

// Tuples of one extent have a comma.
std::string tuple_text(const Shape& shape) {
  return shape.size() == 1 ? "(" + std::to_string(shape[0]) + ",)" : shape_text(shape);
}

std::string rows(const Shape& shape) {
  std::vector<float> numbers(element_count(shape));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i * 37 % 17) / 8.0F - 1.0F;
  }
  return float_npy(tuple_text(shape), numbers);
}

std::string flags(const std::string& shape, const std::vector<int>& values) {
  return npy("|b1", shape, std::string(values.begin(), values.end()));
}

std::vector<test::ZipEntry> with_qk(std::vector<test::ZipEntry> others) {
  others.push_back({"q.npy", rows({2, 3, 4})});
  others.push_back({"k.npy", rows({2, 3, 4})});
  return others;
}

TEST_F(PeoplesFiles, MasksOfOneLibraryMeanOpposites) {
  const auto used = [&](const std::vector<int>& triangle) {
    return opened(with_qk({{"attn_mask.npy", flags("(3, 3)", triangle)}}));
  };
  const Reading hides = used({0, 1, 1, 0, 0, 1, 0, 0, 0}),
                attends = used({1, 0, 0, 1, 1, 0, 1, 1, 1});
  EXPECT_EQ(hides.document.mask.visible, attends.document.mask.visible);
  EXPECT_EQ(hides.document.mask.visible[1], 0);
  EXPECT_NE(hides.notes.front().find("`attn_mask` (3 × 3): true hides (else the last query would "
                                     "see no key)"),
            std::string::npos)
      << hides.notes.front();
  EXPECT_NE(attends.notes.front().find("`attn_mask` (3 × 3): true attends ("), std::string::npos)
      << attends.notes.front();
}

TEST_F(PeoplesFiles, TwoMasksAreBothUsed) {
  const Reading reading = opened({{"q.npy", rows({2, 2, 3, 4})},
                                  {"k.npy", rows({2, 2, 3, 4})},
                                  {"attn_mask.npy", flags("(3, 3)", {0, 1, 1, 0, 0, 1, 0, 0, 0})},
                                  {"key_padding_mask.npy", flags("(2, 3)", {0, 0, 0, 0, 0, 1})}});
  EXPECT_EQ(reading.document.mask.key_padding, (PaddingLists{{1, 1, 1}, {1, 1, 0}}));
  EXPECT_EQ(reading.document.mask.visible[1], 0);
}

TEST_F(PeoplesFiles, FloatsAreFlagsOrAddedOrNeither) {
  const Reading tutorial =
      opened(with_qk({{"look_ahead_mask.npy", float_npy("(3, 3)", {0, 1, 1, 0, 0, 1, 0, 0, 0})}}));
  EXPECT_EQ(tutorial.document.mask.visible[1], 0) << "1. hides in TensorFlow's tutorial";
  const Reading added =
      opened(with_qk({{"attention_mask.npy",
                       float_npy("(1, 1, 3, 3)", {0, -1e9F, -1e9F, 0, 0, -1e9F, 0, 0, 0})}}));
  EXPECT_EQ(added.document.mask.bias[1], -1e9F);
  EXPECT_NE(added.notes.front().find("`attention_mask` (1 × 1 × 3 × 3): added to the scores"),
            std::string::npos)
      << added.notes.front();
  const std::vector<test::ZipEntry> other =
      with_qk({{"attn_mask.npy", float_npy("(3, 3)", {0.5F, -1.9F, 2.4F, 0, 0, 0, 0, 0, 0})}});
  EXPECT_NE(
      sentence(other).find("`attn_mask` (3 × 3): not used: −1.9 to 2.4 is neither 0 and 1 nor "
                           "0 and large negative; `--arrays bias=attn_mask` adds it"),
      std::string::npos)
      << sentence(other);
  EXPECT_EQ(opened(other, "bias=attn_mask").document.mask.bias[1], -1.9F);
  EXPECT_EQ(opened(with_qk({{"attn_bias.npy", rows({3, 3})}})).document.mask.bias.size(), 9U);
}

TEST_F(PeoplesFiles, WhatNothingTellsIsAsked) {
  const Reading reading = opened({{"q.npy", rows({2, 9, 4})},
                                  {"k.npy", rows({2, 9, 4})},
                                  {"tokens.npy", npy("<U1", "(2, 9)", std::string(72, '\0'))},
                                  {"m.npy", flags("(2, 9)", {1, 0, 1, 0, 1, 0, 1, 0, 0,  //
                                                             0, 1, 0, 1, 0, 1, 0, 1, 1})}});
  EXPECT_EQ(reading.arrays->question(),
            "`m` (2 × 9) may hide or attend where it is true, and its numbers do not decide; taken "
            "as attending: say "
            "`--arrays mask=m` or `--arrays hidden=m`");
  EXPECT_EQ(reading.document.mask.key_padding.front()[1], 0);
}

// Five samples of five tokens: a square mask may list keys, or relate queries to them.
TEST_F(PeoplesFiles, AxesOfASquareMaskAreDecidedByItsPatternAndSaid) {
  const auto with = [](const std::vector<int>& mask) {
    return std::vector<test::ZipEntry>{{"q.npy", rows({5, 2, 5, 4})},
                                       {"k.npy", rows({5, 2, 5, 4})},
                                       {"tokens.npy", npy("<U1", "(5, 5)", std::string(100, '\0'))},
                                       {"mask.npy", flags("(5, 5)", mask)}};
  };
  const std::vector<int> padding{1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0,
                                 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1};
  std::vector<int> causal(25);
  for (std::size_t i = 0; i < 25; ++i) causal[i] = i % 5 <= i / 5 ? 1 : 0;
  const Reading lists = opened(with(padding)), square = opened(with(causal));
  EXPECT_EQ(lists.document.mask.key_padding.size(), 5U);
  EXPECT_NE(lists.notes.front().find("its axes sample, key; "), std::string::npos)
      << lists.notes.front();
  EXPECT_NE(lists.notes.front().find("`--arrays 'mask.axes=query,key'` reads them as query, key"),
            std::string::npos)
      << lists.notes.front();
  EXPECT_EQ(square.document.mask.visible[1], 0) << square.notes.front();
  EXPECT_NE(square.notes.front().find("its axes query, key; "), std::string::npos);
  const Reading turned = opened(with(padding), "mask.axes=query,key");
  EXPECT_TRUE(turned.document.mask.key_padding.empty());
  EXPECT_EQ(turned.document.mask.visible[3], 0);
  EXPECT_EQ(turned.document.mask.visible[4], 0);
  const Result<Reading> wrong = read(with(padding), "mask.axes=head,key");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "no mask has these axes");
}

TEST_F(PeoplesFiles, AMaskThatWasNotAppliedToTheWeightsIsNotUsed) {
  const std::vector<test::ZipEntry> entries{
      {"attn_output_weights.npy", maps({3, 3})},
      {"attn_mask.npy", flags("(3, 3)", {1, 0, 0, 1, 1, 0, 1, 1, 1})}};
  const Reading reading = opened(entries);
  EXPECT_TRUE(reading.document.mask.visible.empty());
  EXPECT_NE(reading.notes.front().find(
                "`attn_mask` (3 × 3): not used: weights are not 0 where it is true, nor where it "
                "is false; `--arrays mask=attn_mask` hides where it is false"),
            std::string::npos)
      << reading.notes.front();
  EXPECT_EQ(opened(entries, "mask=attn_mask").document.mask.visible[1], 0);
}

TEST_F(PeoplesFiles, WhatDoesNotFitIsNamed) {
  const std::string map = maps({2, 3, 3});
  const std::string lists = npy("<U1", "(3, 3)", std::string(36, 'a'));
  EXPECT_NE(sentence({{"attention.npy", map}, {"tokens.npy", lists}}).find("3 lists of tokens for"),
            std::string::npos);
  const Result<Reading> gap = read({{"q0.npy", rows({3, 4})},
                                    {"q1.npy", rows({3, 4})},
                                    {"k0.npy", rows({3, 4})},
                                    {"k1.npy", rows({3, 4})},
                                    {"v0.npy", rows({3, 4})}});
  ASSERT_FALSE(gap);
  EXPECT_EQ(gap.error().message, "v and k have different numbers of layers");
  const std::string heads = sentence({{"layer_0_head_0.npy", maps({3, 3})},
                                      {"layer_0_head_1.npy", maps({3, 3}, 1)},
                                      {"layer_1_head_0.npy", maps({3, 3}, 2)}});
  EXPECT_NE(heads.find("not every layer has each head"), std::string::npos) << heads;
  const std::string two = sentence({{"foo.npy", map}, {"bar.npy", map}});
  EXPECT_NE(two.find("`bar` (2 × 3 × 3): not used, `foo` is; `--arrays attention=bar` reads it"),
            std::string::npos)
      << two;
  const std::vector<test::ZipEntry> twice{{"attn_1.npy", maps({3, 3})},
                                          {"attn_01.npy", maps({3, 3}, 1)}};
  const Result<Reading> refused = read(twice);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().hint.find("--arrays 'attention=attn_1,attn_01'"), std::string::npos)
      << refused.error().hint;
  EXPECT_EQ(shape_of(opened(twice, "attention=attn_1,attn_01").document).layers, 2U);
}

TEST_F(PeoplesFiles, ParametersOfAnyLibraryAreNoAttention) {
  for (const char* name : {"query/kernel", "self_attn.in_proj_weight", "dense.weight",
                           "layer_norm/gamma", "h.0.attn.c_attn.bias"}) {
    const Result<Reading> reading =
        read({{std::string(name) + ".npy", rows({3, 4})}, {"x.npy", rows({5, 4})}});
    ASSERT_FALSE(reading) << name;
    EXPECT_NE(reading.error().message.find("parameters of a model"), std::string::npos) << name;
    EXPECT_NE(reading.error().hint.find("projections"), std::string::npos) << name;
  }
}

TEST_F(PeoplesFiles, LayersOfPatternsAreStackedAndSaid) {
  std::vector<test::ZipEntry> cache;
  for (const int layer : {10, 2, 9}) {
    cache.push_back({"blocks." + std::to_string(layer) + ".attn.hook_pattern.npy",
                     maps({1, 4, 5, 5}, static_cast<std::size_t>(layer))});
  }
  cache.push_back({"blocks.2.attn.hook_attn_scores.npy", rows({1, 4, 5, 5})});
  cache.push_back({"blocks.2.attn.hook_z.npy", rows({1, 5, 4, 3})});
  const Reading reading = opened(cache);
  EXPECT_EQ(reading.document.layer_numbers, (std::vector<std::uint64_t>{2, 9, 10}));
  EXPECT_NE(reading.notes.front().find("`blocks.*.attn.hook_pattern` (3 × 1 × 4 × 5 × 5): "
                                       "attention, 3 layers (2, 9, 10) of 4 heads of 5 × 5"),
            std::string::npos)
      << reading.notes.front();
  EXPECT_NE(reading.notes.front().find("`blocks.2.attn.hook_z` (1 × 5 × 4 × 3): not used"),
            std::string::npos);
}

TEST_F(PeoplesFiles, HeadsInNamesAreHeads) {
  const Reading reading = opened({{"layer_0_head_0.npy", maps({3, 3}, 0)},
                                  {"layer_0_head_1.npy", maps({3, 3}, 1)},
                                  {"layer_1_head_0.npy", maps({3, 3}, 2)},
                                  {"layer_1_head_1.npy", maps({3, 3}, 3)}});
  EXPECT_EQ(shape_of(reading.document).layers, 2U);
  EXPECT_EQ(shape_of(reading.document).heads, 2U);
}

TEST_F(PeoplesFiles, PartsOfADecoderAreItsOwnAndAcross) {
  std::vector<test::ZipEntry> tutorial;
  for (const int layer : {1, 2}) {
    const std::string name = "decoder_layer" + std::to_string(layer);
    tutorial.push_back({name + "_block1.npy", maps({1, 2, 3, 3})});
    tutorial.push_back({name + "_block2.npy", maps({1, 2, 3, 5})});
  }
  const Reading reading = opened(tutorial);
  EXPECT_EQ(attentions_of(reading.document).size(), 2U) << reading.notes.front();
  EXPECT_EQ(shape_of(reading.document).n_k, 5U);
}

TEST_F(PeoplesFiles, TwoNamesOfOneNumberAreRefused) {
  const Result<Reading> reading =
      read({{"attn_1.npy", maps({2, 2})}, {"attn_01.npy", maps({2, 2})}});
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.error().found, "attn_1, attn_01");
}

TEST_F(PeoplesFiles, EveryPrintedGlobReadsWhatItNames) {
  const std::vector<test::ZipEntry> unknown = {{"x_0.npy", rows({4, 6, 6})},
                                               {"x_1.npy", rows({4, 6, 6})},
                                               {"y.npy", rows({3})},
                                               {"z.npy", rows({2, 2})}};
  const Result<Reading> refused = read(unknown);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().hint.find("`x_*` · 2 layers of 4 heads of 6 × 6 would be read: "
                                      "--arrays 'attention=x_*'"),
            std::string::npos)
      << refused.error().hint;
  EXPECT_EQ(shape_of(opened(unknown, "attention=x_*").document).layers, 2U);
  const std::vector<test::ZipEntry> split = {{"l0.attn.npy", maps({2, 3, 3})},
                                             {"l1.attn.npy", maps({2, 3, 3})},
                                             {"l2.attn.npy", maps({4, 3, 3})}};
  EXPECT_NE(sentence(split).find("`l2.attn` (4 × 3 × 3): not used, `l*.attn` is; "
                                 "`--arrays attention=l2.attn` reads it"),
            std::string::npos)
      << sentence(split);
  EXPECT_EQ(shape_of(opened(split, "attention=l2.attn").document).heads, 4U);
}

TEST_F(PeoplesFiles, OfSeveralNamesTheMoreSpecificIsTaken) {
  const std::string text =
      sentence({{"attn.npy", rows({2, 2})}, {"attention_weights.npy", maps({2, 2})}});
  EXPECT_NE(text.find("`attn` (2 × 2): not used, `attention_weights` is"), std::string::npos)
      << text;
}

TEST_F(PeoplesFiles, ScoresAreAttentionIfTheyAreFinished) {
  EXPECT_EQ(
      shape_of(opened({{"attention_scores.npy", maps({2, 3, 3})}, {"x.npy", rows({3})}}).document)
          .samples,
      2U);
  EXPECT_FALSE(read({{"attention_scores.npy", rows({2, 3, 3})},
                     {"x.npy", rows({3, 3})},
                     {"y.npy", rows({3, 3})}})
                   .ok());
}

TEST_F(PeoplesFiles, GraphsAreSparseAndNotRead) {
  const Result<Reading> graph =
      read({{"edge_index.npy", npy("<i8", "(2, 4)", std::string(64, '\0'))},
            {"alpha.npy", rows({4, 2})}});
  ASSERT_FALSE(graph.ok());
  EXPECT_NE(graph.error().message.find("sparse"), std::string::npos);
  const Result<Reading> matrix = read({{"data.npy", rows({4})},
                                       {"indices.npy", npy("<i4", "(4,)", std::string(16, '\0'))},
                                       {"indptr.npy", npy("<i4", "(4,)", std::string(16, '\0'))}});
  ASSERT_FALSE(matrix.ok());
  EXPECT_NE(matrix.error().message.find("sparse"), std::string::npos);
}

// Several arrays whose rows do not sum to 1 are no attention unless words name them.
TEST_F(PeoplesFiles, UnknownArraysThatAreNotFinishedAreRefusedWithTheirPattern) {
  for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{
           {"arr_0.npy", "arr_1.npy"}, {"x_3.npy", "x_7.npy"}, {"fc.npy", "conv.npy"}}) {
    std::vector<test::ZipEntry> entries;
    for (const std::string& name : names) entries.push_back({name, rows({2, 5, 5})});
    const Result<Reading> refused = read(entries);
    ASSERT_FALSE(refused.ok()) << names.front();
    EXPECT_NE(describe_in_full(refused.error()).find("--arrays"), std::string::npos);
  }
}

TEST_F(PeoplesFiles, TokensThatFitOneSideAreThose) {
  const std::string five(20, '\0');
  const Reading keys =
      opened({{"attn.npy", maps({3, 5})}, {"tokens.npy", npy("<U1", "(5,)", five)}});
  EXPECT_EQ(keys.document.key_tokens.front().size(), 5U);
  EXPECT_TRUE(keys.document.key_tokens.front().all_named());
  EXPECT_FALSE(keys.document.query_tokens.front().all_named());
  const Reading none =
      opened({{"attn.npy", maps({3, 4})}, {"tokens.npy", npy("<U1", "(5,)", five)}});
  EXPECT_NE(none.notes.front().find("`tokens` (5): not used: 5 tokens for 3 rows and 4 columns"),
            std::string::npos)
      << none.notes.front();
}

TEST_F(PeoplesFiles, EveryArrayIsMentionedAndManyAreCounted) {
  std::vector<test::ZipEntry> many = {{"attn.npy", maps({2, 2})}};
  for (char c = 'a'; c < 'a' + 20; ++c) many.push_back({std::string(2, c) + ".npy", rows({3})});
  const std::string text = sentence(many);
  EXPECT_NE(text.find("`ll` (3): not used · 8 more names: not used"), std::string::npos) << text;
}

// A note with axes that a mask does not have must not lead to numbers outside of it.
TEST_F(PeoplesFiles, NotedAxesOfMasksMustFit) {
  for (const char* axes : {R"(["key", "query"])", R"(["foo", "bar"])", R"(["query", "query"])",
                           R"(["head", "key"])", R"([])", R"(["layers"])"}) {
    const std::string note = R"({"axes": {"mask": )" + std::string(axes) + "}}";
    std::u32string text(note.begin(), note.end());
    const std::string bytes(reinterpret_cast<const char*>(text.data()), text.size() * 4);
    const Reading reading =
        opened({{"q.npy", rows({3, 4})},
                {"k.npy", rows({3, 4})},
                {"mask.npy", flags("(3, 3)", {1, 0, 0, 1, 1, 0, 1, 1, 1})},
                {"attnscope.npy", npy("<U" + std::to_string(text.size()), "()", bytes)}});
    EXPECT_EQ(reading.document.mask.visible.shape(), (Shape{3, 3})) << axes;
  }
}

TEST_F(PeoplesFiles, ManyArraysTakeNoLongTime) {
  std::vector<test::ZipEntry> many;
  for (int i = 0; i < 5000; ++i) {
    std::string name = "x";
    for (int n = i; n > 0; n /= 26) name += static_cast<char>('a' + n % 26);
    many.push_back({name + ".npy", rows({2, 2})});
  }
  EXPECT_FALSE(read(many).ok());
  many.push_back({"attn.npy", maps({2, 2})});
  EXPECT_NE(sentence(many).find("4,988 more names: not used"), std::string::npos)
      << sentence(many).substr(0, 300);
}

TEST_F(PeoplesFiles, WordsSayWhatMasksAreAndThatThereIsNone) {
  const std::vector<test::ZipEntry> file =
      with_qk({{"attn_mask.npy", flags("(3, 3)", {0, 1, 1, 0, 0, 1, 0, 0, 0})}});
  const Mask usual = opened(file).document.mask;
  EXPECT_EQ(opened(file, "hidden=attn_mask").document.mask, usual);
  EXPECT_NE(opened(file, "mask=attn_mask").document.mask, usual);
  EXPECT_EQ(opened(file, "mask=").document.mask, Mask{});
  EXPECT_FALSE(read(file, "mask=q").ok());
  EXPECT_FALSE(read(file, "mask=attn_mask hidden=attn_mask").ok());
}

}  // namespace
}  // namespace attn
