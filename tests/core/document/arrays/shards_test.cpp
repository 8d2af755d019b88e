// Indices of .safetensors files in shards, as documents and by reference from documents.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

// One array of 1 × 2 × 2 numbers.
std::string shard_of(const std::string& name, const std::vector<float>& map) {
  return test::safetensors(
      "{\"" + name + R"(":{"dtype":"F32","shape":[1,2,2],"data_offsets":[0,16]}})",
      test::bytes_of(map));
}

constexpr const char* kIndex = R"({"metadata": {"total_size": 32}, "weight_map": {
    "layers.0.attn": "part-1.safetensors", "layers.1.attn": "part-2.safetensors"}})";

class Shards : public testing::Test {
 protected:
  Shards() {
    write("part-1.safetensors", shard_of("layers.0.attn", {1, 0, 0.5F, 0.5F}));
    write("part-2.safetensors", shard_of("layers.1.attn", {1, 0, 0.25F, 0.75F}));
  }
  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_.file(name);
    EXPECT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace).ok());
    return path;
  }
  Result<Reading> opened(const std::string& index = kIndex) const {
    return open_document(write("model.safetensors.index.json", index));
  }
  std::string refusal(const std::string& index = kIndex) const {
    const Result<Reading> reading = opened(index);
    return reading ? "it was read" : describe(reading.error());
  }

  test::TemporaryFolder folder_;
};

TEST_F(Shards, AreOneDocument) {
  const Result<Reading> reading = opened();
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  const Tensor& weights = std::get<GivenWeights>(reading->document.model).weights;
  EXPECT_EQ(weights.shape(), (Shape{2, 1, 2, 2}));
  EXPECT_EQ(weights[3], 0.5F);
  EXPECT_EQ(weights[7], 0.75F);
  EXPECT_FALSE(reading->is_saved_back) << "saving would write over the index";
  EXPECT_EQ(files_of(reading->document).size(), 3U) << "the index and its shards are its files";
}

TEST_F(Shards, AreFoundByReference) {
  write("model.safetensors.index.json", kIndex);
  const std::string path = write("doc.attn.json", R"({"attention":
      {"file": "model.safetensors.index.json", "array": "layers.1.attn"}})");
  const Result<Reading> reading = open_document(path);
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_EQ(std::get<GivenWeights>(reading->document.model).weights[3], 0.75F);
  EXPECT_NE(write_document(reading->document)
                .find(R"({"file": "model.safetensors.index.json", "array": "layers.1.attn"})"),
            std::string::npos);
  EXPECT_TRUE(check_files(reading->document).ok());
  write("part-1.safetensors", shard_of("layers.0.attn", {0, 1, 0.5F, 0.5F}));
  EXPECT_FALSE(check_files(reading->document).ok()) << "a shard was written";
}

TEST_F(Shards, ThatAreMissingOrCutShortAreNamed) {
  const std::string part = folder_.file("part-2.safetensors");
  std::filesystem::resize_file(part, std::filesystem::file_size(part) - 1);
  EXPECT_NE(refusal().find("the shard part-2.safetensors: "), std::string::npos) << refusal();
  std::filesystem::remove(part);
  EXPECT_NE(refusal().find("the shard part-2.safetensors: the file does not exist"),
            std::string::npos)
      << refusal();
}

TEST_F(Shards, ThatAreNoSafetensorsAreRefused) {
  write("part-2.safetensors", std::string("PK\x03\x04") + std::string(64, 'x'));
  EXPECT_NE(refusal().find("the shard part-2.safetensors: "), std::string::npos) << refusal();
  // An index that names itself, which must not be followed.
  const std::string own = R"({"weight_map": {"a": "model.safetensors.index.json"}})";
  EXPECT_NE(refusal(own).find("the shard model.safetensors.index.json: "), std::string::npos);
}

TEST_F(Shards, WithoutAnArrayOfTheIndexAreNamed) {
  const std::string text = refusal(R"({"weight_map": {"layers.7.attn": "part-1.safetensors"}})");
  EXPECT_NE(text.find("the shard part-1.safetensors: the file has no array of this name"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("layers.0.attn"), std::string::npos) << text;
}

TEST_F(Shards, AreNotReadFromAnIndexOfOtherValues) {
  const std::pair<const char*, const char*> cases[] = {
      {"[]", "model.safetensors.index.json:1:1: this is not an object: found a list"},
      {"", "the index names no arrays"},
      {"\"x\"", "this is not an object"},
      {"{}", "the index names no arrays: found no \"weight_map\""},
      {R"({"weight_map": {}})", "found an empty object"},
      {R"({"weight_map": ["a"]})", "index.json:1:16: this is not an object"},
      {R"({"weight_map": {"a": 5}})", "index.json:1:22: this is not a text"},
      {R"({"weight_map": {"a": ["part-1.safetensors"]}})", "index.json:1:22: this is not a text"},
      {"{\"weight_map\": {\"a\": \"\xFF\"}}", "not valid UTF-8"},
      {R"({"weight_map": {"a": "x")", "index.json:1:"}};
  for (const auto& [index, said] : cases) {
    EXPECT_NE(refusal(index).find(said), std::string::npos) << refusal(index) << "\n" << said;
  }
}

TEST_F(Shards, LieBesideTheIndex) {
  for (const char* name : {"../part-1.safetensors", "/etc/passwd", "..", ".", ""}) {
    const std::string text =
        refusal(R"({"weight_map": {"layers.0.attn": ")" + std::string(name) + "\"}}");
    EXPECT_NE(text, "it was read") << name;
    EXPECT_NE(text.find("shard"), std::string::npos) << text;
  }
}

TEST_F(Shards, AreToldFromDocuments) {
  const std::string document = write("weights.json", R"({"title": "weight_map", "tokens": ["a"]})");
  const Result<Reading> reading = open_document(document);
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_EQ(reading->document.title, "weight_map");
  const std::string late = R"({"metadata": {"note": ")" + std::string(2000, 'x') +
                           R"("}, "weight_map": {"attn": "part-1.safetensors"}})";
  EXPECT_NE(refusal(late).find("part-1"), std::string::npos) << "known by its name";
}

}  // namespace
}  // namespace attn
