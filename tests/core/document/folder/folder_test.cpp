// Documents of a model's folder: text, edits, files, and refusals; and real models next to
// the project.
#include "document/folder/folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/joined.h"
#include "document/edit.h"
#include "document/folder/source.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"
#include "kinds/parts/logits.h"
#include "support/paths.h"
#include "support/shared_data.h"
#include "tests/core/document/folder/model_folder.h"

namespace attn {
namespace {

using namespace test;

class SmallModel : public testing::Test {
 protected:
  SmallModel() { folder.write("tokenizer.json", kTokenizer); }

  Result<Reading> opened(const std::string& text) const {
    ReadOptions options;
    options.input.text = text;
    return open_document(folder.path(), options);
  }
  std::string refusal(const std::string& config, const Arrays& arrays = small_model()) const {
    folder.write("config.json", config);
    folder.write("model.safetensors", test::safetensors_of(arrays));
    const Result<Reading> reading = opened("a b");
    return reading ? "it was read" : describe(reading.error());
  }
  // Writes the document next to the folder, and reads it again.
  Document read_again(const Document& document) const {
    const std::string path = folder.file("../again.attn.json");
    folder.write("../again.attn.json",
                 write_document(moved_to(document, folder_of(folder.file("../again.attn.json")))));
    const Result<Reading> reading = open_document(path);
    EXPECT_TRUE(reading.ok()) << describe(reading.error());
    std::filesystem::remove(path);
    return reading ? reading->document : Document{};
  }

  test::ModelFolder folder{kConfig, small_model()};
};

TEST_F(SmallModel, ReadsATextByItsTokenizer) {
  const Result<Reading> reading = opened("b a x");
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  const Document& document = reading->document;
  EXPECT_EQ(document.source_model->ids, (std::vector<std::uint32_t>{2, 1, 0}));
  EXPECT_EQ(document.query_tokens.front().texts(), (std::vector<std::string>{"b", "a", "?"}));
  const Tensor& rows = embeddings_of(document.model)->query;
  EXPECT_EQ(rows[0], small_model()["wte.weight"].numbers[8]);
  EXPECT_TRUE(document.mask.causal);
}

TEST_F(SmallModel, IsWrittenAsItsFolderItsTextAndEdits) {
  Document document = opened("b a c")->document;
  const std::string plain = write_document(document);
  EXPECT_LT(plain.size(), 600U) << plain;
  EXPECT_EQ(read_again(document), document);
  document = *with_cell(document, {"/blocks/1/projections/w_q", {}}, 2, 3, 0.125F);
  document = *with_cell(document, {"/blocks/0/feed_forward/b_1", {}}, 0, 5, -7.0F);
  document.mask.causal = false;
  const std::string edited = write_document(document);
  EXPECT_NE(edited.find("[2, 3, 0.125]"), edited.npos) << edited;
  EXPECT_LT(edited.size(), 1200U) << edited;
  const Document again = read_again(document);
  EXPECT_EQ(again.model, document.model);
  EXPECT_EQ(again.mask, document.mask);
}

TEST_F(SmallModel, KeepsRulesThatItsDocumentHasInPlaceOfTheModels) {
  folder.write("own.attn.json", R"({"model": {"folder": "."}, "text": "a b", "position": "none",
    "mask": {"causal": false}, "scoring": {"normaliser": "sigmoid"}})");
  const Result<Reading> reading = open_document(folder.file("own.attn.json"));
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_FALSE(reading->document.mask.causal);
  EXPECT_EQ(read_again(reading->document), reading->document);
  Document changed = reading->document;
  for (TransformerBlock& block : stack_of(changed.model)->blocks) {
    block.feed_forward.activation = Activation::Relu;
  }
  EXPECT_EQ(read_again(changed).model, changed.model) << "activations are a part of the structure";
}

TEST_F(SmallModel, SaysWhichRulesOfItsOwnItsDocumentHas) {
  const auto notes_on = [&](const std::string& keys) {
    folder.write("own.attn.json", R"({"model": {"folder": "."}, "text": "a b")" + keys + "}");
    const Result<Reading> reading = open_document(folder.file("own.attn.json"));
    return reading ? joined(reading->notes) : describe(reading.error());
  };
  EXPECT_NE(notes_on(R"(, "position": "none", "mask": {"causal": false})")
                .find("in place of the model's: mask, position"),
            std::string::npos);
  EXPECT_EQ(notes_on(R"(, "mask": {"causal": true})"), "") << "it is the model's";
  EXPECT_NE(notes_on(R"(, "input_ids": [1, 2])").find("/model"), std::string::npos);
  folder.write("own.attn.json", R"({"model": {"folder": ".", "ids": [1]}, "text": "a b"})");
  EXPECT_FALSE(open_document(folder.file("own.attn.json")).ok());
}

TEST_F(SmallModel, IsOutdatedOnceAFileOfItIsWritten) {
  const Document document = opened("a b")->document;
  EXPECT_TRUE(check_files(document).ok());
  folder.write("notes.txt", "of no model");
  EXPECT_TRUE(check_files(document).ok());
  for (const char* name : {"config.json", "tokenizer.json"}) {
    const std::string bytes = test::read_text(folder.file(name));
    const Document before = opened("a b")->document;
    folder.write(name, bytes + " ");
    EXPECT_FALSE(check_files(before).ok()) << name;
  }
  const Document before = opened("a b")->document;
  folder.write("tokenizer_config.json", "{}");
  EXPECT_FALSE(check_files(before).ok()) << "a file is new";
}

TEST_F(SmallModel, ReadsTheFirstTokenWithoutATokenizer) {
  std::filesystem::remove(folder.file("tokenizer.json"));
  const Result<Reading> reading = open_document(folder.path());
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_EQ(reading->document.source_model->ids, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(std::ranges::count_if(reading->notes,
                                  [](const std::string& note) {
                                    return note.starts_with("the folder has no tokenizer");
                                  }),
            1);
  EXPECT_EQ(read_again(reading->document), reading->document);
  EXPECT_FALSE(opened("a").ok());
}

TEST_F(SmallModel, KeepsEditsOfItsParametersWithAnotherText) {
  const Document before =
      *with_cell(opened("b a c")->document, {"/blocks/1/projections/w_q", {}}, 2, 3, 0.125F);
  const Result<Document> other = with_text(before, "d d", kUsualMemoryLimitBytes);
  ASSERT_TRUE(other.ok()) << describe(other.error());
  Document expected = opened("d d")->document;
  EXPECT_EQ(embeddings_of(other->model)->query, embeddings_of(expected.model)->query);
  expected = *with_cell(expected, {"/blocks/1/projections/w_q", {}}, 2, 3, 0.125F);
  EXPECT_EQ(*other, expected);
  EXPECT_EQ(write_document(*other), write_document(expected));
}

TEST_F(SmallModel, IsTheDocumentOfReferencesThatItStandsFor) {
  Document alone = opened("a b c d")->document;
  const ResultPtr of_folder = *compute(make_problem(alone));
  alone.source_model.reset();
  const Document references = read_again(alone);
  const ResultPtr of_references = *compute(make_problem(references));
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t col = 0; col < 4; ++col) {
      EXPECT_EQ(of_folder->value(Stage::FinalNorm, {1, 0, 0}, row, col),
                of_references->value(Stage::FinalNorm, {1, 0, 0}, row, col));
    }
  }
}

TEST_F(SmallModel, RefusesTextsThatItCannotRead) {
  const auto why = [&](const std::string& text) {
    const Result<Reading> reading = opened(text);
    return reading ? "it was read" : describe(reading.error());
  };
  EXPECT_NE(why("a a a a a a a").find("longer than the model can read"), std::string::npos);
  EXPECT_NE(why("").find("no token"), std::string::npos);
  ReadOptions ids;
  ids.input.ids = {1, 5};
  EXPECT_NE(describe(open_document(folder.path(), ids).error()).find("a number below 5"),
            std::string::npos);
}

TEST_F(SmallModel, OpensByEachOfItsFiles) {
  ReadOptions options;
  options.input.text = "b a";
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) {
    const Result<DocumentFile> file = find_document(folder.file(name), options);
    ASSERT_TRUE(file.ok()) << describe(file.error());
    EXPECT_EQ(file->name, folder.path());
    EXPECT_TRUE(read_document(*file).document.source_model) << name;
  }
  std::filesystem::remove(folder.file("config.json"));
  const Result<Reading> without = open_document(folder.path());
  ASSERT_FALSE(without.ok());
  EXPECT_NE(describe(without.error()).find("attnscope.record"), std::string::npos);
}

TEST_F(SmallModel, SaysWhatItsFolderNotes) {
  folder.write("config.json", std::string(kConfig).insert(1, R"("attnscope_note": "A toy", )"));
  Document document = opened("a b")->document;
  EXPECT_EQ(document.source, "A toy");
  EXPECT_EQ(write_document(document).find("A toy"), std::string::npos);
  document.source = "mine";
  EXPECT_EQ(read_again(document).source, "mine");
  EXPECT_EQ(read_again(document).source_model->untouched->source, "A toy");
}

TEST_F(SmallModel, NamesWhatItsFolderLacks) {
  Arrays lacking = small_model();
  lacking.erase("h.1.mlp.c_fc.weight");
  EXPECT_NE(refusal(kConfig, lacking).find("h.1.mlp.c_fc.weight"), std::string::npos);
  Arrays other = small_model();
  other["h.0.attn.c_attn.weight"] = numbers({4, 11});
  EXPECT_NE(refusal(kConfig, other).find("h.0.attn.c_attn.weight"), std::string::npos);
  const std::string sizes = R"("n_embd": 4, "n_layer": 2, "n_head": 2})";
  for (const auto& [config, words] :
       {std::pair<std::string, const char*>{"{\"model_type\": \"gtp2\", " + sizes,
                                            "the nearest is gpt2"},
        {"{\"model_type\": \"mixtral\", " + sizes, "experts"},
        {"{\"model_type\": \"t5\", " + sizes, "encoder–decoder"},
        {"{\"model_type\": \"vit\", " + sizes, "pictures"},
        {"{\"model_type\": \"gpt2\", \"quantization_config\": {\"quant_method\": \"awq\"}, " +
             sizes,
         "awq"},
        {"[1]", "no JSON object"},
        {"{\"n_embd\": 4}", "not known"},
        {R"({"model_type": "gpt2", "n_embd": 4, "n_layer": 1000000000, "n_head": 2})",
         "10,000,000"},
        {R"({"model_type": "gpt2", "n_embd": 4, "n_layer": 2, "n_head": 3})", "heads"},
        {R"({"model_type": "gpt2", "n_embd": "4", "n_layer": 2, "n_head": 2})", "n_embd"},
        {R"({"model_type": "gpt2", "n_embd": 4, "n_head": 2})", "num_hidden_layers"}}) {
    const std::string why = refusal(config);
    EXPECT_NE(why.find(words), why.npos) << config << "\n" << why;
  }
}

TEST_F(SmallModel, NotesArraysThatAreNotUsed) {
  Arrays more = small_model();
  more["h.0.adapter.weight"] = numbers({2, 2});
  more["h.0.attn.bias"] = numbers({1, 1, 6, 6});
  folder.write("model.safetensors", test::safetensors_of(more));
  const Result<Reading> reading = opened("a");
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_EQ(std::ranges::count(reading->notes,
                               "arrays of the model that are not used: h.0.adapter.weight"),
            1);
}

TEST_F(SmallModel, RefusesEditsOfWhatItHasNot) {
  const auto why = [&](const std::string& edits) {
    folder.write("a.attn.json",
                 R"({"model": {"folder": "."}, "text": "a", "edits": )" + edits + "}");
    const Result<Reading> reading = open_document(folder.file("a.attn.json"));
    return reading ? "it was read" : describe(reading.error());
  };
  EXPECT_NE(
      why(R"([{"tensor": "/blocks/2/projections/w_q", "cells": [[0, 0, 1]]}])").find("no such"),
      std::string::npos);
  EXPECT_NE(
      why(R"([{"tensor": "/blocks/1/projections/w_q", "cells": [[4, 0, 1]]}])").find("no such"),
      std::string::npos);
  EXPECT_NE(
      why(R"([{"tensor": "/blocks/1/projections/w_q", "numbers": [[1]]}])").find("do not fit"),
      std::string::npos);
  EXPECT_EQ(why(R"([{"tensor": "/blocks/1/projections/w_q", "cells": [[3, 0, 1]]}])"),
            "it was read");
}

// --- real models next to the project

// Returns the refusal of a copy of the small BERT after a change of its settings.
std::string refusal_of_bert(const std::string& setting) {
  const TemporaryFolder copy;
  const std::string folder = copy.file("model");
  std::filesystem::copy(test::source_folder() + "/assets/models/pronoun-encoder", folder);
  nlohmann::json config = nlohmann::json::parse(test::read_text(folder + "/config.json"));
  config.update(nlohmann::json::parse("{" + setting + "}"));
  EXPECT_TRUE(write_file_atomically(folder + "/config.json", config.dump(), Overwrite::Replace));
  const Result<Reading> reading = open_document(folder);
  return reading ? "it was read" : describe(reading.error());
}

TEST(Settings, ThatChangeTheNumbersAreReadOrRefused) {
  const std::pair<const char*, const char*> kSettings[] = {
      {R"("is_decoder": true)", "/is_decoder"},
      {R"("add_cross_attention": true)", "/add_cross_attention"},
      {R"("scale_attn_weights": false)", "/scale_attn_weights"},
      {R"("scale_attn_by_inverse_layer_idx": true)", "/scale_attn_by_inverse_layer_idx"},
      {R"("position_embedding_type": "relative_key")", "/position_embedding_type"}};
  for (const auto& [setting, place] : kSettings) {
    EXPECT_NE(refusal_of_bert(setting).find(place), std::string::npos) << setting;
  }
  for (const char* setting : {R"("is_decoder": false)", R"("scale_attn_weights": true)",
                              R"("position_embedding_type": "absolute")"}) {
    EXPECT_EQ(refusal_of_bert(setting), "it was read");
  }
}

nlohmann::json json_in(const std::string& path) {
  return nlohmann::json::parse(test::read_text(path));
}

TEST(RealModels, OfLlamasLayoutHaveTheIdsOfTheirReference) {
  const auto reference = test::shared_file("models/reference/stories260k_reference.json");
  ATTNSCOPE_SKIP_WITHOUT(reference);
  const auto cases = json_in(*reference);
  for (const auto& [name, expected] : cases["cases"].items()) {
    ReadOptions options;
    options.input.text = expected["text"].get<std::string>();
    const Result<Reading> reading =
        open_document(*test::shared_file("models/stories260K"), options);
    ASSERT_TRUE(reading.ok()) << describe(reading.error());
    EXPECT_EQ(reading->document.source_model->ids,
              expected["ids"].get<std::vector<std::uint32_t>>())
        << name;
  }
}

// Weights of all maps, and the logits behind the last token.
TEST(RealModels, OfLlamasLayoutComputeWhatTheirReferenceHas) {
  const auto arrays = test::shared_file("models/reference/stories260k_attention.npz");
  ATTNSCOPE_SKIP_WITHOUT(arrays);
  const auto cases = json_in(*test::shared_file("models/reference/stories260k_reference.json"));
  for (const auto& [name, expected] : cases["cases"].items()) {
    SCOPED_TRACE(name);
    ReadOptions options;
    options.input.text = expected["text"].get<std::string>();
    const Document document =
        open_document(*test::shared_file("models/stories260K"), options)->document;
    const ResultPtr result = *compute(make_problem(document));
    const auto reference = [&, stem = name](const std::string& array) {
      return open_array<float>({.file = *arrays, .arrays = {stem + array}}, "", 1U << 30U).value();
    };
    const Tensor maps = reference("_weights_rows"), logits = reference("_last_logits");
    const std::size_t n = result->shape().n_q;
    for (std::size_t map = 0; map < 40; ++map) {
      std::vector<float> weights(n * n);
      result->read(Stage::Weights, {map / 8, 0, map % 8}, {0, 0, n, n}, weights.data());
      for (std::size_t i = 0; i < n * n; ++i) ASSERT_NEAR(weights[i], maps[map * n * n + i], 2e-5F);
    }
    const auto found = logits_of(*result, last_rows(result->problem(), 0, n - 1, 1), nullptr);
    ASSERT_EQ(found->logits.size(), logits.size());
    for (std::size_t id = 0; id < logits.size(); ++id) {
      EXPECT_NEAR(found->logits[id], logits[id], 1e-4F * (1 + std::abs(logits[id])));
    }
  }
}

}  // namespace
}  // namespace attn
