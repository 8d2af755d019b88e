// Settings that are not read, such as code and classes of the folder, are named; no others are.
#include <gtest/gtest.h>

#include "base/joined.h"
#include "document/load/open.h"
#include "tests/core/document/folder/model_folder.h"

namespace attn::test {
namespace {

class ForeignSettings : public testing::Test {
 protected:
  ForeignSettings() { folder.write("tokenizer.json", kTokenizer); }

  // The notes on a folder with these settings, or the error.
  std::string answer(const std::string& settings = "") const {
    folder.write("config.json", with_replaced(kConfig, "\"n_embd\"", settings + "\"n_embd\""));
    const Result<Reading> reading = open_document(folder.path(), {.input = {.text = "a b"}});
    return reading ? joined(reading->notes) : describe(reading.error());
  }
  void expect(const std::string& settings, const std::string& said) const {
    const std::string found = answer(settings);
    EXPECT_NE(found.find(said), found.npos) << settings << "\n" << found;
  }

  ModelFolder folder{kConfig, small_model()};
};

TEST_F(ForeignSettings, ThatChangeNoNumberAreLeftOutInSilence) {
  const std::string before = answer();
  EXPECT_EQ(answer(R"("torch_dtype": "float32", "use_cache": true, "bos_token_id": 1,
                      "attn_pdrop": 0.1, "resid_pdrop": 0.1, "summary_type": "cls_index",
                      "transformers_version": "4.40", "_name_or_path": "gpt2", "n_ctx": 6,
                      "task_specific_params": {"text-generation": {}}, "id2label": {"0": "x"},
                      "initializer_range": 0.02, "model_max_length": null, "use_mrope": false, )"),
            before);
}

TEST_F(ForeignSettings, ThatNothingReadsAreNamed) {
  const char* const said = "models of this family do not have are not read: ";
  expect(R"("logit_scale": 0.0625, )", std::string(said) + "logit_scale");
  expect(R"("num_local_experts": 8, "clip_qkv": 8.0, )", "clip_qkv, num_local_experts");
  expect(R"("use_mrope": true, )", "use_mrope");
}

TEST_F(ForeignSettings, OfCodeOfTheFolderAreNamed) {
  expect(R"("auto_map": {"AutoModelForCausalLM": "modeling_foo.Foo"}, )",
         "\"auto_map\" of config.json names code of the folder's own, which is not run");
  const std::string before = answer();
  for (const char* name : {"FooForCausalLM", "GPT2EncoderModel", "LlamaForCausalLM"}) {
    folder.write("config.json", with_replaced(kConfig, "GPT2LMHeadModel", name));
    const Result<Reading> reading = open_document(folder.path(), {.input = {.text = "a b"}});
    ASSERT_TRUE(reading.ok());
    EXPECT_NE(joined(reading->notes).find(name + std::string(", which is no class of this family")),
              std::string::npos)
        << joined(reading->notes);
  }
  for (const char* name : {"GPT2Model", "GPT2ForSequenceClassification", "GPT2DoubleHeadsModel"}) {
    folder.write("config.json", with_replaced(kConfig, "GPT2LMHeadModel", name));
    const Result<Reading> reading = open_document(folder.path(), {.input = {.text = "a b"}});
    ASSERT_TRUE(reading.ok());
    EXPECT_EQ(joined(reading->notes).find("no class"), std::string::npos) << name;
  }
}

TEST_F(ForeignSettings, OfATokenThatIsNotAddedAreComparedWithoutItsName) {
  folder.write("tokenizer.json", with_replaced(kTokenizer, R"("added_tokens")",
                                               R"("post_processor": {"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "d", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [], "special_tokens": {"d": {"id": "d", "ids": [4], "tokens": ["d"]}}}, "added_tokens")"));
  folder.write("tokenizer_config.json", R"({"add_bos_token": false})");
  expect("", "says of add_bos_token");
  folder.write("tokenizer_config.json", R"({"add_bos_token": true})");
  EXPECT_EQ(answer().find("says of"), std::string::npos) << answer();
}

TEST_F(ForeignSettings, MayLackNoMergesOfPairs) {
  folder.write("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 1, "b": 2}}})");
  expect("", "the tokenizer has no merges");
  folder.write("tokenizer.json",
               R"({"model": {"type": "BPE", "vocab": {"a": 1, "b": 2}, "merges": []}})");
  EXPECT_EQ(answer().find("merges"), std::string::npos);
  const Result<Reading> unknown = open_document(folder.path(), {.input = {.text = "abba-ab"}});
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(describe(unknown.error()).find("\"-\""), std::string::npos)
      << describe(unknown.error());
}

TEST_F(ForeignSettings, AreRefusedWhereTheyStand) {
  folder.write("config.json", with_replaced(kConfig, R"("n_head": 2)", R"("n_head": 3)"));
  const Result<Reading> heads = open_document(folder.path(), {.input = {.text = "a b"}});
  EXPECT_NE(describe(heads.error()).find("/n_head: "), std::string::npos)
      << describe(heads.error());
  folder.write("config.json", kConfig);
  const Result<Reading> text = open_document(folder.path(), {.input = {.text = "a b a b a b a b"}});
  EXPECT_EQ(describe(text.error()).find(":1:"), std::string::npos) << "of a text in no file";
  const Result<Reading> ids = open_document(folder.path(), {.input = {.ids = {1, 99}}});
  EXPECT_EQ(describe(ids.error()).find("/model"), std::string::npos) << describe(ids.error());
}

}  // namespace
}  // namespace attn::test
