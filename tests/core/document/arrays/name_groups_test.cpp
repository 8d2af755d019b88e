// Numbers in names: layers, heads, parts and collisions.
#include "document/load/name_groups.h"

#include <gtest/gtest.h>

#include "base/joined.h"

namespace attn {
namespace {

std::vector<ArrayGroup> groups(const std::vector<std::string>& names,
                               const Shape& shape = {4, 6, 6}) {
  std::vector<ArrayFacts> arrays;
  for (const std::string& name : names) arrays.push_back({name, "float32", shape});
  return groups_of(arrays);
}

std::string patterns(const std::vector<ArrayGroup>& all) {
  return joined(all, " ", [](const ArrayGroup& group) {
    return group.pattern + ":" + std::to_string(group.names.size());
  });
}

TEST(NameGroups, StandWhereverTheDigitsStand) {
  EXPECT_EQ(patterns(groups({"layer0_attn", "layer1_attn"})), "layer*_attn:2");
  EXPECT_EQ(patterns(groups({"arr_0", "arr_1", "arr_2"})), "arr_*:3");
  EXPECT_EQ(patterns(groups({"h3.attn", "h4.attn", "loss"})), "h*.attn:2 loss:1");
  EXPECT_EQ(patterns(groups({"x_03", "x_12"})), "x_*:2");
  EXPECT_EQ(patterns(groups({"0", "1"})), "*:2");
  EXPECT_EQ(patterns(groups({"a1b", "a1c"})), "a1b:1 a1c:1") << "their letters differ";
}

TEST(NameGroups, AreInTheOrderOfTheirNumbers) {
  const ArrayGroup group = groups({"layer10_attn", "layer2_attn", "layer9_attn"}).front();
  EXPECT_EQ(joined(group.names), "layer2_attn, layer9_attn, layer10_attn");
  EXPECT_EQ(group.layers, (std::vector<std::uint64_t>{2, 9, 10}));
}

TEST(NameGroups, NumbersThatNeverVaryMeanNothing) {
  EXPECT_EQ(patterns(groups({"block.3.Attention_0", "block.5.Attention_0"})),
            "block.*.Attention_0:2");
  EXPECT_EQ(patterns(groups({"wav2vec.1.attn", "wav2vec.2.attn"})), "wav2vec.*.attn:2");
}

TEST(NameGroups, OfTwoNumbersTheLayerStandsBehindItsWord) {
  EXPECT_EQ(
      patterns(groups({"part_0_layer_0", "part_0_layer_1", "part_1_layer_0", "part_1_layer_1"})),
      "part_0_layer_*:2 part_1_layer_*:2");
  EXPECT_EQ(patterns(groups({"decoder_layer1_block1", "decoder_layer1_block2",
                             "decoder_layer2_block1", "decoder_layer2_block2"})),
            "decoder_layer*_block1:2 decoder_layer*_block2:2");
  EXPECT_EQ(patterns(groups({"0/1", "0/2", "1/1", "1/2"})), "*/1:2 */2:2");
}

TEST(NameGroups, HeadsThatFillTheGridAreHeads) {
  const std::vector<ArrayGroup> grid =
      groups({"layer_0_head_0", "layer_0_head_1", "layer_1_head_0", "layer_1_head_1",
              "layer_2_head_0", "layer_2_head_1"},
             {6, 6});
  EXPECT_EQ(patterns(grid), "layer_*_head_*:6");
  EXPECT_EQ(grid.front().heads, 2U);
  EXPECT_EQ(grid.front().layers.size(), 3U);
  EXPECT_EQ(grid.front().names[2], "layer_1_head_0");
  EXPECT_EQ(patterns(groups({"layer_0_head_0", "layer_0_head_1", "layer_1_head_0"})),
            "layer_*_head_0:2 layer_0_head_1:1")
      << "one is missing: they are parts";
  EXPECT_EQ(groups({"head_0", "head_1"}, {6, 6}).front().heads, 2U) << "of one layer";
}

TEST(NameGroups, OtherShapesAndTypesAreOtherGroups) {
  const std::vector<ArrayFacts> arrays = {{"l0.attn", "float32", {2, 6, 6}},
                                          {"l1.attn", "float32", {2, 6, 6}},
                                          {"l2.attn", "float32", {4, 6, 6}},
                                          {"l3.attn", "text", {2, 6, 6}}};
  EXPECT_EQ(patterns(groups_of(arrays)), "l*.attn:2 l2.attn:1 l3.attn:1");
}

TEST(NameGroups, TwoNamesOfOneNumberCollide) {
  EXPECT_EQ(groups({"attn_1", "attn_01", "attn_2"}).front().collision, "attn_1, attn_01");
  EXPECT_EQ(groups({"attn_1", "attn_10"}).front().collision, "");
}

TEST(NameGroups, PatternsMatchNumbersAlone) {
  EXPECT_TRUE(matches("layer_*_head_*", "layer_10_head_3"));
  EXPECT_TRUE(matches("plain", "plain"));
  EXPECT_FALSE(matches("layer*", "layer"));
  EXPECT_FALSE(matches("layer*", "layerA"));
  EXPECT_FALSE(matches("*", "1a"));
}

}  // namespace
}  // namespace attn
