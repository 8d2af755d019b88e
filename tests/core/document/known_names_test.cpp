// Known names: the table, its ends, and how a name selects a row.
#include "text/known_names.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace attn {
namespace {

std::string end_of(std::string_view name, NameType type = NameType::Any) {
  const std::optional<KnownName> known = known_name(name, type);
  return known ? std::string(known->end) : "";
}

TEST(KnownNames, EveryRowIsFoundByItsEndAlone) {
  ASSERT_GT(all_known_names().size(), 100U);
  const std::map<std::string_view, NameType> types = {{"numbers", NameType::Floats},
                                                      {"floats", NameType::Floats},
                                                      {"whole", NameType::Whole},
                                                      {"text", NameType::Text}};
  std::set<std::pair<std::string_view, std::string_view>> rows;
  for (const KnownName& row : all_known_names()) {
    ASSERT_TRUE(types.contains(row.type)) << row.end << " is of the type " << row.type;
    EXPECT_TRUE(rows.insert({row.end, row.type}).second) << row.end << " stands there twice";
    EXPECT_TRUE(row.role >= NameRole::Weights && row.role <= NameRole::Sparse) << row.end;
    const std::string name = (row.end.starts_with('*') ? "a" : "") +
                             std::string(row.end.substr(row.end.starts_with('*') ? 1 : 0));
    const std::optional<KnownName> found = known_name(name, types.at(row.type));
    ASSERT_TRUE(found) << row.end;
    EXPECT_EQ(found->rank, row.rank) << row.end << " is read as " << found->end;
    EXPECT_EQ(known_name("model_3_layers_" + name, types.at(row.type))->role, row.role) << row.end;
  }
}

TEST(KnownNames, NumbersDropAndCapitalsAndSignsPartWords) {
  EXPECT_EQ(name_words("decoder.layers.3.encoderAttn"), "decoder_layers_encoder_attn");
  EXPECT_EQ(name_words("layer0_attn"), "layer_attn");
  EXPECT_EQ(name_words("Qcur-12"), "qcur");
  EXPECT_EQ(name_words("KQ_mask"), "kq_mask");
  EXPECT_EQ(name_words("word2vec"), "wordvec");
  EXPECT_EQ(name_words("7"), "");
  EXPECT_EQ(name_words("StatefulPartitionedCall:1"), "stateful_partitioned_call");
}

TEST(KnownNames, TheLongestEndOfWholeWordsWins) {
  EXPECT_EQ(end_of("attn_weights"), "attn_weights");
  EXPECT_EQ(end_of("h3.attn"), "attn");
  EXPECT_EQ(end_of("attnWeights"), "attn_weights");
  EXPECT_EQ(end_of("blocks.0.attn.hook_rot_q"), "hook_rot_q");
  EXPECT_EQ(end_of("src_key_padding_mask"), "key_padding_mask");
  EXPECT_EQ(end_of("special_tokens_mask"), "special_tokens_mask");
  EXPECT_EQ(end_of("decoder_attention_mask"), "attention_mask");
  EXPECT_EQ(end_of("window_mask"), "*_mask");
  EXPECT_EQ(end_of("mask_1"), "mask");
  EXPECT_EQ(end_of("KQ_mask"), "kq_mask");
  for (const char* none : {"battn", "mapq", "masked", "x", "", "12", "…", "arr_0", "key_bias_x"}) {
    EXPECT_EQ(end_of(none), "") << none;
  }
}

TEST(KnownNames, ParametersHaveNoRole) {
  for (const char* parameter : {"h.0.attn.c_attn.bias", "encoder/attention/query/kernel:0",
                                "q_proj.weight", "layers.1.norm.gamma", "attn.bias"}) {
    EXPECT_EQ(end_of(parameter), "") << parameter;
  }
  EXPECT_EQ(end_of("bias"), "bias");
  EXPECT_EQ(end_of("layer.0.attn_bias"), "attn_bias");
}

TEST(KnownNames, AWrongTypeIsNoRole) {
  EXPECT_EQ(end_of("tokens", NameType::Floats), "");
  EXPECT_EQ(end_of("attention", NameType::Text), "");
  EXPECT_EQ(end_of("input_ids", NameType::Flags), "");
  EXPECT_EQ(end_of("attn_bias", NameType::Flags), "");
  EXPECT_EQ(end_of("mask", NameType::Flags), "mask");
  EXPECT_EQ(known_name("output", NameType::Text)->role, NameRole::QueryTokens);
  EXPECT_EQ(known_name("output", NameType::Floats)->role, NameRole::None);
  EXPECT_EQ(end_of("source", NameType::Floats), "");
}

TEST(KnownNames, LeaningsAreThoseOfListsAndOfSquares) {
  EXPECT_EQ(known_name("attention_mask")->leaning, -9);
  EXPECT_EQ(known_name("attention_mask")->square_leaning, -2);
  EXPECT_EQ(known_name("key_padding_mask")->leaning, 9);
  EXPECT_EQ(known_name("padding_mask")->leaning, 3);
  EXPECT_EQ(known_name("attn_mask")->leaning, 0);
  EXPECT_EQ(known_name("my_mask")->leaning, 0);
  EXPECT_EQ(known_name("mask")->leaning, -1);
  EXPECT_EQ(known_name("visible")->square_leaning, -12);
}

TEST(KnownNames, MoreSpecificNamesComeFirst) {
  const auto rank = [](const char* name) { return known_name(name)->rank; };
  EXPECT_LT(rank("attention_weights"), rank("attn"));
  EXPECT_LT(rank("hook_rot_q"), rank("hook_q"));
  EXPECT_LT(rank("query_states"), rank("q"));
}

}  // namespace
}  // namespace attn
